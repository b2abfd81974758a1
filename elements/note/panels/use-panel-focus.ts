import { type RefObject, useEffect, useRef } from 'react';
import { useViewStore } from '../../runtime/store.ts';
import { type NoteUi, useNoteUi } from '../ui/note-ui.ts';

/** The focused element in the note, or `null`. */
const focusedIn = ({ host }: NoteUi): HTMLElement | null =>
  (host.shadowRoot?.activeElement as HTMLElement | null | undefined) ?? null;

/** Whether the focused element was removed, so that the next key would go nowhere. */
const isFocusLost = (ui: NoteUi): boolean =>
  ui.host.isConnected && focusedIn(ui) === null && document.activeElement === document.body;

/**
 * The element that has the focus once an open menu is closed: the button of the menu instead of
 * the chosen entry.
 */
function openerOf(ui: NoteUi): HTMLElement | null {
  const focused = focusedIn(ui);
  const button = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return button ? (ui.host.shadowRoot?.getElementById(button) ?? null) : focused;
}

/** What takes the focus in a panel: its selected tab, or the panel itself. */
const firstIn = (panel: HTMLElement | null): HTMLElement | null =>
  panel?.querySelector<HTMLElement>('[role=tab][aria-selected=true]') ?? panel;

/** Puts the focus back where it was, or into the current paragraph if that place is gone. */
function restore(ui: NoteUi, opener: HTMLElement | null): void {
  if (opener?.isConnected) {
    opener.focus({ preventScroll: true });
    if (focusedIn(ui) === opener) return;
  }
  const { id } = ui.focus;
  const editor = ui.editors.get(id);
  if (editor) editor.focus();
  else if (id !== undefined) ui.focus.select(id);
  if (focusedIn(ui) === null)
    ui.host.shadowRoot?.querySelector<HTMLElement>('.note-bar button')?.focus();
}

/**
 * Moves the focus into a panel that the user opens, and back when it closes, unless the focus has
 * moved elsewhere meanwhile.
 *
 * @param open the open panel; `undefined` if none is
 */
export function usePanelFocus(
  open: string | undefined,
  panel: RefObject<HTMLElement | null>,
): void {
  const ui = useNoteUi();
  const opener = useRef<HTMLElement>(null);
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    if (open === undefined) return undefined;
    // In microtasks, because a dialog that closes at the same time returns the focus in one, and
    // the focus must be there when the panel takes it and returns it later.
    if (ui.panels.state.get().takesFocus)
      queueMicrotask(() => {
        const focused = focusedIn(ui);
        // Without a focused element, another panel had the focus and was replaced by this one.
        if (focused && !panel.current?.contains(focused)) opener.current = openerOf(ui);
        if (latest.current === open) firstIn(panel.current)?.focus({ preventScroll: true });
      });
    return () => {
      queueMicrotask(() => {
        if (latest.current !== undefined) return;
        if (isFocusLost(ui)) restore(ui, opener.current);
        opener.current = null;
      });
    };
  }, [open, ui, panel]);
}

/**
 * Moves the focus to the current paragraph or the bar if a dialog closes whose opener is gone, for
 * example because the dialog changed the layout.
 */
export function useFocusAfterDialogs(): void {
  const ui = useNoteUi();
  const isOpen = useViewStore(ui.dialogs.state, ({ dialog }) => dialog !== undefined);
  const wasOpen = useRef(false);
  useEffect(() => {
    const isClosed = wasOpen.current && !isOpen;
    wasOpen.current = isOpen;
    if (isClosed) queueMicrotask(() => isFocusLost(ui) && restore(ui, null));
  }, [isOpen, ui]);
}
