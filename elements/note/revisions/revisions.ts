/** Revisions as the page of a note names them, goes to them and sets them. */
import { HEAD } from 'tiding/client';
import { formatDate } from 'tiding/model';
import type { Revision } from 'tiding/protocol';
import { tell } from '../../runtime/define-element.ts';
import { text } from '../../text/en.ts';
import type { NoteView } from '../view.tsx';

const t = text.revisions;
/** Of a list, and to the second where two are compared (specification). */
export const LIST_DATE = 'MMMM Do YYYY, h:mm a';
export const EXACT_DATE = 'MMMM Do YYYY, h:mm:ss a';

/** What a revision is called: the first line of its message. */
export function nameOf({ id, message }: Revision): string {
  return id === HEAD ? t.head : message?.trim().split('\n', 1)[0] || t.nameless;
}

/** When it was made, by a pattern of the specification; `''` of Head and of one without a time. */
export const dateOf = ({ time }: Revision, pattern: string): string =>
  time === undefined ? '' : formatDate(new Date(time * 1_000), pattern);

/** Name of the revision that is shown. */
export function currentName({ note, state }: NoteView): string {
  if (note.revision === undefined) return t.head;
  const found = state.get().revisions?.find(({ id }) => id === note.revision);
  return found ? nameOf(found) : note.revision.slice(0, 8);
}

/** Reads the list anew. */
export async function reloadRevisions(view: NoteView): Promise<void> {
  view.state.set({ revisions: await view.note.revisions.list() });
}

/** Goes to a revision, or for Head to the note itself: the page is asked, and goes there itself when it does not. */
export function goToRevision(view: NoteView, id: string): void {
  const { noteId, revision } = view.note;
  if (id === '') return view.fail(t.problem);
  if (id === (revision ?? HEAD)) return;
  const head = id === HEAD;
  if (!tell(view.host, 'tiding-open-note', { noteId, ...(head ? {} : { revisionId: id }) })) return;
  location.assign(
    `${view.client.server}/#/notebook/${noteId}${head ? '' : `/revision/${encodeURIComponent(id)}`}`,
  );
}

/** Asks, saves what is typed, and makes a checkpoint; the field is emptied then. */
export async function commit(view: NoteView): Promise<void> {
  const message = view.state.get().commitMessage.trim();
  if (message === '' || !(await view.ask({ title: t.confirmCommit, action: t.commit }))) return;
  await view.act(async () => {
    await view.note.commit();
    view.state.set({ revisions: await view.note.revisions.checkpoint(message), commitMessage: '' });
    view.say(t.committed);
  });
}

/** Asks, and makes a revision the note's content. Answers whether that was done. */
export async function setAsHead(view: NoteView, id: string, question: string): Promise<boolean> {
  if (!(await view.ask({ title: question, text: t.setHint, action: t.set }))) return false;
  let done = false;
  await view.act(async () => {
    // What is typed is saved, not merged into what comes: it stays in the history of the note's texts.
    await view.note.commit();
    await view.note.revisions.setHead(id);
    done = true;
  });
  return done;
}
