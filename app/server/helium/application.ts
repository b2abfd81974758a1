/** An application of a package on a paragraph: its bundle runs in the frame of foreign HTML, with the paragraph's tables at hand. */
import { parseTable } from 'tiding/model';
import { Refusal } from '../errors.ts';
import type { StoredNote, StoredParagraph } from '../notes/note.ts';
import { openFile } from '../results/files.ts';
import type { FoundPackage } from './registry.ts';

/** An application as a paragraph keeps it. */
export interface Application {
  readonly id: string;
  readonly pkg: FoundPackage['pkg'];
  readonly status: 'LOADED' | 'ERROR';
  readonly output: readonly { readonly type: string; readonly data: string }[];
}

/** Its id, as upstream makes it. */
export const applicationId = (note: StoredNote, paragraph: StoredParagraph, name: string): string =>
  `app_${note.id}-${paragraph.id}${name.replaceAll('.', '_')}`;

/** The text of a package's bundle. Refuses with 404 where there is none, with 413 where it is larger than `max` bytes. */
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

/** Text that stands in a script of a page and cannot end it. */
const inScript = (json: string) =>
  json.replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
/** Code that cannot end the script it stands in; inside a text the backslash changes nothing. */
const asCode = (code: string) => code.replace(/<(?=\/script|!--)/gi, '\\x3c');

/**
 * Starts an application. Its bundle finds `tiding`: `element` to draw in, `config`, and `tables`, a list of `{columns: [name],
 * rows: [[cell]]}`. `read` gets the bundle. One that has no bundle is for a Java server, and says so.
 */
export async function loadApplication(
  found: FoundPackage,
  note: StoredNote,
  paragraph: StoredParagraph,
  config: object,
  max: number,
  read = readBundle,
): Promise<Application> {
  const { pkg } = found;
  const id = applicationId(note, paragraph, pkg.name);
  try {
    const code = await read(found, max);
    const tables = (paragraph.results?.msg ?? [])
      .filter(({ type }) => type === 'TABLE')
      .map(({ data }) => {
        const { columns, rows } = parseTable(data);
        return { columns: columns.map(({ name }) => name), rows };
      });
    const data =
      `<div id="application"></div>\n<script>\nconst tiding = ${inScript(JSON.stringify({ config, tables }))};\n` +
      `tiding.element = document.getElementById('application');\n</script>\n<script>\n${asCode(code)}\n</script>\n`;
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
