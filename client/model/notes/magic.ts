import { wordMap } from '../text/word-map.ts';

/** The parts of a paragraph's text. */
export interface SplitMagic {
  /**
   * Name of the interpreter without `%`, for example `spark.sql`; `undefined` if the text names
   * none.
   */
  readonly magic: string | undefined;
  /**
   * Options in parentheses: `%sql(limit=50)` → `{limit: '50'}`. An option without a value has its
   * own name as value.
   */
  readonly options: Readonly<Record<string, string>>;
  /** The text that the interpreter gets: the rest without surrounding white space. */
  readonly script: string;
  /**
   * Offset of the script in the text, in UTF-16 code units. Converts a cursor position in the
   * editor to one in the script.
   */
  readonly scriptOffset: number;
}

/** As in Zeppelin, and hyphens inside names: settings and Jupyter kernels have them. */
const MAGIC = /^\s*%([\w.]+(?:-[\w.]+)*)/;

/** Parses `(k=v, "a b")` at `start`; `undefined` if it is not a well-formed list of options. */
function readOptions(
  text: string,
  start: number,
): { options: Record<string, string>; end: number } | undefined {
  const entries: [string, string][] = [];
  // No two adjacent parts may both match spaces; otherwise the time would be quadratic in the
  // length of the text.
  const item = /\s*([\w.-]+)\s*(?:=(\s*"(?:[^"\\]|\\[\s\S])*"\s*|[^,"()]*))?([,)])/y;
  item.lastIndex = start + 1;
  for (let found = item.exec(text); found; found = item.exec(text)) {
    const [, key = '', value = key, closer] = found;
    entries.push([key, unquote(value.trim())]);
    if (closer === ')') return { options: Object.fromEntries(entries), end: item.lastIndex };
  }
  const empty = /\(\s*\)/y;
  empty.lastIndex = start;
  return empty.test(text) ? { options: {}, end: empty.lastIndex } : undefined;
}

function unquote(value: string): string {
  if (!value.startsWith('"')) return value;
  return value
    .slice(1, -1)
    .replace(/\\([\s\S])/g, (_, char: string) =>
      char === 'n' ? '\n' : char === 't' ? '\t' : char,
    );
}

/**
 * Splits a paragraph's text into magic, options and script.
 *
 * Options directly follow the name (since Zeppelin 0.9). Parentheses that don't contain a list of
 * options remain part of the script, where Zeppelin fails: `%python(1+2)` is a script.
 *
 * @example
 * splitMagic('%sql(limit=50) select 1').magic; // 'sql'
 */
export function splitMagic(text: string): SplitMagic {
  const found = MAGIC.exec(text);
  let offset = found?.[0].length ?? 0;
  let options: Record<string, string> = {};
  if (found && text[offset] === '(') {
    const read = readOptions(text, offset);
    if (read) {
      options = read.options;
      offset = read.end;
    }
  }
  const rest = text.slice(offset);
  const script = rest.trim();
  return {
    magic: found?.[1],
    options,
    script,
    scriptOffset: offset + (rest.length - rest.trimStart().length),
  };
}

/** Returns the text with which a paragraph below this one starts: its magic. @internal */
export function textBelow(text = ''): string {
  const magic = magicOf(text);
  return magic ? `%${magic}\n` : '';
}

/** Returns the interpreter that a text names, without `%`; `undefined` if it names none. */
export function magicOf(text: string): string | undefined {
  return MAGIC.exec(text)?.[1];
}

const LANGUAGES = wordMap([
  ['scala', 'spark'],
  ['python', 'pyspark python'],
  ['r', 'r sparkr knitr'],
  ['markdown', 'md'],
  ['sh', 'sh'],
  ['javascript', 'js javascript'],
  ['scala', 'scala'],
  ['python', 'ipython ipyspark pyflink jupyter'],
  ['r', 'ir'],
  ['markdown', 'markdown'],
  ['sh', 'shell bash'],
  ['sql', 'duckdb jdbc postgres mariadb sqlite hive phoenix presto trino bigquery cassandra'],
  ['html', 'html angular'],
  ...['magpie', 'java', 'json', 'yaml', 'kotlin', 'groovy', 'julia'].map(
    (name) => [name, name] as const,
  ),
]);

/** Returns the language in a magic: `julia` in `julia-1.10`, `pyspark` in `spark.pyspark`. */
export const languageOf = (magic: string): string =>
  magic
    .replace(/-?\d[\d.]*$/, '')
    .split('.')
    .at(-1)!
    .toLowerCase();

/**
 * Returns the editor language of a paragraph by its magic (specification; the entries from
 * JavaScript on are additions). Only the last part of a dotted name counts: `%spark.pyspark` is
 * Python.
 *
 * @param fallback language for other names and for text without a magic; a search result is shown
 * as Scala (specification), a paragraph passes the language of its note's default interpreter
 */
export function editorMode(text: string, fallback = 'scala'): string {
  const name = languageOf(magicOf(text) ?? '');
  return LANGUAGES.get(name) ?? (name.endsWith('ql') ? 'sql' : fallback);
}
