/** Finds out how the rows of a delimited text file in UTF-8 are written. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

/** How fields are separated and quoted. */
export interface Dialect {
  readonly delimiter: string;
  /** `double`: a quote in a quoted field is doubled; `none`: quotes are text. */
  readonly quoting: 'double' | 'backslash' | 'none';
}

/** What a pass over the file counts. Lines begin with 1. */
export interface RowCounts {
  /** Rows, with the header. Empty lines are none. */
  readonly rows: number;
  readonly emptyLines: number;
  /** Fields of the row with most fields. */
  readonly maxFields: number;
  /** Rows with another number of fields than the first. */
  readonly oddRows: number;
  /** Lines of the first of them. */
  readonly oddLines: readonly number[];
  readonly hasLineBreaks: boolean;
  /** Whether text follows a closing quote, or the last quote is not closed. */
  readonly isBroken: boolean;
}

/** The dialect of a file, its first rows, and what is above them. */
export interface Layout extends Dialect {
  /** Lines above the first row. */
  readonly skip: number;
  /** The first rows, the header included. */
  readonly head: readonly (readonly string[])[];
}

const DELIMITERS = [',', ';', '\t', '|'];
/** Delimiters that can be chosen. The others also occur in texts and times. */
export const ALL_DELIMITERS = [...DELIMITERS, ':', ' '];
export const QUOTINGS = ['double', 'backslash', 'none'] as const;
const HEAD_BYTES = 2 ** 18;
/** Odd rows whose lines are named. */
const MAX_LINES = 5;

interface Row {
  readonly line: number;
  readonly fields: readonly string[];
}

/** Guesses the dialect from the beginning of a file, except what was chosen. */
export async function layoutOf(
  file: string,
  chosen: { readonly delimiter?: string | undefined; readonly quoting?: string | undefined },
): Promise<Layout> {
  const delimiters = chosen.delimiter === undefined ? DELIMITERS : [chosen.delimiter];
  const quotings = QUOTINGS.filter((each) => each === (chosen.quoting ?? each));
  const handle = await open(file);
  const buffer = Buffer.alloc(HEAD_BYTES);
  const { bytesRead } = await handle.read(buffer, 0, HEAD_BYTES, 0).finally(() => handle.close());
  let text = buffer.toString('utf8', 0, bytesRead).replace(/^\ufeff/, '');
  const isCut = bytesRead === HEAD_BYTES;
  if (isCut) text = text.replace(/[\r\n][^\r\n]*$/, '');
  const candidates = delimiters.flatMap((delimiter) => {
    for (const quoting of quotings) {
      const { rows, isBroken } = parse(text, { delimiter, quoting }, isCut);
      if (isBroken && quoting !== 'none' && quotings.length > 1) continue;
      const table = tableIn(rows);
      return table ? [{ delimiter, quoting, ...table }] : [];
    }
    return [];
  });
  const [best] = candidates.sort((a, b) => b.share - a.share || b.fields - a.fields);
  // A table of one column: no delimiter may occur in it.
  const delimiter =
    best?.delimiter ?? delimiters.find((each) => !text.includes(each)) ?? delimiters[0]!;
  const dialect = best ?? {
    delimiter,
    quoting:
      quotings.find((quoting) => !parse(text, { delimiter, quoting }, isCut).isBroken) ??
      quotings[0]!,
  };
  const rows = best?.rows ?? parse(text, dialect, isCut).rows;
  return {
    delimiter,
    quoting: dialect.quoting,
    skip: (rows[0]?.line ?? 1) - 1,
    head: rows.map(({ fields }) => fields),
  };
}

/** Returns the rows of a table of several columns, without titles above it. */
function tableIn(
  parsed: readonly Row[],
): { rows: readonly Row[]; share: number; fields: number } | undefined {
  // Excel writes the delimiter into a first line such as `sep=;`.
  const all = parsed[0]?.fields[0] === 'sep=' ? parsed.slice(1) : parsed;
  const counts = new Map<number, number>();
  for (const { fields } of all)
    if (fields.length > 1) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1);
  const [usual] = [...counts].sort((a, b) => b[1] - a[1]);
  if (!usual) return undefined;
  const [fields] = usual;
  let first = all.findIndex((row) => row.fields.length === fields);
  // A header can have a name less, or more, than the rows have fields.
  while (first > 0 && all[first - 1]!.fields.length >= Math.max(2, fields - 1)) first -= 1;
  const hasGap = first > 0 && all[first]!.line > all[first - 1]!.line + 1;
  if (first > 0 && first >= all.length / 2 && !hasGap) return undefined;
  const rows = all.slice(first);
  const single = rows.filter((row) => row.fields.length === 1).length;
  if (single > rows.length / 2) return undefined;
  const share = all.filter((row) => row.fields.length === fields).length / all.length;
  return { rows, share, fields };
}

