/** Reads the sheets of an Excel workbook (Office Open XML) row by row. */
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { excelDate, isoKindOf } from './dates.ts';
import { MISSING_WORDS } from './delimited/columns.ts';
import { type Guesses, headerLines } from './guesses.ts';
import { FileProblem } from './problem.ts';
import { plainText, readWorkbookParts, type WorkbookParts } from './sheet-parts.ts';
import type { TableSource } from './table-source.ts';
import type { TypedTable, ValueKind } from './typed-table.ts';
import { damagedZip, readXml, type XmlHandlers } from './xml.ts';

/** Maximum number of parts. Workbooks have a few for each sheet. */
const MAX_PARTS = 10_000;

/**
 * Opens a workbook. Throws a {@link FileProblem} if it is none.
 * @param limit maximum size of its unpacked parts, in bytes
 */
export async function openWorkbook(file: string, limit: number): Promise<TableSource> {
  const zip = await openPromise(file, { autoClose: false }).catch(() => {
    throw new FileProblem(
      "isn't an Excel workbook, or it is damaged. Open it in Excel and save it again.",
    );
  });
  try {
    const entries = await entriesOf(zip, limit);
    const open = async (path: string) => {
      const entry = entries.get(path);
      return (
        entry &&
        zip.openReadStreamPromise(entry).catch((error: unknown) => {
          throw damagedZip(error);
        })
      );
    };
    const parts = await readWorkbookParts(open);
    const skipped: TableSource['skipped'] = [];
    const tables = parts.sheets.map((sheet) => ({
      name: sheet.name,
      read: async (table: TypedTable, guesses: Guesses) => {
        const stream = await open(sheet.path);
        if (!stream) throw new FileProblem('is damaged: a sheet is missing.');
        return readSheet(stream, parts, table, guesses, {
          merged: async () => mergedRows(await open(sheet.path)),
          onSkip: (reason) => skipped.push({ name: sheet.name, reason }),
        });
      },
    }));
    return { kind: 'sheet', tables, skipped, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function entriesOf(zip: ZipFile, limit: number): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_PARTS)
    throw new FileProblem(`has more than ${MAX_PARTS.toLocaleString('en-US')} parts.`);
  const entries = new Map<string, Entry>();
  let bytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      // Pictures are not read.
      if (!/\.(xml|rels|bin)$/i.test(entry.fileName)) continue;
      bytes += entry.uncompressedSize;
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    throw damagedZip(error);
  }
  // yauzl ends a stream that is longer than the entry says.
  if (bytes > limit)
    throw new FileProblem(
      `has ${bytes.toLocaleString('en-US')} bytes when it is unpacked. The limit of the server ` +
        `for a data file is ${limit.toLocaleString('en-US')}. Save the sheet that you need as CSV.`,
    );
  return entries;
}

/** Returns the number of a cell's column, from 0; -1 if the reference has none. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

function lettersOf(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest === 0 ? '' : lettersOf(rest - 1)) + String.fromCharCode(65 + (column % 26));
}

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

interface Cell {
  readonly kind: ValueKind;
  readonly text: string;
}

/** Returns the value of a cell; undefined if it is empty or an error. */
function cellValue(
  type: string,
  style: number,
  text: string,
  { texts, formats, from1904 }: WorkbookParts,
): Cell | undefined {
  const asText = (value: string | undefined): Cell | undefined =>
    value ? { kind: MISSING_WORDS.includes(value) ? 'missing' : 'text', text: value } : undefined;
  if (text === '' || type === 'e') return undefined;
  if (type === 's') return asText(texts[Number(text)]);
  if (type === 'str' || type === 'inlineStr') return asText(plainText(text));
  if (type === 'b') return { kind: 'boolean', text: text === '1' ? 'true' : 'false' };
  if (type === 'd') {
    const kind = isoKindOf(text.replace(/Z$/, ''));
    return kind ? { kind, text: text.replace(/Z$/, '') } : asText(text);
  }
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(number)) return asText(text);
  const format = formats[style];
  const date = format && excelDate(number, format, from1904);
  if (date) return date;
  return /^-?\d{1,18}$/.test(text)
    ? { kind: 'integer', text }
    : { kind: 'number', text: String(number) };
}

type Row = ReadonlyMap<number, Cell>;

/** Maximum number of rows with one text above a table. */
const MAX_TITLES = 20;
/** More empty rows between others are left out. */
const MAX_GAP = 1_000;
const isText = ({ kind }: Cell): boolean => kind === 'text' || kind === 'missing';
const isYear = (cell: Cell | undefined): boolean =>
  cell?.kind === 'integer' && /^(?:1[89]|20|21)\d\d$/.test(cell.text);

