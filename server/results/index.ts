/**
 * Exported results: tables of paragraphs, identified by
 * `<noteId>.<paragraphId>.<index of the output>`. A result is the complete table if the server
 * stores it (`store.ts`), else the rows in the output. It exists for as long as its output.
 */
import { formatDate, isRunning, parseDate } from '@tiding/client/model';
import type { ActingUser, NotePermissions } from '../auth/permissions.ts';
import { Refusal } from '../base/errors.ts';
import type { StoredNote, StoredParagraph } from '../notes/note.ts';
import type { NoteRepository } from '../notes/repository.ts';
import type { ResultFormat } from './formats.ts';
import type { ResultStore } from './store.ts';
import type { StoredTable } from './stored-table.ts';
import { TextTable } from './text-table.ts';

/** Metadata of an export. */
export interface ResultInfo {
  readonly resultId: string;
  readonly noteId: string;
  readonly paragraphId: string;
  /** Number of the output, from 0. */
  readonly index: number;
  /** Always `DelimitedText`. The table is available as CSV and in the other formats. */
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

/** Where a result is, and who may read it. */
interface Stores {
  readonly notes: NoteRepository;
  readonly permissions: NotePermissions;
  readonly results: ResultStore;
}

/**
 * Finds an export and its table. Throws 404 for an unknown id, 403 if the user may not read the
 * note, 423 while the paragraph is running, and 410 if the table is gone. With `previous`, a run in
 * progress does not matter to a table that it will replace.
 */
export function findResult(
  resultId: string,
  person: ActingUser,
  { notes, permissions, results }: Stores,
  previous: boolean,
): { info: ResultInfo; table: StoredTable } {
  const [, noteId = '', paragraphId = '', number = ''] = idShape.exec(resultId) ?? [];
  const note = notes.find(noteId);
  if (note) permissions.require(person, note.id, 'reader');
  const paragraph = note?.paragraphs.find(({ id }) => id === paragraphId);
  if (!note || !paragraph) throw new Refusal(404, 'There is no result with this id.');
  const index = Number(number);
  const running = isRunning(paragraph.status);
  const output = (running ? results.previous.get(paragraph) : paragraph.results)?.msg?.[index];
  if (running && !(previous && output?.type === 'TABLE'))
    throw new Refusal(423, 'The paragraph is running. Its result is not complete yet.');
  if (output?.type !== 'TABLE')
    throw new Refusal(410, 'This result is no longer available. Run the paragraph again.');
  return {
    info: infoOf(note, paragraph, index),
    table: results.find(note.id, paragraph.id, index, output) ?? new TextTable(output.data),
  };
}

/** Returns the file name, with the time of the table in UTC. */
export function resultFileName(
  { createTimestamp }: ResultInfo,
  { extension }: ResultFormat,
): string {
  const time = formatDate(new Date(createTimestamp), 'YYYYMMDD_HHmmss', { utc: true });
  return `magpie_export_${time}.${extension}`;
}
