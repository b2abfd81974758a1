/**
 * Exported results: a paragraph's table under an id that says where it is, `<noteId>.<paragraphId>.<index of the output>`.
 * It is the whole table where the server keeps that (`store.ts`), else what the output shows; it is there as long as its output is.
 */
import { formatDate, isRunning, parseDate } from 'tiding/model';
import type { Person } from '../auth/permissions.ts';
import type { ServerContext } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { StoredNote, StoredParagraph } from '../notes/note.ts';
import type { ResultFormat } from './formats.ts';
import { tableSource, type TableSource } from './rows.ts';
import type { StoredTable } from './stored-table.ts';

/** What is known of an export. */
export interface ResultInfo {
  readonly resultId: string;
  readonly noteId: string;
  readonly paragraphId: string;
  /** Number of the output, from 0. */
  readonly index: number;
  /** `DelimitedText`: as a table it can be had as CSV, and in the other formats. */
  readonly format: 'DelimitedText';
  /** End of the run that made the table, ISO 8601 UTC. */
  readonly createTimestamp: string;
}

const idShape = /^([0-9A-Za-z_-]{1,64})\.([0-9A-Za-z_-]{1,64})\.(0|[1-9]\d{0,3})$/;

function infoOf(note: StoredNote, paragraph: StoredParagraph, index: number): ResultInfo {
  const created =
    parseDate(paragraph.dateFinished) ?? parseDate(paragraph.dateUpdated) ?? new Date(0);
  return {
    resultId: `${note.id}.${paragraph.id}.${index}`,
    noteId: note.id,
    paragraphId: paragraph.id,
    index,
    format: 'DelimitedText',
    createTimestamp: created.toISOString(),
  };
}

/**
 * The export and its table. Refuses with 404 an id of nothing, with 403 a note that the person may not read, with 409 while
 * the paragraph runs, with 410 where the table is gone.
 */
export function findResult(
  resultId: string,
  person: Person,
  { notes, permissions, results }: Pick<ServerContext, 'notes' | 'permissions' | 'results'>,
): { info: ResultInfo; table: TableSource | StoredTable } {
  const [, noteId = '', paragraphId = '', number = ''] = idShape.exec(resultId) ?? [];
  const note = notes.find(noteId);
  if (note) permissions.require(person, note.id, 'reader');
  const paragraph = note?.paragraphs.find(({ id }) => id === paragraphId);
  if (!note || !paragraph) throw new Refusal(404, 'There is no such result.');
  if (isRunning(paragraph.status))
    throw new Refusal(409, 'The paragraph is running: its result is still being written.');
  const index = Number(number);
  const output = paragraph.results?.msg?.[index];
  if (output?.type !== 'TABLE')
    throw new Refusal(410, 'This result is gone: run the paragraph again.');
  return {
    info: infoOf(note, paragraph, index),
    table: results.find(note.id, paragraph.id, index, output) ?? tableSource(output.data),
  };
}

/** Name of the file, with the time of the table in UTC. */
export const resultFileName = (
  { createTimestamp }: ResultInfo,
  { extension }: ResultFormat,
): string =>
  `magpie_export_${formatDate(new Date(createTimestamp), 'YYYYMMDD_HHmmss', { utc: true })}.${extension}`;
