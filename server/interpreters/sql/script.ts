/** Splits SQL text into tokens and statements, and finds file names. It needs no engine. */

/**
 * A token of SQL, without blanks and comments. `start` and `end` are offsets into the text.
 */
export interface SqlToken {
  /**
   * `string` is `'…'`, `literal` another form of string (`E'…'`, `$$…$$`), `quoted` is `"…"`, and
   * `open` is an unterminated string or comment.
   */
  readonly kind: 'word' | 'string' | 'literal' | 'quoted' | 'symbol' | 'open';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const space = /\s+/y;
const lineComment = /--[^\n]*/y;
const hashComment = /#[^\n]*/y;
const word = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|\d[\w.]*/y;
const dollarTag = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;

/** How MySQL differs: backslashes in strings, names in backticks, comments after `#`. */
export type SqlDialect = 'standard' | 'mysql';

/**
 * Splits SQL into tokens. It never throws: an unterminated string or comment becomes a last token
 * `open`.
 */
export function tokenize(sql: string, dialect: SqlDialect = 'standard'): SqlToken[] {
  const isMySql = dialect === 'mysql';
  const tokens: SqlToken[] = [];
  let at = 0;
  const match = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    return pattern.test(sql) ? pattern.lastIndex : -1;
  };
  const push = (kind: SqlToken['kind'], end: number): void => {
    tokens.push({ kind, text: sql.slice(at, end), start: at, end });
    at = end;
  };
  const pushQuoted = (kind: SqlToken['kind'], start: number, escapes = false): void => {
    const end = quotedEnd(sql, start, escapes);
    push(end < 0 ? 'open' : kind, end < 0 ? sql.length : end);
  };
  while (at < sql.length) {
    let end = match(space);
    if (end < 0) end = match(lineComment);
    if (end < 0 && isMySql) end = match(hashComment);
    if (end >= 0) {
      at = end;
      continue;
    }
    if (sql.startsWith('/*', at)) {
      end = commentEnd(sql, at);
      if (end < 0) push('open', sql.length);
      else at = end;
    } else if (/[eE]/.test(sql[at] ?? '') && sql[at + 1] === "'")
      pushQuoted('literal', at + 1, true);
    else if ((end = match(word)) >= 0) push('word', end);
    else if (sql[at] === "'") pushQuoted('string', at, isMySql);
    else if (sql[at] === '"') pushQuoted(isMySql ? 'string' : 'quoted', at, isMySql);
    else if (isMySql && sql[at] === '`') pushQuoted('quoted', at);
    else if (!isMySql && (end = match(dollarTag)) >= 0) {
      const close = sql.indexOf(sql.slice(at, end), end);
      if (close < 0) push('open', sql.length);
      else push('literal', close + end - at);
    } else push('symbol', at + 1);
  }
  return tokens;
}

/**
 * Returns the offset after the text that starts with the quote at `start`, or -1. It does not use a
 * regular expression, because strings may have megabytes.
 */
function quotedEnd(sql: string, start: number, escapes: boolean): number {
  const quote = sql[start] ?? '';
  for (let at = start + 1; ; at += 1) {
    const close = sql.indexOf(quote, at);
    const backslash = escapes ? sql.indexOf('\\', at) : -1;
    if (backslash >= 0 && (close < 0 || backslash < close)) at = backslash + 1;
    else if (close < 0) return -1;
    else if (sql[close + 1] !== quote) return close + 1;
    else at = close + 1;
  }
}

/** Returns the offset after a comment, which may contain others, or -1. */
function commentEnd(sql: string, start: number): number {
  let depth = 0;
  for (let at = start; at < sql.length - 1; at += 1) {
    const pair = sql.slice(at, at + 2);
    if (pair === '/*') depth += 1;
    else if (pair === '*/') depth -= 1;
    else continue;
    at += 1;
    if (depth === 0) return at + 1;
  }
  return -1;
}

/** A statement of a script: the offsets of its first token and of the end of its last one. */
export interface SqlRange {
  readonly start: number;
  readonly end: number;
}

/** Returns the statements of a script, without empty ones. */
export function statementRanges(sql: string, dialect?: SqlDialect): SqlRange[] {
  const ranges: SqlRange[] = [];
  let start: number | undefined;
  let end = 0;
  const flush = (): void => {
    if (start !== undefined) ranges.push({ start, end });
    start = undefined;
  };
  for (const token of tokenize(sql, dialect)) {
    if (token.kind === 'symbol' && token.text === ';') flush();
    else {
      start ??= token.start;
      end = token.end;
    }
  }
  flush();
  return ranges;
}

/**
 * Returns the statements of a script, without empty ones. Each starts with as many line ends as
 * precede it in the script, so that the engine's messages have the script's line numbers.
 */
export const splitStatements = (sql: string): string[] =>
  statementRanges(sql).map(({ start, end }) => {
    const lines = sql.slice(0, start).split('\n').length - 1;
    return '\n'.repeat(lines) + sql.slice(start, end);
  });

