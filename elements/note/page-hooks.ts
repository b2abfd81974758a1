import { useEffect, useRef } from 'react';
import { handleKey } from './commands/keyboard.ts';
import { followJupyterKeys } from './jupyter/load.ts';
import { takeCreated } from './ui/created-notes.ts';
import type { NoteUi } from './ui/note-ui.ts';

/**
 * Keyboard shortcuts of the note. They work inside the element, and on the page while nothing else
 * has the focus, but never in an input of the host page or in a dialog of this element.
 */
export function useShortcuts(ui: NoteUi): void {
  useEffect(followJupyterKeys, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || ui.dialogs.state.get().dialog) return;
      const path = event.composedPath();
      const inside = path.includes(ui.host);
      // The find box and the field of a comment handle their own keys.
      if (
        inside &&
        path.some((node) => node instanceof Element && node.matches('.find-box, .comment-form'))
      )
        return;
      const active = document.activeElement ?? document.body;
      // F1 also opens the commands from the navigation, and from other elements of this library.
      const isHelp =
        event.key === 'F1' &&
        path.some((node) => node instanceof Element && node.localName.startsWith('tiding-'));
      if (!inside && !isHelp && active !== document.body && !active.contains(ui.host)) return;
      if (!handleKey(ui, event)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Capture runs before the editor, whose own bindings for these keys must not run (Zeppelin's
    // client removes them).
    ui.host.addEventListener('keydown', onKey, { capture: true });
    document.addEventListener('keydown', onKey);
    return () => {
      ui.host.removeEventListener('keydown', onKey, { capture: true });
      document.removeEventListener('keydown', onKey);
    };
  }, [ui]);
}

/**
 * After a run of the last paragraph, the server adds a new one. It gets the cursor on the page that
 * started the run.
 */
export function useAddedParagraph(ui: NoteUi, order: readonly string[]): void {
  const known = useRef<readonly string[]>(order);
  useEffect(() => {
    const before = known.current;
    known.current = order;
    const old = new Set(before);
    const fresh = order.filter((id) => !old.has(id));
    if (
      before.length === 0 ||
      fresh.length !== 1 ||
      !document.hasFocus() ||
      fresh[0] !== order.at(-1)
    )
      return;
    if (ui.pendingInput.stayed.delete(before.at(-1)!)) return;
    if (ui.pendingInput.isAt(before.at(-1))) ui.pendingInput.reveal(fresh[0]!);
  }, [order, ui]);
}

/** Puts the cursor into the first paragraph of a note that the user has just created. */
export function useCreatedNote(ui: NoteUi): void {
  useEffect(() => {
    const [first] = ui.note.state.order;
    if (takeCreated(ui.note.noteId) && first !== undefined) ui.pendingInput.reveal(first);
  }, [ui]);
}

/**
 * Loads the interpreters that the note can use. Opens the bindings panel for a note without
 * interpreters, with the first interpreter of each name selected (specification).
 */
export function useBindings(ui: NoteUi, bare: boolean): void {
  useEffect(() => {
    if (!ui.layout.editable) return undefined;
    const timer = setTimeout(() => {
      ui.note.bindings().then(
        (all) => {
          if (
            !bare &&
            ui.rights.allows('writer') &&
            all.length > 0 &&
            !all.some(({ selected }) => selected) &&
            ui.panels.state.get().right === undefined
          )
            void ui.panels.toggle('bindings', false);
        },
        () => {},
      );
    }, 500);
    return () => clearTimeout(timer);
  }, [ui, bare]);
}
