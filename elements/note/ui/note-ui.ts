/**
 * View state of a note page that is not part of the note, in a few small stores. The bar, menus,
 * keyboard shortcuts, the command palette and paragraphs all use the same ones, so that a command
 * behaves the same everywhere.
 */
import type { Client, Note, NoteState, ParagraphState } from '@tiding/client';
import type { Paragraph, Revision } from '@tiding/client/protocol';
import { createContext, useContext, useSyncExternalStore } from 'react';
import { createViewStore, type ViewStore } from '../../runtime/store.ts';
import { createDrag, type DragState } from '../drag/drag-state.ts';
import { Uploads } from '../files/uploads.ts';
import { FindStore } from '../find/find-store.ts';
import { ParagraphViewport } from '../paragraph-viewport.ts';
import { PendingInput } from '../pending-input.ts';
import { UndoStack } from '../undo-stack.ts';
import { Dialogs } from './dialogs.tsx';
import { Editors } from './editors.ts';
import { ParagraphFocus } from './focus.ts';
import { NoteLayout } from './layout.ts';
import { Messages, type ShowToast } from './messages.ts';
import { Panels } from './panels.ts';
import { ParagraphOperations } from './paragraphs.ts';
import { NoteRights } from './rights.ts';

/** Form values set by the host page, by name. */
type LockedValues = Readonly<Record<string, unknown>>;

/** Revisions of the note, as far as the page has loaded them. */
interface RevisionState {
  /** `Head` first; `undefined` if not loaded or not supported by the server. */
  readonly list: readonly Revision[] | undefined;
  /** Draft of the message for the next checkpoint. */
  readonly message: string;
}

/** Stores and operations of one page of one note. Holds no resources that need to be released. */
export interface NoteUi {
  readonly client: Client;
  readonly note: Note;
  /** The element that shows the note. */
  readonly host: HTMLElement;
  /** Only one paragraph is shown; no other can be reached from it. */
  readonly single: boolean;
  readonly messages: Messages;
  readonly dialogs: Dialogs;
  readonly panels: Panels;
  readonly layout: NoteLayout;
  readonly rights: NoteRights;
  readonly focus: ParagraphFocus;
  readonly editors: Editors;
  readonly paragraphs: ParagraphOperations;
  readonly undo: UndoStack;
  /** Uploads of data files. */
  readonly uploads: Uploads;
  /** State of the find box. */
  readonly find: FindStore;
  /** The paragraph being dragged. */
  readonly drag: ViewStore<DragState>;
  /** Tracks which paragraphs are near the window. */
  readonly viewport: ParagraphViewport;
  /**
   * Buffers keys typed between a command that adds a paragraph and the moment its editor is ready.
   */
  readonly pendingInput: PendingInput;
  readonly revisions: ViewStore<RevisionState>;
  /** The paragraph that makes a result stale, by {@link staleKey}. */
  readonly stale: ViewStore<{ readonly causes: Readonly<Record<string, string>> }>;
  /** Fixed form values. They are shown, can't be edited, and apply to every run. */
  readonly locked: ViewStore<{ readonly values: LockedValues }>;
}

/** Identifies a result: after another run, it is no longer stale for the same reason. */
export const staleKey = ({ id, dateStarted }: Paragraph): string => `${id} ${dateStarted}`;

const nothingLocked: LockedValues = {};

/** Returns the value if it is a plain object of form values, or an empty object otherwise. */
export const lockedOf = (given: unknown): LockedValues =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
    ? (given as LockedValues)
    : nothingLocked;

/**
 * Creates the stores of a page that shows an open note, or with `single` one of its paragraphs. For
 * errors, `toast` is called only if no listener prevented the `tiding-error` event.
 */
export function createNoteUi(
  client: Client,
  note: Note,
  host: HTMLElement,
  { single = false, toast }: { readonly single?: boolean; readonly toast: ShowToast },
): NoteUi {
  const messages = new Messages(host, toast);
  const dialogs = new Dialogs(messages);
  const editors = new Editors();
  const viewport = new ParagraphViewport(host);
  const focus = new ParagraphFocus(note, editors, viewport);
  const undo = new UndoStack(note);
  const rights = new NoteRights(client, note);
  const page = { client, note, host, single, messages, dialogs, editors, viewport, focus, undo };
  const pendingInput = new PendingInput(page);
  const paragraphs = new ParagraphOperations({ ...page, pendingInput });
  return {
    ...page,
    // The width of the element, which may be a column of a wide page.
    panels: new Panels(!single && (host.clientWidth || window.innerWidth) >= 1100),
    layout: new NoteLayout(note, messages, rights),
    rights,
    paragraphs,
    uploads: new Uploads({ ...page, paragraphs, rights }),
    find: new FindStore(),
    drag: createDrag(),
    pendingInput,
    revisions: createViewStore<RevisionState>({ list: undefined, message: '' }),
    stale: createViewStore({ causes: {} }),
    locked: createViewStore({ values: nothingLocked }),
  };
}

/** Provides the stores of the surrounding note page. */
export const NoteUiContext = createContext<NoteUi | undefined>(undefined);

/** Returns the stores of the surrounding note page. */
export function useNoteUi(): NoteUi {
  const ui = useContext(NoteUiContext);
  if (!ui) throw new Error('useNoteUi() must be called inside a NoteUiContext.');
  return ui;
}

/** Selects part of a note, which is `undefined` once it is closed, and renders when it changes. */
export function useNoteState<Part>(
  { client, note }: NoteUi,
  select: (note: NoteState | undefined) => Part,
): Part {
  const read = () => select(client.state.open[note.id]);
  return useSyncExternalStore(client.subscribe, read, read);
}

/**
 * Server states of a note's paragraphs in order. Returns the array `last` while they do not change,
 * so output and typing alone cause no renders.
 */
export function serversOf(
  { order, paragraphs }: Pick<NoteState, 'order' | 'paragraphs'>,
  last: readonly ParagraphState['server'][] = [],
): readonly ParagraphState['server'][] {
  const isSame =
    order.length === last.length &&
    last.every((server, at) => paragraphs[order[at]!]?.server === server);
  return isSame ? last : order.flatMap((id) => paragraphs[id]?.server ?? []);
}