const fileFunction = /^(?:read_\w+|parquet_\w+|\w+_scan|sniff_csv)$/;
const fileEnding =
  /\.(?:csv|tsv|txt|parquet|json|jsonl|ndjson|geojson|xlsx)(?:\.(?:gz|zst|bz2))?$/i;

/**
 * Replaces relative file names of a statement by the result of `find`: after FROM and JOIN (if the
 * name ends like a data file), in COPY, ATTACH, EXPORT and IMPORT, and in the first argument of
 * `read_csv`, `read_parquet` and similar functions. The engine itself would resolve them against
 * the working directory of the process, and its access check rejects relative names.
 * @param find returns an absolute name; `isWritten` says that the statement writes the file
 */
export async function resolveFiles(
  statement: string,
  find: (name: string, isWritten: boolean) => string | Promise<string>,
): Promise<string> {
  const tokens = tokenize(statement);
  const first = lower(tokens[0]);
  const frames: { file: boolean; list: boolean; argument: number }[] = [];
  const names: { token: SqlToken; name: string; isWritten: boolean }[] = [];
  let attached = false;
  tokens.forEach((token, index) => {
    const before = tokens[index - 1];
    const top = frames.at(-1);
    if (token.kind === 'symbol') {
      if (token.text === '(')
        frames.push({ file: takesFile(tokens, index), list: false, argument: 0 });
      else if (token.text === '[') {
        frames.push({
          file: !!top?.file && top.argument === 0 && before?.text === '(',
          list: true,
          argument: 0,
        });
      } else if (token.text === '{') frames.push({ file: false, list: false, argument: 0 });
      else if (')]}'.includes(token.text)) frames.pop();
      else if (token.text === ',' && top) top.argument += 1;
      return;
    }
    if (token.kind !== 'string') return;
    const name = token.text.slice(1, -1).replaceAll("''", "'");
    const previous = lower(before);
    let file = false;
    const isWritten =
      frames.length === 0 && (first === 'export' || (first === 'copy' && previous === 'to'));
    if (top?.file) file = (top.list || top.argument === 0) && '([,'.includes(before?.text ?? ' ');
    else if (frames.length === 0 && first === 'copy')
      file = previous === 'to' || previous === 'from';
    else if (frames.length === 0 && ['attach', 'export', 'import'].includes(first)) {
      file = !attached && !name.includes('=');
      attached = true;
    }
    file ||= (previous === 'from' || previous === 'join') && fileEnding.test(name);
    if (file && isRelative(name)) names.push({ token, name, isWritten });
  });
  let result = '';
  let done = 0;
  for (const { token, name, isWritten } of names) {
    result += statement.slice(done, token.start) + quoteText(await find(name, isWritten));
    done = token.end;
  }
  return result + statement.slice(done);
}

function takesFile(tokens: readonly SqlToken[], bracket: number): boolean {
  const name = lower(tokens[bracket - 1]);
  if (fileFunction.test(name)) return true;
  // GLOB is also an operator. It lists files only in a FROM clause.
  return name === 'glob' && /^(?:from|join|,)$/.test(lower(tokens[bracket - 2]));
}

function isRelative(name: string): boolean {
  return name !== '' && !/^(?:[/~]|:memory:|[A-Za-z][\w+.-]+:|[A-Za-z]:[\\/])/.test(name);
}

function lower(token: SqlToken | undefined): string {
  return token && (token.kind === 'word' || token.kind === 'symbol')
    ? token.text.toLowerCase()
    : '';
}

export function transactionEffect(statement: string): 'begin' | 'end' | undefined {
  const name = lower(tokenize(statement)[0]);
  if (name === 'begin' || name === 'start') return 'begin';
  return ['commit', 'end', 'rollback', 'abort'].includes(name) ? 'end' : undefined;
}

/** Returns `name` as a quoted SQL identifier. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
/**
 * Folds a name as the engine compares it: it ignores the case of A to Z only. `Ä` and `ä` differ,
 * and so do `k` and the Kelvin sign.
 */
export const foldName = (name: string): string =>
  name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
/** Returns `text` as an SQL string literal. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * Returns the unquoted parts of a table name such as `flights`, `main.flights` or `"my table"`;
 * undefined if the text is something else, such as a query.
 */
export function tableNameParts(text: string): string[] | undefined {
  if (text.length > 1000) return undefined;
  const tokens = tokenize(text);
  if (tokens.length === 0 || tokens.length > 5 || tokens.length % 2 === 0) return undefined;
  const parts: string[] = [];
  for (const [index, token] of tokens.entries()) {
    if (index % 2 === 1) {
      if (token.text !== '.') return undefined;
    } else if (token.kind === 'quoted') parts.push(token.text.slice(1, -1).replaceAll('""', '"'));
    else if (token.kind === 'word' && !/^\d/.test(token.text)) parts.push(token.text);
    else return undefined;
  }
  return parts;
}
