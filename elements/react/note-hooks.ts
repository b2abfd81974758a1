/** Hooks that read notes and paragraphs from the client's state. */
import {
  type Client,
  type Note,
  type NoteEntry,
  type NoteState,
  type Paragraph,
  type ParagraphState,
  TidingError,
} from '@tiding/client';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useOpenNote, useSelect, useSignedOut } from '../runtime/hooks.ts';
import { loadState, type RetryableState, useTask } from './load-state.ts';
import { useClient } from './use-client.ts';

/** Result of {@link useNotes}. */
export interface UseNotesResult extends RetryableState {
  /** The notes that the user may read, including those in the trash. */
  readonly notes: readonly NoteEntry[] | undefined;
}

/** Result of {@link useNote}. */
export interface UseNoteResult extends RetryableState {
  /** The open note, for commands such as `note.run()`. */
  readonly note: Note | undefined;
  /** Current state of the note. */
  readonly state: NoteState | undefined;
}

/** Result of {@link useParagraph}. */
export interface UseParagraphResult extends RetryableState {
  /** The paragraph, for commands such as `paragraph.run()`. */
  readonly paragraph: Paragraph | undefined;
  /** Current state of the paragraph, with its text, status and outputs. */
  readonly state: ParagraphState | undefined;
}

/**
 * Lists the notes that the user may read, and keeps the list up to date.
 *
 * @example
 * const { notes, status, error } = useNotes();
 */
export function useNotes(): UseNotesResult {
  const client = useClient();
  const signedOut = useSignedOut(client);
  const notes = useSelect(client, (state) => state.notes, undefined);
  const { error, retry } = useTask(client && ((signal) => client.notes.list({ signal })), [
    client,
    signedOut,
  ]);
  return { notes, ...loadState(error, notes !== undefined), retry };
}

/** An entry of a record by an id of unknown origin, such as `constructor`. */
const entryOf = <T>(record: Readonly<Record<string, T>> | undefined, key: string | undefined) =>
  record && key !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;

/** Opens a note; what was opened before is ignored while another note is opened. */
function useOpened(client: Client | undefined, noteId: string | undefined) {
  const { note, error, retry } = useOpenNote(client, noteId);
  return { note: note?.id === noteId ? note : undefined, error, retry };
}

/**
 * Opens a note while the component is mounted, and renders again when its state changes. With
 * `undefined`, nothing is opened. Components that use the same note share one connection.
 *
 * @example
 * const { note, state, status, error } = useNote('2A94M5J1Z');
 * if (error) return <p>{error.message}</p>;
 * return <button disabled={!note} onClick={() => note?.run()}>Run {state?.path}</button>;
 */
export function useNote(noteId: string | undefined): UseNoteResult {
  const client = useClient();
  const { note, error, retry } = useOpened(client, noteId);
  const current = useSelect(client, ({ open }) => entryOf(open, noteId), undefined);
  const state = note && current;
  // A note that was open is `missing` once somebody has deleted it.
  const gone = state?.phase === 'missing' ? state.error : undefined;
  const missing = useMemo(
    () => (gone === undefined ? undefined : new TidingError('not-found', gone)),
    [gone],
  );
  return {
    note,
    state,
    ...loadState(error ?? missing, note !== undefined, noteId !== undefined),
    retry,
  };
}

const never = () => () => {};

/**
 * Opens the note of a paragraph while the component is mounted, and renders again only when this
 * paragraph changes. With `undefined`, nothing is opened.
 *
 * @example
 * const { paragraph, state } = useParagraph('2A94M5J1Z', '20261121-070135_35893072');
 * return <pre onClick={() => paragraph?.run()}>{state?.outputs.map(outputText).join('')}</pre>;
 */
export function useParagraph(
  noteId: string | undefined,
  paragraphId: string | undefined,
): UseParagraphResult {
  const client = useClient();
  const isRequested = noteId !== undefined && paragraphId !== undefined;
  const { note, error, retry } = useOpened(client, isRequested ? noteId : undefined);
  const subscribe = useCallback(
    (listener: () => void) => client!.subscribeParagraph(noteId!, paragraphId!, listener),
    [client, noteId, paragraphId],
  );
  const current = useSyncExternalStore(
    client && isRequested ? subscribe : never,
    () => entryOf(entryOf(client?.state.open, noteId)?.paragraphs, paragraphId),
    () => undefined,
  );
  const state = note && current;
  const exists = state !== undefined;
  const paragraph = useMemo(
    () => (note && exists ? note.paragraph(paragraphId!) : undefined),
    [note, paragraphId, exists],
  );
  const missing = useMemo(
    () =>
      note && !exists
        ? new TidingError('not-found', `The note has no paragraph '${paragraphId}'.`)
        : undefined,
    [note, paragraphId, exists],
  );
  return { paragraph, state, ...loadState(error ?? missing, exists, isRequested), retry };
}
