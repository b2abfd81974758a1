/** Reads tables and texts of results in bounded pieces. */
import type { Output, Paragraph } from '@tiding/client';
import {
  type ArrowDataType,
  ArrowTypeId,
  arrowFormat,
  hasArrowValue,
  textTableOf,
} from '@tiding/client/model';
import { z } from 'zod';

/** Characters of one cell; longer ones are cut. */
const MAX_CELL = 1_000;
/** Characters of all cells of one answer; further rows are left for the next call. */
const MAX_TABLE = 100_000;

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
type CellValue = z.infer<typeof cell>;

/** Rows of a table, with the columns and the position of the next rows. */
export const tablePage = {
  columns: z
    .array(z.object({ name: z.string(), type: z.string() }))
    .describe('Name and Arrow type of each column.'),
  rows: z.array(z.array(cell)).describe('Cells in the order of the columns.'),
  offset: z.number().describe('Position of the first of these rows, starting at 0.'),
  total: z.number().describe('Number of rows of the whole table.'),
  next_offset: z.number().optional().describe('Offset of the next rows. Absent at the end.'),
};
const tablePageSchema = z.object(tablePage);
type TablePage = z.infer<typeof tablePageSchema>;

function cellValue(type: ArrowDataType, text: string): CellValue {
  const { Bool, Int, Float } = ArrowTypeId;
  if (type.typeId === Bool) return text === 'true';
  if (type.typeId !== Int && type.typeId !== Float) return text;
  const number = Number(text);
  // Whole numbers that a double can't represent keep their digits as text, and so does -0, whose
  // sign gets lost on the wire.
  const isExact =
    Number.isSafeInteger(number) || (type.typeId === Float && Number.isFinite(number));
  return isExact && !Object.is(number, -0) ? number : text;
}

/** Shortens a text and says how much is missing. */
export function cut(text: string, max: number, hint = ''): string {
  if (text.length <= max) return text;
  // Don't split a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text[max - 1]!) ? max - 1 : max;
  return `${text.slice(0, end)}… (${text.length - end} more characters${hint})`;
}

/** Reads some rows of a TABLE output. */
export async function readPage(
  paragraph: Paragraph,
  index: number,
  { offset, limit, signal }: { offset: number; limit: number; signal: AbortSignal },
): Promise<TablePage> {
  const output = paragraph.outputs[index]!;
  const { schema, batches, total } = await paragraph.rows(index, { offset, limit, signal });
  const rows: CellValue[][] = [];
  let size = 0;
  reading: for await (const batch of batches) {
    const readers = batch.schema.fields.map(({ type }, at) => {
      const data = batch.data.children[at]!;
      const read = arrowFormat(type).text(data);
      return (row: number) =>
        hasArrowValue(data, row) ? cellValue(type, cut(read(row, MAX_CELL + 1), MAX_CELL)) : null;
    });
    for (let row = 0; row < batch.numRows; row += 1) {
      const cells = readers.map((read) => read(row));
      size += cells.reduce<number>((sum, each) => sum + String(each).length, 0);
      if (rows.length > 0 && size > MAX_TABLE) break reading;
      rows.push(cells);
    }
  }
  const all = total ?? textTableOf(output).rows.length;
  const next = offset + rows.length;
  return {
    columns: schema.fields.map(({ name, type }) => ({ name, type: String(type) })),
    rows,
    offset,
    total: all,
    ...(next < all && rows.length > 0 ? { next_offset: next } : {}),
  };
}

const markdownCell = (value: CellValue | undefined) =>
  (value === null || value === undefined ? '' : String(value))
    .replace(/\\/g, '\\\\')
    .replace(/\|/g, '\\|')
    .replace(/\r?\n/g, ' ');
const markdownRow = (cells: readonly (CellValue | undefined)[]) =>
  `| ${cells.map(markdownCell).join(' | ')} |`;

export function markdownTable(
  columns: readonly string[],
  rows: readonly (readonly (CellValue | undefined)[])[],
): string {
  return [
    markdownRow(columns),
    markdownRow(columns.map(() => '---')),
    ...rows.map((row) => markdownRow(columns.map((_, at) => row[at]))),
  ].join('\n');
}

/** Writes rows as Markdown, with a sentence that says how to get more. */
export function markdownPage(
  { columns, rows, offset, total, next_offset }: TablePage,
  more: string,
): string {
  const table = markdownTable(
    columns.map(({ name }) => name),
    rows,
  );
  if (offset === 0 && rows.length >= total) return `${table}\n\n${total} rows.`;
  const shown =
    rows.length === 0
      ? `No rows at ${offset} of ${total}.`
      : `Rows ${offset + 1} to ${offset + rows.length} of ${total}.`;
  return `${table}\n\n${shown}${
    next_offset === undefined ? '' : ` ${total - next_offset} more rows: ${more}.`
  }`;
}

export const isTable = ({ type }: Pick<Output, 'type'>): boolean => type === 'TABLE';