/** Whether a row has names: texts, and perhaps years that aren't values of their columns. */
function isHeader(row: Row, next: Row | undefined): boolean {
  const cells = [...row];
  return (
    cells.some(([, cell]) => isText(cell)) &&
    cells.every(([at, cell]) => isText(cell) || (isYear(cell) && !isYear(next?.get(at))))
  );
}

/** Whether the next row may have names below the names of groups. */
const isBelowGroups = (row: Row, next: Row): boolean =>
  [...next].some(([at]) => !row.has(at)) &&
  [...next.values()].every((cell) => isText(cell) || isYear(cell));

const NO_ROWS: MergedRows = new Set();

/**
 * Whether some of the first names are above values that are no texts.
 * @param groups names of groups, if no merged cells show their columns: then a column without one
 *   must have no other values
 */
const isAboveValues = (
  [names, ...rows]: readonly { readonly cells: Row }[],
  groups?: Row,
): boolean =>
  [...(names?.cells ?? [])].some(([at, name]) => {
    const values = rows.flatMap(({ cells }) => cells.get(at) ?? []);
    const isValue = (value: Cell) => !isText(value) && !(isYear(name) && isYear(value));
    if (!groups) return values.some(isValue);
    return !groups.has(at) && name.kind !== 'missing' && values[0] && values.every(isValue);
  });

/** Joins the names of groups and of their columns, as in `Sales 2024`. */
function groupedNames(groups: Row, row: Row, width: number): Map<number, string> {
  const names = new Map<number, string>();
  let group = '';
  for (let at = 0; at <= width; at += 1) {
    const above = groups.get(at)?.text.trim();
    const own = row.get(at)?.text.trim();
    if (above !== undefined) group = own === undefined ? '' : above;
    names.set(at, [above ?? group, own ?? ''].filter(Boolean).join(' '));
  }
  return names;
}

/** Numbers of the rows in which cells of several columns are merged. */
type MergedRows = ReadonlySet<number> | undefined;

/** Returns the merged rows of a sheet; undefined if it has no merged cells. */
async function mergedRows(stream: Readable | undefined): Promise<MergedRows> {
  let rows: Set<number> | undefined;
  let text = '';
  for await (const piece of stream?.setEncoding('utf8') ?? []) {
    text += piece as string;
    for (const [, left, row, right] of text.matchAll(MERGED)) {
      rows ??= new Set();
      if (left !== right) rows.add(Number(row));
    }
    text = text.slice(text.lastIndexOf('<'));
  }
  return rows;
}

const MERGED = /<(?:\w+:)?mergeCell [^>]*?ref="([A-Z]+)(\d+):([A-Z]+)\d+"[^>]*>/g;

