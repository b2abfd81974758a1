/** Reading SQL text: tokens, statements, and the file names in them. No engine is needed here. */
import { resolve } from 'node:path';

/** A piece of SQL that is neither blank nor comment. `start` and `end` are offsets into the text. */
export interface SqlToken {
  /** `string` is `'…'`; `literal` another string form (`E'…'`, `$$…$$`); `quoted` is `"…"`; `open` a string or comment without end. */
  readonly kind: 'word' | 'string' | 'literal' | 'quoted' | 'symbol' | 'open';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const space = /\s+/y;
const lineComment = /--[^\n]*/y;
const word = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|\d[\w.]*/y;
const dollarTag = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;

/** Splits SQL into tokens. Never fails: text that does not end (a string, a comment) becomes one last token `open`. */
export function tokenize(sql: string): SqlToken[] {
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
    else if (sql[at] === "'") pushQuoted('string', at);
    else if (sql[at] === '"') pushQuoted('quoted', at);
    else if ((end = match(dollarTag)) >= 0) {
      const close = sql.indexOf(sql.slice(at, end), end);
      if (close < 0) push('open', sql.length);
      else push('literal', close + end - at);
    } else push('symbol', at + 1);
  }
  return tokens;
}

/** Offset after the text that starts with the quote at `start`, or -1. Not a pattern: strings may be megabytes long. */
function quotedEnd(sql: string, start: number, escapes: boolean): number {
  const quote = sql[start] ?? '';
  for (let at = start + 1; ; at += 1) {
    const close = sql.indexOf(quote, at);
    const escape = escapes ? sql.indexOf('\\', at) : -1;
    if (escape >= 0 && (close < 0 || escape < close)) at = escape + 1;
    else if (close < 0) return -1;
    else if (sql[close + 1] !== quote) return close + 1;
    else at = close + 1;
  }
}

/** Comments nest. Returns the offset after the comment, or -1. */
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

/**
 * The statements of a script, without empty ones. Each is preceded by as many line ends as stand before it in the
 * script, so that line numbers in the engine's messages are those of the script.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let first: SqlToken | undefined;
  let last: SqlToken | undefined;
  const flush = (): void => {
    if (first && last) {
      const lines = sql.slice(0, first.start).split('\n').length - 1;
      statements.push('\n'.repeat(lines) + sql.slice(first.start, last.end));
    }
    first = last = undefined;
  };
  for (const token of tokenize(sql)) {
    if (token.kind === 'symbol' && token.text === ';') flush();
    else {
      first ??= token;
      last = token;
    }
  }
  flush();
  return statements;
}

const fileFunction = /^(?:read_\w+|parquet_\w+|\w+_scan|sniff_csv)$/;
const fileEnding =
  /\.(?:csv|tsv|txt|parquet|json|jsonl|ndjson|geojson|xlsx)(?:\.(?:gz|zst|bz2))?$/i;

/**
 * Makes relative file names of one statement absolute, seen from `folder`: after FROM and JOIN (when the name ends like a
 * data file), in COPY, ATTACH, EXPORT and IMPORT, and as first argument of `read_csv`, `read_parquet` and their like.
 * Why: the engine resolves names against the working directory of the process, and its access check refuses
 * relative names altogether.
 */
export function resolveFiles(statement: string, folder: string): string {
  const tokens = tokenize(statement);
  const first = lower(tokens[0]);
  const frames: { file: boolean; list: boolean; argument: number }[] = [];
  let result = '';
  let done = 0;
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
    if (top?.file) file = (top.list || top.argument === 0) && '([,'.includes(before?.text ?? ' ');
    else if (frames.length === 0 && first === 'copy')
      file = previous === 'to' || previous === 'from';
    else if (frames.length === 0 && ['attach', 'export', 'import'].includes(first)) {
      file = !attached && !name.includes('=');
      attached = true;
    }
    file ||= (previous === 'from' || previous === 'join') && fileEnding.test(name);
    if (!file || !isRelative(name)) return;
    const absolute = resolve(folder, name) + (name.endsWith('/') ? '/' : '');
    result += `${statement.slice(done, token.start)}'${absolute.replaceAll("'", "''")}'`;
    done = token.end;
  });
  return result + statement.slice(done);
}

function takesFile(tokens: readonly SqlToken[], bracket: number): boolean {
  const name = lower(tokens[bracket - 1]);
  if (fileFunction.test(name)) return true;
  // GLOB is an operator too; only in a FROM clause it lists files.
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

/** What a statement does to the transaction: `begin`, `end`, or nothing. */
export function transactionEffect(statement: string): 'begin' | 'end' | undefined {
  const name = lower(tokenize(statement)[0]);
  if (name === 'begin' || name === 'start') return 'begin';
  return ['commit', 'end', 'rollback', 'abort'].includes(name) ? 'end' : undefined;
}

/** `name` as a quoted SQL identifier. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
/** A name as the engine compares it: only the letters A to Z have another case there. `Ä` is not `ä`, and the sign for Kelvin is no `k`. */
export const foldName = (name: string): string =>
  name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
/** `text` as an SQL string literal. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * The parts of a table name such as `flights`, `main.flights` or `"my table"`, unquoted; undefined when the text is
 * something else (a query).
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
