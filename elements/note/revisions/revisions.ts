/** Names, navigation and commands for the revisions of a note. */
import { HEAD_REVISION_ID } from '@tiding/client';
import { formatDate } from '@tiding/client/model';
import type { Revision } from '@tiding/client/protocol';
import { emitEvent } from '../../runtime/define-element.ts';
import type { NoteUi } from '../ui/note-ui.ts';
import { revisionTexts as t } from './texts.ts';

/** Date formats: in lists, and with seconds where two revisions are compared (specification). */
export const LIST_DATE = 'MMMM Do YYYY, h:mm a';
export const EXACT_DATE = 'MMMM Do YYYY, h:mm:ss a';

/** Name of a revision: the first line of its message. */
export function revisionName({ id, message }: Revision): string {
  return id === HEAD_REVISION_ID ? t.head : message?.trim().split('\n', 1)[0] || t.nameless;
}

/** Creation time in the given format; empty for Head and for revisions without a time. */
export const revisionDate = ({ time }: Revision, pattern: string): string =>
  time === undefined ? '' : formatDate(new Date(time * 1_000), pattern);

/** Name of the revision being shown. */
export function currentName({ note, revisions }: NoteUi): string {
  if (note.revision === undefined) return t.head;
  const found = revisions.get().list?.find(({ id }) => id === note.revision);
  return found ? revisionName(found) : note.revision.slice(0, 8);
}

export async function reloadRevisions(ui: NoteUi): Promise<void> {
  ui.revisions.set({ list: await ui.note.revisions.list() });
}

/**
 * Opens a revision, or the note itself for Head. Emits `tiding-open-note` and navigates unless the
 * event is prevented.
 */
export function goToRevision(ui: NoteUi, id: string): void {
  const { noteId, revision } = ui.note;
  if (id === '') return ui.messages.error(t.problem);
  if (id === (revision ?? HEAD_REVISION_ID)) return;
  const head = id === HEAD_REVISION_ID;
  if (!emitEvent(ui.host, 'tiding-open-note', { noteId, ...(head ? {} : { revisionId: id }) }))
    return;
  location.assign(
    `${ui.client.server}/#/notebook/${noteId}${head ? '' : `/revision/${encodeURIComponent(id)}`}`,
  );
}

/** After confirmation, saves the note and creates a checkpoint, then clears the message field. */
export async function commit(ui: NoteUi): Promise<void> {
  const message = ui.revisions.get().message.trim();
  if (message === '') return;
  await ui.dialogs.confirm({ title: t.confirmCommit, action: t.commit }, async () => {
    await ui.note.commit();
    ui.revisions.set({ list: await ui.note.revisions.checkpoint(message), message: '' });
    ui.messages.success(t.committed);
  });
}

/**
 * After confirmation, replaces the note's content with a revision. Resolves to whether it was done.
 */
export async function setAsHead(ui: NoteUi, id: string, question: string): Promise<boolean> {
  if (!(await ui.dialogs.ask({ title: question, text: t.setHint, action: t.set }))) return false;
  return ui.messages.act(async () => {
    // Save typed text first, so that it stays in the history of the note and is not merged into the
    // restored revision.
    await ui.note.commit();
    await ui.note.revisions.setHead(id);
  });
}
