/** The first word of a paragraph: which interpreter it names, with which options, and how its editor reads. */

/** A paragraph's text taken apart. */
export interface SplitMagic {
  /** Interpreter name without `%`, for example `spark.sql`; absent when the text names none. */
  readonly magic: string | undefined;
  /** `%sql(limit=50)` → `{limit: '50'}`. An option without a value has its own name as value. */
  readonly options: Readonly<Record<string, string>>;
  /** What the interpreter is given: the rest, without blanks at either end. */
  readonly script: string;
  /** Where the script starts in the text, in UTF-16 units: turns a cursor in the editor into one in the script. */
  readonly scriptOffset: number;
}

const MAGIC = /^\s*%([\w.]+)/;

/** Reads `(k=v, "a b")` at `start`; `undefined` when that is no well-formed list of options. */
function readOptions(
  text: string,
  start: number,
): { options: Record<string, string>; end: number } | undefined {
  const entries: [string, string][] = [];
  // No two parts that may both take blanks stand side by side: time grows with the text, not with its square.
  const item = /\s*([\w.-]+)\s*(?:=(\s*"(?:[^"\\]|\\[^])*"\s*|[^,"()]*))?([,)])/y;
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
    .replace(/\\([^])/g, (_, char: string) => (char === 'n' ? '\n' : char === 't' ? '\t' : char));
}

/**
 * Splits a paragraph's text into magic, options and script.
 *
 * Options stand directly behind the name (upstream 0.9 and later). Parentheses that do not hold a list of options stay
 * part of the script, where upstream fails: `%python(1+2)` is a script.
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

/** The interpreter a text names, without `%`; `undefined` when it names none. */
export function magicOf(text: string): string | undefined {
  return MAGIC.exec(text)?.[1];
}

const LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    spark: 'scala',
    pyspark: 'python',
    python: 'python',
    r: 'r',
    sparkr: 'r',
    knitr: 'r',
    md: 'markdown',
    sh: 'sh',
    js: 'javascript',
    javascript: 'javascript',
    duckdb: 'sql',
    magpie: 'magpie',
    java: 'java',
    html: 'html',
    angular: 'html',
    json: 'json',
    yaml: 'yaml',
    markdown: 'markdown',
    ipython: 'python',
    shell: 'sh',
    bash: 'sh',
    scala: 'scala',
  }),
);

/**
 * Language of a paragraph's editor, by its magic (specification; the rows from JavaScript on are ours). Of a dotted
 * name the last part counts: `%spark.pyspark` is Python.
 *
 * @param fallback for a text without magic and for other names; a search hit is read as Scala (specification), a
 *   paragraph passes the language of its note's default interpreter
 */
export function editorMode(text: string, fallback = 'scala'): string {
  const name = magicOf(text)?.split('.').at(-1) ?? '';
  return LANGUAGES.get(name) ?? (name.endsWith('ql') ? 'sql' : fallback);
}
