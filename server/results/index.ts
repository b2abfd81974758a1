/**
 * Exported results: tables of paragraphs, identified by
 * `<noteId>.<paragraphId>.<index of the output>`. A result is the complete table if the server
 * stores it (`store.ts`), else the rows in the output. It exists for as long as its output.
 */
import { formatDate, isRunning, parseDate } from '@tiding/client/model';
import type { Paragraph } from '@tiding/client/protocol';
import type { ActingUser, NotePermissions } from '../auth/permissions.ts';
import { Refusal } from '../base/errors.ts';
import type { NoteRepository } from '../notes/repository.ts';
import type { ResultFormat } from './formats.ts';
import type { ResultStore } from './store.ts';
import type { StoredTable } from './stored-table.ts';
import { TextTable } from './text-table.ts';

/** An id of a result, in its three parts. */
const idShape = /^([0-9A-Za-z_-]{1,64})\.([0-9A-Za-z_-]{1,64})\.(0|[1-9]\d{0,3})$/;

/** Returns the parts of an id of a result; empty texts if it is not one. */
export function partsOf(resultId: string): { noteId: string; paragraphId: string; index: number } {
  const [, noteId = '', paragraphId = '', index = ''] = idShape.exec(resultId) ?? [];
  return { noteId, paragraphId, index: Number(index) };
}

/** Returns the end of the run that made a paragraph's tables. */
export const madeAt = ({
  dateFinished,
  dateUpdated,
}: Pick<Paragraph, 'dateFinished' | 'dateUpdated'>): Date =>
  parseDate(dateFinished) ?? parseDate(dateUpdated) ?? new Date(0);

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
): { made: Date; table: StoredTable } {
  const { noteId, paragraphId, index } = partsOf(resultId);
  const note = notes.find(noteId);
  if (note) permissions.require(person, note.id, 'reader');
  const paragraph = note?.paragraphs.find(({ id }) => id === paragraphId);
  if (!note || !paragraph) throw new Refusal(404, 'There is no result with this id.');
  const running = isRunning(paragraph.status);
  const output = (running ? results.previous.get(paragraph) : paragraph.results)?.msg?.[index];
  if (running && !(previous && output?.type === 'TABLE'))
    throw new Refusal(423, 'The paragraph is running. Its result is not complete yet.');
  if (output?.type !== 'TABLE')
    throw new Refusal(410, 'This result is no longer available. Run the paragraph again.');
  return {
    made: madeAt(paragraph),
    table: results.find(note.id, paragraph.id, index, output) ?? new TextTable(output.data),
  };
}

/** Returns the file name, with the time of the table in UTC. */
export const resultFileName = (made: Date, { extension }: ResultFormat): string =>
  `magpie_export_${formatDate(made, 'YYYYMMDD_HHmmss', { utc: true })}.${extension}`;
