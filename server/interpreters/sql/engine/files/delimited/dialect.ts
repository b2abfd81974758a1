/** Finds out how the rows of a delimited text file in UTF-8 are written. */
import { createReadStream } from 'node:fs';
import { bytesAt } from '../bytes-at.ts';

/** How fields are separated and quoted. */
export interface Dialect {
  readonly delimiter: string;
  /**
   * `double`: a quote in a quoted field is doubled; `none`: quotes are text; `single`: fields are
   * in single quotes, which isn't guessed.
   */
  readonly quoting: 'double' | 'backslash' | 'none' | 'single';
  /** `#`: lines that begin with it are left out. */
  readonly comment: '#' | 'none';
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
  /** How many lines end in a line feed, a return, and both. */
  readonly ends: readonly number[];
  /** Lines that begin with `#`. */
  readonly hashLines: number;
  /** Whether other rows have a `#` outside of quotes, behind which the engine would cut them. */
  readonly hasHash: boolean;
  /** Whether text follows a closing quote, or the last quote is not closed. */
  readonly isBroken: boolean;
}

/** The dialect of a file, and the rows of its beginning. */
export interface Layout extends Dialect {
  /** Line of the first row that is not a title. */
  readonly first: number;
  /** Titles, header, rows and comments. */
  readonly rows: readonly Row[];
}

const DELIMITERS = [',', ';', '\t', '|'];
/** Delimiters that can be chosen. The others also occur in texts and times. */
export const ALL_DELIMITERS = [...DELIMITERS, ':', ' '];
export const QUOTINGS = ['double', 'backslash', 'none', 'single'] as const;
const NUMBERS = /^[-+]?\d[\d.,]*(?: [-+]?\d[\d.,]*)*$/;
const HEAD_BYTES = 2 ** 18;
/** Odd rows whose lines are named. */
const MAX_LINES = 5;

/** A row and the line in which it begins. */
interface Row {
  readonly line: number;
  readonly fields: readonly string[];
}

/** Whether a row is a comment, in files that have them. */
export const isComment = ({ fields }: Row): boolean => fields[0]!.startsWith('#');

/** Guesses the dialect from the beginning of a file, except what was chosen. */
export async function layoutOf(
  file: string,
  chosen: Readonly<Partial<Record<keyof Dialect, string | undefined>>>,
): Promise<Layout> {
  const delimiters = chosen.delimiter === undefined ? DELIMITERS : [chosen.delimiter];
  const quotings = QUOTINGS.filter((each) => each === (chosen.quoting ?? each));
  const head = await bytesAt(file, 0, HEAD_BYTES);
  let text = head.toString('utf8').replace(/^\ufeff/, '');
  const isCut = head.length === HEAD_BYTES;
  if (isCut) text = text.replace(/[\r\n][^\r\n]*$/, '');
  const candidates = delimiters.flatMap((delimiter) => {
    for (const quoting of quotings) {
      const { rows, isBroken } = parse(text, { delimiter, quoting }, isCut);
      if (isBroken && quoting !== 'none' && quotings.length > 1) continue;
      const table = commentedTable(rows, chosen.comment);
      return table ? [{ delimiter, quoting, rows, ...table }] : [];
    }
    return [];
  });
  // Commas that are all between digits are decimal signs if there is another delimiter.
  const areDecimal = candidates.length > 1 && !/(?<!\d),|,(?!\d)/.test(text);
  const [best] = candidates
    .filter(({ delimiter }) => delimiter !== ',' || !areDecimal)
    .sort((a, b) => b.share - a.share || a.first - b.first || b.fields - a.fields);
  if (best) return best;
  // A table of one column, or of numbers between spaces.
  const delimiter =
    chosen.delimiter ??
    (hasSpaces(text) ? ' ' : (delimiters.find((each) => !text.includes(each)) ?? delimiters[0]!));
  const quoting =
    quotings.find((each) => !parse(text, { delimiter, quoting: each }, isCut).isBroken) ??
    quotings[0]!;
  const { rows } = parse(text, { delimiter, quoting }, isCut);
  const comment = chosen.comment === '#' ? '#' : 'none';
  const first = comment === '#' ? rows.find((row) => !isComment(row)) : rows[0];
  return { delimiter, quoting, comment, first: first?.line ?? 1, rows };
}

