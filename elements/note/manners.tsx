import { useEffect, useRef, type ReactNode } from 'react';
import { isHttpError } from 'tiding/client';
import { tell } from '../runtime/define-element.ts';
import { useSelect } from '../runtime/hooks.ts';
import { text } from '../text/en.ts';
import { useServerWords } from '../ui/server-words.tsx';
import type { NoteView } from './view.tsx';

/** How long texts that are on their way to the server are waited for before leaving asks, in ms. */
const SAVING_MS = 1_500;

/** How long a dialog that closes needs to give the focus away, in ms. */
const RETURN_MS = 100;

/**
 * What the page of a note does by itself: it shows what the server says unasked, asks before unsaved text is left, and goes
 * when the note is gone.
 */
export function Manners({ view }: { view: NoteView }): ReactNode {
  const { client, note, host } = view;
  useLeaving(view);
  useGone(view);
  return useServerWords(client, note.id, {
    host,
    toast: view.hint,
    onLogin: (message) => tell(host, 'tiding-sign-in-wanted', { message }),
    onCancel: () => tell(host, 'tiding-note-left', { noteId: note.id }),
    onClose: view.close,
  });
}

/**
 * Asks before unsaved text is left (specification: Stay or Leave, and Leave discards). The page around calls the element's
 * `mayLeave()` before it shows something else; for the tab itself the browser asks.
 */
function useLeaving(view: NoteView): void {
  const { note, host } = view;
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (!note.dirty) return;
      event.preventDefault();
      // Browsers of today ask in words of their own.
      event.returnValue = text.leave.reload;
    };
    let asking: Promise<boolean> | undefined;
    const element = host as HTMLElement & { mayLeave?: (() => Promise<boolean>) | undefined };
    const mine = () => (asking ??= mayLeave(view).finally(() => (asking = undefined)));
    element.mayLeave = mine;
    window.addEventListener('beforeunload', warn);
    return () => {
      window.removeEventListener('beforeunload', warn);
      if (element.mayLeave === mine) element.mayLeave = undefined;
      // A host page that takes the element away without asking: what can be saved is, and the journal has the rest.
      void note.commit({ timeout: 5_000 }).catch(() => {});
    };
  }, [view, note, host]);
}

async function mayLeave(view: NoteView): Promise<boolean> {
  const { note } = view;
  if (!note.dirty) return true;
  // Leaving an editor saves it: what is on its way needs no question.
  const isSaving = () =>
    Object.values(note.state.paragraphs).every(
      ({ draft, inFlight, conflict }) =>
        draft === undefined || (!conflict && inFlight.some((sent) => sent.text === draft)),
    );
  if (isSaving()) {
    await note.commit({ timeout: SAVING_MS }).catch(() => {});
    if (!note.dirty) return true;
  }
  view.leaving = true;
  const leaves = await view.ask({
    title: text.leave.title,
    text: text.leave.text,
    action: text.leave.leave,
    cancel: text.leave.stay,
  });
  if (leaves) note.discard();
  else stay(view);
  return leaves;
}

/** Who stays goes on where he was typing. The dialog that closes moves the focus about: that saves nothing either, until he does something. */
function stay(view: NoteView): void {
  setTimeout(() => view.editors.get(view.state.get().focused ?? '')?.current?.focus(), RETURN_MS);
  const end = () => {
    view.leaving = false;
    for (const type of ['keydown', 'pointerdown'])
      window.removeEventListener(type, end, { capture: true });
  };
  for (const type of ['keydown', 'pointerdown'])
    window.addEventListener(type, end, { capture: true });
}

/** A note that somebody removed while it was open: the page goes home (specification). */
function useGone({ client, note, host, hint }: NoteView): void {
  const phase = useSelect(client, (state) => state.open[note.id]?.phase, undefined);
  const left = useRef(false);
  useEffect(() => {
    const leave = () => {
      if (left.current) return;
      left.current = true;
      hint(text.gone);
      tell(host, 'tiding-note-left', { noteId: note.id });
    };
    if (phase === 'missing') leave();
    // Upstream says nothing on the note itself: it is no more in the list. Whether that is so is asked for.
    let listed = client.state.notes?.some(({ id }) => id === note.id) ?? false;
    return client.on('notes-listed', ({ notes }) => {
      const before = listed;
      listed = notes.some(({ id }) => id === note.id);
      if (!before || listed) return;
      client.call('getNote', { params: { noteId: note.id } }).catch((error: unknown) => {
        if (isHttpError(error, 404)) leave();
      });
    });
  }, [client, note, host, hint, phase]);
}
