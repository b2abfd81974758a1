/** Handles the keys of Jupyter: those of command mode, of the code, and of both. */
import { takesText } from '../../runtime/takes-text.ts';
import {
  type NoteCommand,
  type ParagraphTarget,
  paragraphTarget,
  runOrExplain,
} from '../commands/command.ts';
import { noteCommands } from '../commands/note.tsx';
import { paragraphCommands } from '../commands/paragraph.tsx';
import { shortcutOf } from '../commands/shortcut-of.ts';
import type { NoteUi } from '../ui/note-ui.ts';
import { jupyterCommands } from './jupyter-commands.ts';
import { paragraphBeingAdded } from './select-added.ts';

/** Time within which the second of two keys must follow, in ms (as in JupyterLab). */
const CHORD_MS = 1_000;

/** State of the keys of one note. */
interface Pending {
  /** First of two keys. */
  first?: { readonly keys: string; readonly at: number } | undefined;
  /** Number of commands that wait for a paragraph that is being added. */
  waiting: number;
  /** Settles when the last of them has started. */
  done: Promise<unknown>;
}

const states = new WeakMap<NoteUi, Pending>();

/** Where a key was pressed; `undefined` in fields and controls, which keep their keys. */
function modeOf(ui: NoteUi, event: KeyboardEvent): 'command' | 'edit' | undefined {
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return undefined;
  if (target.closest('.code-area, .type-ahead')) return 'edit';
  if (takesText(target)) return undefined;
  if (target === ui.host || target === document.body || target.matches('[data-paragraph]'))
    return 'command';
  // A button that was just clicked keeps the keys that press it.
  const presses = ['Enter', ' ', 'ArrowUp', 'ArrowDown'].includes(event.key);
  return target.matches('[data-paragraph] button:not([aria-haspopup])') && !presses
    ? 'command'
    : undefined;
}

const find = (commands: readonly NoteCommand<ParagraphTarget>[], keys: string) =>
  commands.find((command) => command.keys?.includes(keys));

/** Runs the command of a key. Returns whether it was one of Jupyter's keys. */
export function handleJupyterKey(ui: NoteUi, event: KeyboardEvent): boolean {
  const mode = modeOf(ui, event);
  if (!mode || !paragraphTarget(ui, ui.focus.id)) return false;
  const keys = shortcutOf(event);
  const commands = jupyterCommands([...paragraphCommands, ...noteCommands]);
  const shared = find(commands.shared, keys);
  if (mode === 'edit') {
    // An open editor first closes its list of completions by Escape, and then calls `onLeave`.
    const isOpen = event.composedPath().some((node) => (node as Element).matches?.('.cm-editor'));
    const command = shared ?? (keys === 'Escape' && isOpen ? undefined : find(commands.edit, keys));
    if (command) run(ui, command);
    return command !== undefined;
  }
  const state = states.get(ui) ?? { waiting: 0, done: Promise.resolve() };
  states.set(ui, state);
  const { first } = state;
  state.first = undefined;
  const chord = first && event.timeStamp - first.at < CHORD_MS ? `${first.keys} ${keys}` : keys;
  const command = shared ?? find(commands.command, chord) ?? find(commands.command, keys);
  if (command) {
    enqueue(ui, state, command);
    return true;
  }
  const begins = commands.command.some((one) =>
    one.keys?.some((two) => two.startsWith(`${keys} `)),
  );
  if (begins) state.first = { keys, at: event.timeStamp };
  return begins;
}

/** Runs a command after those of earlier keys, because they may change the selection. */
function enqueue(ui: NoteUi, state: Pending, command: NoteCommand<ParagraphTarget>): void {
  if (state.waiting === 0 && !paragraphBeingAdded(ui)) return run(ui, command);
  state.waiting++;
  const before = state.done.then(() => paragraphBeingAdded(ui)).catch(() => {});
  const isEnter = command.id === 'enter-code';
  // From Enter on, keys are text for the paragraph that is being added.
  state.done = (isEnter ? ui.pendingInput.during(before) : before).then(() => {
    state.waiting--;
    if (!isEnter) run(ui, command);
    else if (ui.focus.id !== undefined) ui.pendingInput.reveal(ui.focus.id);
  });
}

function run(ui: NoteUi, command: NoteCommand<ParagraphTarget>): void {
  const at = paragraphTarget(ui, ui.focus.id);
  if (at) runOrExplain(command, at);
}
