/**
 * Notes and paragraphs as static HTML, rendered in Node: readable without script, and taken over by
 * the elements when their script is loaded. Importing this module has no side effects.
 *
 * @module @tiding/elements/snapshot
 */
import { type Client, TidingError } from '@tiding/client';
import { escapeHtml, type StoredTables } from '@tiding/client/model';
import type { OutputData } from '../output/data.ts';
import type { OutputConfig } from '../output/view-config.ts';
import { type Markup, renderMarkup } from './markup.tsx';
import { hasCharts, StaticOutputs } from './output.tsx';
import pageSheet from './page.css';
import { type MarkupOptions, StaticNote, StaticParagraph } from './paragraph.tsx';
import { readOutputs, readSource, type SnapshotSource, type SourceNote } from './source.ts';

export {
  type FirstViewMarkup,
  type FirstViewOptions,
  hasFirstView,
  renderFirstView,
} from './first-view.tsx';
export type { MarkupNode } from './markup-nodes.ts';
export type { OutputConfig, OutputData, SnapshotSource };

/** How a snapshot is rendered. */
export interface SnapshotOptions {
  /**
   * Address of the server from which the element becomes live. Defaults to that of the nearest
   * `<tiding-workbench>`.
   */
  readonly server?: string;
  /** Colours: `auto` follows the page. Default `auto`. */
  readonly theme?: 'light' | 'dark' | 'auto';
  /** Maximum number of rows of a table; a sentence says how many there are. Default 100. */
  readonly rows?: number;
  /** Width in px for which charts are drawn; they are scaled to the page. Default 720. */
  readonly width?: number;
  /** Whether code is shown too, unless the note hides it. Default `false`. */
  readonly code?: boolean;
  /**
   * Client of the server that has the note. Tables then have the stored rows with their types;
   * otherwise those in the text of the note.
   */
  readonly client?: Client;
  /** Nonce of the style element, for pages whose policy allows no inline styles without one. */
  readonly nonce?: string;
}

/** How data of a page is rendered. */
export interface OutputOptions extends Omit<SnapshotOptions, 'client' | 'code'> {
  /** View settings, as the property `config` of `<tiding-output>` has them. */
  readonly config?: OutputConfig;
  /** Whether only the data is shown, without toolbars. Default `false`. */
  readonly bare?: boolean;
}

/** How the page of a note is rendered. By default, with its code and 1,000 rows of each table. */
export type PageOptions = Omit<SnapshotOptions, 'server' | 'nonce'>;

const noTables: StoredTables = new Map();

/** Reads the tables of paragraphs: all rows for charts, otherwise as many as their text has. */
async function storedTables(
  client: Client,
  id: string,
  paragraphs: SourceNote['paragraphs'],
): Promise<StoredTables> {
  const read = (charts: boolean, options: { rows?: number }): Promise<StoredTables> => {
    const chosen = paragraphs
      .filter((each) => hasCharts(each) === charts)
      .map(({ paragraph, outputs }) => ({
        id: paragraph.id,
        results: {
          code: 'SUCCESS',
          msg: outputs.map(({ type, rows }) => ({ type, data: '', rows })),
        },
      }));
    return client.results.tables({ id, paragraphs: chosen }, options);
  };
  return new Map([...(await read(true, { rows: MAX_CHART_ROWS })), ...(await read(false, {}))]);
}
/** Rows that are read for a chart. */
const MAX_CHART_ROWS = 1_000_000;

async function markupOptions(
  { rows = 100, width = 720, code = false, client }: SnapshotOptions,
  { id, paragraphs, images }: Pick<SourceNote, 'id' | 'paragraphs' | 'images'>,
): Promise<MarkupOptions> {
  for (const [name, value] of Object.entries({ rows, width }))
    if (!Number.isFinite(value) || value < 1)
      throw new TidingError('protocol', `'${name}' is ${value}: use a number of 1 or more.`);
  // The library of charts is large, and adds names to the global object.
  const draw = paragraphs.some(hasCharts) ? (await import('./chart.tsx')).drawChart : undefined;
  const tables = client ? await storedTables(client, id, paragraphs) : noTables;
  return {
    ...{ rows: Math.floor(rows), width: Math.round(width), code, titles: false },
    ...{ draw, images, tables },
  };
}

/** Writes an element with its declarative shadow root. */
function element(
  tag: string,
  attributes: Readonly<Record<string, string | undefined>>,
  { html, css }: Markup,
  { server, theme, nonce }: SnapshotOptions,
): string {
  const all = { server, ...attributes, theme: theme === 'auto' ? undefined : theme };
  const written = Object.entries(all)
    .flatMap(([name, value]) => (value === undefined ? [] : ` ${name}="${escapeHtml(value)}"`))
    .join('');
  const once = nonce === undefined ? '' : ` nonce="${escapeHtml(nonce)}"`;
  return (
    `<${tag}${written}><template shadowrootmode="open">` +
    `<style${once}>${css}</style>${html}</template></${tag}>`
  );
}

