/**
 * Helium applications of a paragraph. The bundle runs in the frame for untrusted HTML and receives
 * the paragraph's tables.
 */
import { readArrowRows, type TableData, tableOfRows, textTableOf } from '@tiding/client/model';
import { Refusal } from '../base/errors.ts';
import { openFile } from '../files/open-file.ts';
import type { StoredNote, StoredParagraph } from '../notes/note.ts';
import type { StoredTable } from '../results/stored-table.ts';
import type { FoundPackage } from './registry.ts';

/** An application as stored in its paragraph. */
export interface Application {
  readonly id: string;
  readonly pkg: FoundPackage['pkg'];
  readonly status: 'LOADED' | 'ERROR';
  readonly output: readonly { readonly type: string; readonly data: string }[];
}

/** Application id, in Zeppelin's format. */
const applicationId = (note: StoredNote, paragraph: StoredParagraph, name: string): string =>
  `app_${note.id}-${paragraph.id}${name.replaceAll('.', '_')}`;

/**
 * Returns the text of a package's bundle. Throws 404 if there is none, and 413 if it is larger than
 * `max` bytes.
 */
export async function readBundle(
  { folder, bundle, pkg }: FoundPackage,
  max: number,
): Promise<string> {
  const { handle, size } = await openFile(folder, bundle).catch((error: unknown) => {
    if (error instanceof Refusal)
      throw new Refusal(404, `The package ${pkg.name} has no bundle ${bundle}.`);
    throw error;
  });
  try {
    if (size > max)
      throw new Refusal(413, `The bundle of the package ${pkg.name} is larger than ${max} bytes.`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** Escapes text so that it cannot end the script element that contains it. */
const inScript = (json: string) =>
  json.replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
/**
 * Escapes code so that it cannot end its script element. Inside a string the added backslash has no
 * effect.
 */
const asCode = (code: string) => code.replace(/<(?=\/script|!--)/gi, '\\x3c');

/** Rows that an application gets, because they become part of its output. */
const ROWS = { offset: 0, limit: 10_000 };

async function tableFor(stored: StoredTable | undefined, text: string): Promise<TableData> {
  if (!stored) return textTableOf(text);
  const [schema, batches] = [await stored.schema(), stored.batches(ROWS)];
  return tableOfRows(await readArrowRows({ schema, batches }));
}

/**
 * Starts an application. Its bundle receives `tiding`: `element` to draw in, `config`, and
 * `tables`, a list of `{columns: [name], rows: [[cell]]}`. `read` returns the bundle. A package
 * without a bundle needs a Java server; the output says so.
 *
 * @param stored returns the stored table of an output
 */
export async function loadApplication(
  found: FoundPackage,
  note: StoredNote,
  paragraph: StoredParagraph,
  config: object,
  max: number,
  read = readBundle,
  stored: (index: number) => StoredTable | undefined = () => undefined,
): Promise<Application> {
  const { pkg } = found;
  const id = applicationId(note, paragraph, pkg.name);
  try {
    const code = await read(found, max);
    const tables: { columns: string[]; rows: TableData['rows'] }[] = [];
    for (const [index, { type, data }] of (paragraph.results?.msg ?? []).entries()) {
      if (type !== 'TABLE') continue;
      const { columns, rows } = await tableFor(stored(index), data);
      tables.push({ columns: columns.map(({ name }) => name), rows });
    }
    const data =
      `<div id="application"></div>\n<script>\n` +
      `const tiding = ${inScript(JSON.stringify({ config, tables }))};\n` +
      "tiding.element = document.getElementById('application');\n</script>\n" +
      `<script>\n${asCode(code)}\n</script>\n`;
    return { id, pkg, status: 'LOADED', output: [{ type: 'HTML', data }] };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const why =
      pkg.className && error.status === 404
        ? `The application ${pkg.name} is a Java class, which only a Java server runs.`
        : error.message;
    return { id, pkg, status: 'ERROR', output: [{ type: 'TEXT', data: why }] };
  }
}