/** A part of a sheet: columns from 0 and numbers of rows. */
interface Range {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Reads a range such as `B3:F200` or `B:F`; undefined for the whole sheet. */
function rangeOf(text: string): Range | undefined {
  if (text.trim() === '') return undefined;
  const parts = /^\s*([A-Z]{1,3})(\d{0,7}):([A-Z]{1,3})(\d{0,7})\s*$/i.exec(text);
  if (!parts) throw new FileProblem(`has no range ${text}. Write it like B3:F200 or B:F.`);
  const [, left, top, right, bottom] = parts.map((part) => part.toUpperCase());
  return {
    left: columnOf(left!),
    right: columnOf(right!),
    top: Number(top),
    bottom: bottom === '' ? Number.POSITIVE_INFINITY : Number(bottom),
  };
}

const cellsIn = ({ left, right, top, bottom }: Range, row: Row, number: number) =>
  new Map(
    number < top || number > bottom
      ? []
      : [...row].flatMap(([at, cell]) =>
          at < left || at > right ? [] : [[at - left, cell] as const],
        ),
  );

/**
 * Reads a sheet into a table and returns the names of its columns. The first row of several cells
 * has the names if they are texts and years; otherwise the columns are A, B, C. If some of its
 * cells are merged, or empty above names, the second one may have names as well. Rows above it that
 * have one text are titles. Empty rows are rows if others with values precede and follow.
 */
async function readSheet(
  stream: Readable,
  parts: WorkbookParts,
  table: TypedTable,
  guesses: Guesses,
  {
    merged,
    onSkip,
  }: {
    readonly merged: () => Promise<MergedRows>;
    readonly onSkip: (what: string) => void;
  },
): Promise<string[] | undefined> {
  const range = rangeOf(guesses.take('range', '', []));
  const chosen = guesses.chosen('header');
  const lastHeaderRow = Number(chosen?.split('-').at(-1));
  let names: Map<number, string> | undefined;
  /** Rows in the head when its header depends on merged cells, which are at the end of a sheet. */
  let uncertain = 0;
  /** The first rows, until the header is certain. */
  let head: { readonly number: number; readonly cells: Row }[] = [];
  let row = new Map<number, Cell>();
  /** Number of the row. */
  let number = 0;
  /** Number of the last row in the table. */
  let last: number | undefined;
  let width = 0;
  let column = -1;
  let type = '';
  let style = 0;
  let text = '';
  let isValue = false;
  let isPhonetic = false;
  let isFormula = false;
  let unknownResults = 0;
  const add = (at: number, cells: Row): void => {
    const gap = last === undefined ? 0 : at - last - 1;
    if (gap > MAX_GAP) onSkip(`${gap} empty rows above row ${at}`);
    else for (let empty = 0; empty < gap; empty += 1) table.endRow();
    for (const [column, { kind, text: value }] of cells) table.set(column, kind, value);
    table.endRow();
    last = at;
  };
  const readHead = (groups: MergedRows): void => {
    const first =
      chosen === 'none'
        ? 0
        : Math.max(
            0,
            head.findIndex(({ number: at, cells }) =>
              chosen === undefined ? cells.size > 1 : at >= Number.parseInt(chosen, 10),
            ),
          );
    const titles = head.slice(0, first).flatMap(({ cells }) => [...cells.values()]);
    const [header, ...rest] = head.slice(first);
    names = new Map();
    if (header === undefined) return;
    const [below] = rest;
    const hasNames =
      chosen === undefined ? isHeader(header.cells, below?.cells) : chosen !== 'none';
    const hasGroups =
      chosen === undefined
        ? hasNames &&
          (groups?.has(header.number) ?? true) &&
          isAboveValues(rest, groups ? undefined : header.cells)
        : chosen.includes('-');
    const both = `${header.number}-${below?.number}`;
    guesses.take('header', hasGroups ? both : hasNames ? String(header.number) : 'none', [
      ...headerLines,
      ...(below ? [both] : []),
    ]);
    if (titles.length > 0)
      onSkip(`above the header: ${titles.map(({ text: title }) => title).join(' / ')}`);
    if (hasGroups && below) {
      names = groupedNames(header.cells, below.cells, width);
      table.remarks.push(`the names are in the rows ${header.number} and ${below.number}`);
      table.widen(width);
      rest.shift();
    } else if (hasNames) {
      for (const [at, cell] of header.cells) names.set(at, cell.text.trim());
      table.widen(width);
    } else add(header.number, header.cells);
    for (const { number: at, cells } of rest) add(at, cells);
    head = [];
  };
  const endRow = (): void => {
    if (range) row = cellsIn(range, row, number);
    if (row.size === 0) return;
    width = Math.max(width, ...row.keys());
    const cells = row;
    row = new Map();
    if (names !== undefined) return add(number, cells);
    head.push({ number, cells });
    if (uncertain > 0) return;
    if (chosen !== undefined) {
      if (chosen === 'none' || number >= lastHeaderRow) readHead(NO_ROWS);
      return;
    }
    const [only] = cells.values();
    const isTitle = cells.size === 1 && only !== undefined && isText(only);
    const before = head.at(-2)?.cells;
    if (before && before.size > 1) {
      if (isHeader(before, cells) && isBelowGroups(before, cells)) uncertain = head.length;
      else readHead(NO_ROWS);
    } else if (cells.size === 1 && (!isTitle || head.length > MAX_TITLES)) readHead(NO_ROWS);
  };
  const handlers: XmlHandlers = {
    open(name, attributes) {
      if (name === 'c') {
        column = attributes['r'] === undefined ? column + 1 : columnOf(attributes['r']);
        type = attributes['t'] ?? 'n';
        style = Number(attributes['s'] ?? 0);
        text = '';
        isFormula = false;
      } else if (name === 'f') isFormula = true;
      else if (name === 'row') {
        column = -1;
        number = Number(attributes['r'] ?? number + 1);
      } else if (name === 'rPh') isPhonetic = true;
      else if ((name === 'v' || name === 't') && !isPhonetic) isValue = true;
    },
    text(piece) {
      if (isValue) text += piece;
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false;
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 'row') endRow();
      else if (name === 'c' && column >= 0) {
        const value = cellValue(type, style, text, parts);
        if (value) row.set(column, value);
        else if (isFormula && text === '') unknownResults += 1;
      }
    },
    async pause() {
      if (names === undefined && uncertain > 0 && head.length > uncertain) readHead(await merged());
      if (table.isFull) await table.flush();
    },
  };
  await readXml(stream, handlers);
  if (names === undefined && head.length > 0) readHead(uncertain > 0 ? await merged() : NO_ROWS);
  if (unknownResults > 0)
    onSkip(
      `${unknownResults} ${unknownResults === 1 ? 'formula' : 'formulas'} without a stored ` +
        'result. Save the workbook in Excel first',
    );
  const found = names as Map<number, string> | undefined;
  return (
    found &&
    Array.from(
      { length: width + 1 },
      (_, at) => found.get(at) || lettersOf(at + (range?.left ?? 0)),
    )
  );
}