/** Whether lines have the same number of numbers between single spaces, below a header or not. */
function hasSpaces(text: string): boolean {
  const [head = '', ...lines] = text.split(/[\r\n]+/).filter((line) => line !== '');
  const rows = lines.length === 0 ? [head] : lines;
  const width = head.split(' ').length;
  const isThousands = (line: string) => /^\d{1,3}(?: \d{3})+$/.test(line);
  return (
    width > 1 &&
    rows.every((line) => line.split(' ').length === width && NUMBERS.test(line)) &&
    !rows.every(isThousands)
  );
}

/** Returns a table, the line of its first row, and whether it has comments. */
function commentedTable(rows: readonly Row[], chosen: string | undefined) {
  const others = rows.filter((row) => !isComment(row));
  const plain = chosen === 'none' ? undefined : tableIn(others);
  const areComments =
    plain !== undefined &&
    (chosen === '#' ||
      (others.length < rows.length &&
        rows.every((row) => !isComment(row) || row.fields.length !== plain.fields)));
  const table = areComments ? plain : tableIn(rows);
  if (!table) return undefined;
  const { share, fields } = table;
  const first = table.rows[0]!.line;
  // Comments above a table are titles.
  const comment: Dialect['comment'] =
    areComments && (chosen === '#' || rows.some((row) => row.line > first && isComment(row)))
      ? '#'
      : 'none';
  return { share, fields, first, comment };
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

function parse(
  text: string,
  { delimiter, quoting }: Pick<Dialect, 'delimiter' | 'quoting'>,
  isCut: boolean,
) {
  const rows: Row[] = [];
  const quote = quoting === 'single' ? "'" : '"';
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
      else if (letter !== quote) field += letter;
      else if (quoting !== 'backslash' && text[at + 1] === quote) field += text[(at += 1)];
      else state = 'closed';
    } else if (letter === delimiter) {
      fields.push(field);
      field = '';
      state = 'start';
    } else if (isLine) {
      end();
      first = line;
    } else if (letter === '\r') continue;
    else if (letter === quote && state === 'start' && quoting !== 'none') state = 'quoted';
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
  { delimiter, quoting, comment }: Dialect,
  skip: number,
  signal: AbortSignal,
): Promise<RowCounts> {
  const separator = delimiter.charCodeAt(0);
  const quote = quoting === 'single' ? 39 : 34;
  const counts = { rows: 0, emptyLines: 0, maxFields: 0, oddRows: 0, hasLineBreaks: false };
  let [hashLines, hasHash] = [0, false];
  const ends = [0, 0, 0];
  const oddLines: number[] = [];
  let isBroken = false;
  let [usual, fields, line, first] = [0, 1, 1, 1];
  // 0: start of a field, 1: plain, 2: quoted, 3: after the closing quote, 4: after a backslash,
  // 5: comment
  let state = 0;
  let isEmpty = true;
  let afterReturn = false;
  const end = () => {
    if (first <= skip || state === 5) return;
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
      if (state !== 2 && isNewLine) ends[byte === 10 ? 0 : 1]! += 1;
      if (state !== 2 && isSecond) {
        ends[1]! -= 1;
        ends[2]! += 1;
      }
      afterReturn = byte === 13;
      if (isNewLine) line += 1;
      if (state === 4) state = 2;
      else if (state === 2) {
        if (isNewLine) counts.hasLineBreaks = true;
        else if (byte === quote) state = 3;
        else if (byte === 92 && quoting === 'backslash') state = 4;
      } else if (isNewLine) {
        end();
        [fields, first, state, isEmpty] = [1, line, 0, true];
      } else if (isSecond || state === 5) continue;
      else {
        if (byte === 35 && first > skip) {
          if (isEmpty) hashLines += 1;
          else hasHash = true;
        }
        if (byte === 35 && isEmpty && comment === '#') state = 5;
        isEmpty = false;
        if (state === 5) continue;
        if (byte === separator) {
          fields += 1;
          state = 0;
        } else if (byte === quote && quoting !== 'none' && state === 0) state = 2;
        else if (state === 3) {
          if (byte === quote && quoting !== 'backslash') state = 2;
          else isBroken ||= byte !== 32;
        } else state = 1;
      }
    }
  if (!isEmpty || state !== 0) end();
  return {
    ...counts,
    oddLines,
    ends,
    hashLines,
    hasHash,
    isBroken: isBroken || state === 2,
  };
}