/**
 * Renders a paragraph as `<tiding-paragraph>` with a declarative shadow root, which browsers show
 * without script. Rejects with `protocol` if `note` is no note or has no such paragraph.
 *
 * @param note an open note of the client, or the content of a `.zpln` file
 * @param id id of the paragraph
 *
 * @example
 * const note = await client.open('2A94M5J1Z');
 * const html = await renderParagraph(note, note.paragraphs[1].id, { server: client.server });
 */
export async function renderParagraph(
  note: SnapshotSource,
  id: string,
  options: SnapshotOptions = {},
): Promise<string> {
  const read = readSource(note);
  const source = read.paragraphs.find(({ paragraph }) => paragraph.id === id);
  if (!source)
    throw new TidingError('protocol', `The note '${read.title}' has no paragraph '${id}'.`);
  const all = await markupOptions(options, { ...read, paragraphs: [source] });
  const view = <StaticParagraph single source={source} options={all} />;
  const attributes = { note: read.id, paragraph: id, look: lookOf(options) };
  return element('tiding-paragraph', attributes, renderMarkup(view, 'paragraph'), options);
}

/**
 * Renders data of the page, such as rows or a notebook of Jupyter, as `<tiding-output>` with a
 * declarative shadow root, which browsers show without script. It becomes live when the page sets
 * the element's `data`. Rejects with `protocol` if the data has an unknown form.
 *
 * @param data rows, columns, Arrow bytes, or outputs of Jupyter or Zeppelin
 *
 * @example
 * const html = await renderOutput([{ city: 'Oslo', rain: 30 }]);
 */
export async function renderOutput(data: OutputData, options: OutputOptions = {}): Promise<string> {
  const { bare = false } = options;
  const { paragraphs, tables } = await readOutputs(data, options.config);
  const given = await markupOptions(options, { id: '', paragraphs, images: {} });

  const view = (
    <div className={bare || tables.size === 0 ? 'own-data flush' : 'own-data'} part="result">
      {paragraphs.map(({ paragraph: { id, status, config = {} }, outputs }) => (
        <StaticOutputs
          key={id}
          {...given}
          {...{ outputs, status, config, bare, tables }}
          paragraph={id}
          title=""
        />
      ))}
    </div>
  );
  const attributes = { bare: bare ? '' : undefined };
  return element('tiding-output', attributes, renderMarkup(view, 'paragraph'), options);
}

const lookOf = ({ code }: SnapshotOptions): string => (code ? 'simple' : 'report');

/**
 * Renders the paragraphs of a note as `<tiding-notebook>` with a declarative shadow root, which
 * browsers show without script. Rejects with `protocol` if `note` is no note.
 *
 * @param note an open note of the client, or the content of a `.zpln` file
 */
export async function renderNote(
  note: SnapshotSource,
  options: SnapshotOptions = {},
): Promise<string> {
  const read = readSource(note);
  const all = await markupOptions(options, read);
  const view = <StaticNote note={read} options={all} />;
  const attributes = { note: read.id, look: lookOf(options), bare: '' };
  return element('tiding-notebook', attributes, renderMarkup(view, 'note'), options);
}

/** Nothing runs and nothing is loaded from the network. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'";

/**
 * Renders a note as one HTML file to read and to send. It needs neither a server nor the network
 * nor script, and shadow roots are not used, so that mail programs and search engines read it.
 * Rejects with `protocol` if `note` is no note.
 *
 * @param note an open note of the client, or the content of a `.zpln` file
 */
export async function renderPage(note: SnapshotSource, options: PageOptions = {}): Promise<string> {
  const read = readSource(note);
  const title = escapeHtml(read.title);
  const given = await markupOptions({ code: true, rows: 1_000, ...options }, read);
  const all = { ...given, titles: true };
  const { html, css } = renderMarkup(<StaticNote note={read} options={all} />, 'note', pageSheet);
  const { theme = 'auto' } = options;
  const root = '.snapshot-page';
  const rules = css
    .replace(/:host\(((?:[^()]|\([^()]*\))*)\)/g, `${root}$1`)
    .replaceAll(':host', root);
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
${rules}
</style>
</head>
<body>
<main class="snapshot-page"${theme === 'auto' ? '' : ` theme="${theme}"`}>
<h1>${title}</h1>
${html}
</main>
</body>
</html>
`;
}
