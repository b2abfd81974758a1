/** Handles the keys of Jupyter: those of command mode, of the code, and of both. */
import { collectorOf } from '../../editor/type-ahead.ts';
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
  /** Leaves the code of an editor that is still opening: later keys are those of command mode. */
  leaving?: (() => void) | undefined;
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
  const state = states.get(ui) ?? { waiting: 0, done: Promise.resolve() };
  states.set(ui, state);
  const keys = shortcutOf(event);
  const commands = jupyterCommands([...paragraphCommands, ...noteCommands]);
  const shared = find(commands.shared, keys);
  // If an editor is still opening, the keys apply to its paragraph, after the text typed before.
  const ahead = collectorOf(event);
  const leaves = ahead?.holds(state.leaving) ?? false;
  if (mode === 'edit' && !leaves) {
    // An open editor first closes its list of completions by Escape, and then calls `onLeave`.
    const isOpen = event.composedPath().some((node) => (node as Element).matches?.('.cm-editor'));
    const command = shared ?? (keys === 'Escape' && isOpen ? undefined : find(commands.edit, keys));
    if (!command) return false;
    const act = (): void => run(ui, command);
    if (!ahead) act();
    else {
      if (command.id === 'leave-code') state.leaving = act;
      ahead.hold(act);
    }
    return true;
  }
  const { first } = state;
  state.first = undefined;
  const chord = first && event.timeStamp - first.at < CHORD_MS ? `${first.keys} ${keys}` : keys;
  const command = shared ?? find(commands.command, chord) ?? find(commands.command, keys);
  if (command) {
    const act = (): void => enqueue(ui, state, command);
    if (command.id === 'enter-code') state.leaving = undefined;
    if (ahead) ahead.hold(act);
    else act();
    return true;
  }
  const begins = commands.command.some((one) =>
    one.keys?.some((two) => two.startsWith(`${keys} `)),
  );
  if (begins) state.first = { keys, at: event.timeStamp };
  // What is no command must not become text either.
  return begins || (leaves && event.key.length === 1 && !event.ctrlKey && !event.metaKey);
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
