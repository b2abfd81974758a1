import { isHttpError } from '@tiding/client';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { emitEvent } from '../runtime/define-element.ts';
import type { ServerMessage } from '../runtime/hooks.ts';
import { useMayLeave } from '../runtime/methods.ts';
import { commonTexts } from '../text/common.ts';
import { useServerMessages } from '../ui/server-messages.tsx';
import { leaveTexts } from './texts.ts';
import { type NoteUi, useNoteState, useNoteUi } from './ui/note-ui.ts';

/** How long leaving waits for texts that are being saved before it asks, in ms. */
const SAVE_WAIT_MS = 1_500;

/** Time a closing dialog needs to return the focus, in ms. */
const FOCUS_RETURN_MS = 100;

/**
 * Page behaviour of a note: shows unsolicited server messages, asks before unsaved text is lost,
 * and notifies the host page when the note is removed.
 */
export function PageEffects({ early }: { early: ServerMessage[] }): ReactNode {
  const ui = useNoteUi();
  const { client, note, host } = ui;
  useLeaving(ui);
  useGone(ui);
  return useServerMessages(client, note.id, {
    host,
    toast: ui.messages.info,
    onLogin: (message) => emitEvent(host, 'tiding-sign-in-wanted', { message }),
    onCancel: () => emitEvent(host, 'tiding-note-left', { noteId: note.id }),
    onClose: ui.dialogs.close,
    early,
  });
}

/**
 * Asks before unsaved text is lost (specification: Stay or Leave, where Leave discards it). The
 * host page calls the element's `mayLeave()` before it shows something else; for closing the tab,
 * the browser asks.
 */
function useLeaving(ui: NoteUi): void {
  const { note, host } = ui;
  useMayLeave(
    host,
    useCallback(() => mayLeave(ui), [ui]),
  );
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (!note.dirty) return;
      event.preventDefault();
      // Current browsers ignore this text and show their own.
      event.returnValue = leaveTexts.reload;
    };
    window.addEventListener('beforeunload', warn);
    return () => {
      window.removeEventListener('beforeunload', warn);
      // The host page removed the element without asking: save what can be saved. The rest stays in
      // the journal.
      void note.commit({ timeout: 5_000 }).catch(() => {});
    };
  }, [note]);
}

async function mayLeave(ui: NoteUi): Promise<boolean> {
  const { note } = ui;
  if (!note.dirty) return true;
  // Leaving an editor saves its text, so text that is being saved needs no question.
  const isSaving = () =>
    Object.values(note.state.paragraphs).every(
      ({ draft, inFlight, conflict }) =>
        draft === undefined || (!conflict && inFlight.some((sent) => sent.text === draft)),
    );
  if (isSaving()) {
    await note.commit({ timeout: SAVE_WAIT_MS }).catch(() => {});
    if (!note.dirty) return true;
  }
  const resumeSaving = ui.editors.pauseSaving();
  const leaves = await ui.dialogs.ask({
    title: leaveTexts.title,
    text: leaveTexts.text,
    action: leaveTexts.leave,
    cancel: leaveTexts.stay,
  });
  if (leaves) note.discard();
  else stay(ui, resumeSaving);
  return leaves;
}

/**
 * Returns the cursor to the editor after the user chose to stay. The closing dialog moves the focus
 * around, so blur events must not save the text until the user acts again.
 */
function stay(ui: NoteUi, resumeSaving: () => void): void {
  setTimeout(() => ui.editors.get(ui.focus.id)?.focus(), FOCUS_RETURN_MS);
  const stayed = new AbortController();
  const end = () => {
    resumeSaving();
    stayed.abort();
  };
  for (const type of ['keydown', 'pointerdown'])
    window.addEventListener(type, end, { capture: true, signal: stayed.signal });
}

/**
 * Notifies the host page that a note was removed while open, so that it can go home
 * (specification).
 */
function useGone(ui: NoteUi): void {
  const { client, note, host, messages } = ui;
  const phase = useNoteState(ui, (now) => now?.phase);
  const left = useRef(false);
  useEffect(() => {
    const leave = () => {
      if (left.current) return;
      left.current = true;
      messages.info(commonTexts.gone);
      emitEvent(host, 'tiding-note-left', { noteId: note.id });
    };
    if (phase === 'missing') leave();
    // Zeppelin does not announce the removal of an open note; the note only disappears
    // from the list. So ask the server whether the note still exists.
    let listed = client.state.notes?.some(({ id }) => id === note.id) ?? false;
    return client.on('notes-listed', ({ notes }) => {
      const before = listed;
      listed = notes.some(({ id }) => id === note.id);
      if (!before || listed) return;
      client.call('getNote', { params: { noteId: note.id } }).catch((error: unknown) => {
        if (isHttpError(error, 404)) leave();
      });
    });
  }, [client, note, host, messages, phase]);
}
