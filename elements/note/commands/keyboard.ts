/** Keyboard shortcuts of a note: maps key events to commands. */

import { collectorOf } from '../../editor/type-ahead.ts';
import { takesText } from '../../runtime/takes-text.ts';
import { loadedJupyterKeys } from '../jupyter/load.ts';
import type { NoteUi } from '../ui/note-ui.ts';
import {
  type NoteCommand,
  type NoteTarget,
  type ParagraphTarget,
  paragraphTarget,
  runOrExplain,
} from './command.ts';
import { noteCommands } from './note.tsx';
import { paragraphCommands } from './paragraph.tsx';
import { shortcutOf } from './shortcut-of.ts';

const normal = (keys: string): string => {
  const parts = keys.split('+');
  const last = parts.pop()!;
  return [...['Ctrl', 'Alt', 'Shift', 'Meta'].filter((part) => parts.includes(part)), last].join(
    '+',
  );
};

/** Lookup table from shortcut to command. */
const byKeys = <At extends NoteTarget>(
  commands: readonly NoteCommand<At>[],
): ReadonlyMap<string, NoteCommand<At>> =>
  new Map(
    commands.flatMap((command) =>
      (command.keys ?? []).map((keys) => [normal(keys), command] as const),
    ),
  );
const onParagraph = byKeys<ParagraphTarget>(paragraphCommands);
const onNote = byKeys<NoteTarget>(noteCommands);

/**
 * Runs the command for a key event on the focused paragraph or the note. Returns whether the event
 * was handled.
 */
export function handleKey(ui: NoteUi, event: KeyboardEvent): boolean {
  // In report layout, keys keep their browser function (specification).
  if (ui.layout.look === 'report') return false;
  if (loadedJupyterKeys()?.(ui, event)) return true;
  const keys = shortcutOf(event);
  // The browser's 'save page' is not useful here (as in Zeppelin); Emacs keys search with Ctrl+S.
  if (keys === 'Ctrl+S' || keys === 'Meta+S') {
    if (keys === 'Ctrl+S') ui.editors.get(ui.focus.id)?.search();
    return true;
  }
  const one = onParagraph.get(keys);
  if (one && paragraphTarget(ui, ui.focus.id)) {
    const act = (): void => {
      const place = paragraphTarget(ui, ui.focus.id);
      if (place) runOrExplain(one, place);
    };
    // If an editor is still opening, the command applies to its paragraph, after the text typed
    // before it.
    const ahead = collectorOf(event);
    if (ahead) ahead.hold(act);
    else act();
    return true;
  }
  const whole = onNote.get(keys);
  if (!whole || (whole.typing === 'editor' && takesText(event.composedPath()[0]))) return false;
  const target = { note: ui.note, ui };
  runOrExplain(whole, target);
  return true;
}