function parse(text: string, { delimiter, quoting }: Dialect, isCut: boolean) {
  const rows: Row[] = [];
  let fields: string[] = [];
  let field = '';
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  let line = 1;
  let first = 1;
  let isBroken = false;
  const end = () => {
    if (fields.length > 0 || field !== '' || state === 'closed')
      rows.push({ line: first, fields: [...fields, field] });
    fields = [];
    field = '';
    state = 'start';
  };
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]!;
    const isLine = letter === '\n' || (letter === '\r' && text[at + 1] !== '\n');
    if (isLine) line += 1;
    if (state === 'quoted') {
      if (quoting === 'backslash' && letter === '\\') field += text[(at += 1)] ?? '';
      else if (letter !== '"') field += letter;
      else if (quoting === 'double' && text[at + 1] === '"') field += text[(at += 1)];
      else state = 'closed';
    } else if (letter === delimiter) {
      fields.push(field);
      field = '';
      state = 'start';
    } else if (isLine) {
      end();
      first = line;
    } else if (letter === '\r') continue;
    else if (letter === '"' && state === 'start' && quoting !== 'none') state = 'quoted';
    else {
      if (state === 'closed') isBroken ||= letter !== ' ';
      else state = 'plain';
      field += letter;
    }
  }
  // A quoted field may end after the part that was read.
  if (state === 'quoted') isBroken ||= !isCut;
  else end();
  return { rows, isBroken };
}

/** Counts the rows of a whole file. All letters that matter are single bytes in UTF-8. */
export async function countRows(
  file: string,
  { delimiter, quoting }: Dialect,
  skip: number,
  signal: AbortSignal,
): Promise<RowCounts> {
  const separator = delimiter.charCodeAt(0);
  const counts = { rows: 0, emptyLines: 0, maxFields: 0, oddRows: 0, hasLineBreaks: false };
  const oddLines: number[] = [];
  let isBroken = false;
  let [usual, fields, line, first] = [0, 1, 1, 1];
  // 0: start of a field, 1: plain, 2: quoted, 3: after the closing quote, 4: after a backslash
  let state = 0;
  let isEmpty = true;
  let afterReturn = false;
  const end = () => {
    if (first <= skip) return;
    if (isEmpty) {
      counts.emptyLines += 1;
      return;
    }
    counts.rows += 1;
    usual ||= fields;
    if (fields > counts.maxFields) counts.maxFields = fields;
    if (fields === usual) return;
    counts.oddRows += 1;
    if (oddLines.length < MAX_LINES) oddLines.push(first);
  };
  let at = 0;
  for await (const bytes of createReadStream(file, { signal, highWaterMark: 2 ** 20 }))
    for (const byte of bytes as Buffer) {
      at += 1;
      if (at <= 3 && byte === [0xef, 0xbb, 0xbf][at - 1]) continue;
      const isNewLine = byte === 10 ? !afterReturn : byte === 13;
      const isSecond = byte === 10 && afterReturn;
      afterReturn = byte === 13;
      if (isNewLine) line += 1;
      if (state === 4) state = 2;
      else if (state === 2) {
        if (isNewLine) counts.hasLineBreaks = true;
        else if (byte === 34) state = 3;
        else if (byte === 92 && quoting === 'backslash') state = 4;
      } else if (isNewLine) {
        end();
        [fields, first, state, isEmpty] = [1, line, 0, true];
      } else if (isSecond) continue;
      else {
        isEmpty = false;
        if (byte === separator) {
          fields += 1;
          state = 0;
        } else if (byte === 34 && quoting !== 'none' && state === 0) state = 2;
        else if (state === 3) {
          if (byte === 34 && quoting === 'double') state = 2;
          else isBroken ||= byte !== 32;
        } else state = 1;
      }
    }
  if (!isEmpty || state !== 0) end();
  return { ...counts, oddLines, isBroken: isBroken || state === 2 };
}
