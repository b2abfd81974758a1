/** The engine that a note's bar shows: its interpreter setting, and what its process does. */
import { type NoteState, paragraphText } from '@tiding/client';
import { isRunning, magicOf } from '@tiding/client/model';
import type { InterpreterBinding } from '@tiding/client/protocol';
import { useEffect } from 'react';
import { useViewStore } from '../../runtime/store.ts';
import { type NoteUi, useNoteState, useNoteUi } from '../ui/note-ui.ts';

/** Interval in which a process that starts is asked for again, in ms (specification). */
const POLL_MS = 2_000;

/** State of an engine's process; `undefined` if the server doesn't tell. */
type EngineState = 'none' | 'starting' | 'idle' | 'busy' | 'dead';

interface Engine {
  readonly binding: InterpreterBinding;
  readonly state: EngineState | undefined;
}

const states: readonly string[] = ['none', 'starting', 'idle', 'busy', 'dead'];
/** Engines that only format text: nobody waits for them or restarts them. */
const formatters: ReadonlySet<string> = new Set(['md', 'angular']);

/** Returns the binding that runs a text on a note: that of its magic, or else the default one. */
function bindingOf(
  bindings: readonly InterpreterBinding[],
  text: string,
): InterpreterBinding | undefined {
  const name = magicOf(text)?.split('.')[0];
  return name === undefined ? bindings[0] : bindings.find((binding) => binding.name === name);
}

/** Returns the engine of the focused paragraph, or else that of the first one with code. */
function engineOf(note: NoteState | undefined, focused: string | undefined): Engine | undefined {
  const bindings = note?.bindings ?? [];
  if (!note || bindings.length === 0) return undefined;
  const engineAt = (id: string | undefined) => {
    const paragraph = id === undefined ? undefined : note.paragraphs[id];
    const binding = paragraph && bindingOf(bindings, paragraphText(paragraph));
    return binding && !formatters.has(binding.name) ? binding : undefined;
  };
  let binding = engineAt(focused);
  for (let at = 0; !binding && at < note.order.length; at += 1) binding = engineAt(note.order[at]);
  binding ??= bindings.find(({ name }) => !formatters.has(name)) ?? bindings[0]!;
  const runs = Object.values(note.paragraphs).some(
    (paragraph) =>
      isRunning(paragraph.server.status) &&
      bindingOf(bindings, paragraphText(paragraph)) === binding,
  );
  const told = states.includes(binding.process ?? '')
    ? (binding.process as EngineState)
    : undefined;
  if (!runs) return { binding, state: told === 'busy' || told === 'starting' ? 'idle' : told };
  return { binding, state: told === 'starting' ? 'starting' : 'busy' };
}

/** Returns the engine that the bar shows, and asks the server for its state after each change. */
export function useEngine(): Engine | undefined {
  const ui = useNoteUi();
  const { client, note } = ui;
  const focused = useViewStore(ui.focus.state, (state) => state.focused);
  // A string, because the engine is a new object after each change of the note.
  const shown = useNoteState(ui, (now) => {
    const engine = engineOf(now, focused);
    return engine && `${engine.binding.id} ${engine.state}`;
  });
  const runs = shown?.endsWith(' busy') === true || shown?.endsWith(' starting') === true;
  const starts = shown?.endsWith(' starting') === true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks after a run started or ended
  useEffect(() => {
    // Without bindings, the page has not asked yet, or the server has none.
    if (shown === undefined) return undefined;
    const ask = (): void => void note.bindings().catch(() => {});
    ask();
    const timer = starts ? setInterval(ask, POLL_MS) : undefined;
    return () => clearInterval(timer);
  }, [note, runs, starts]);
  return shown === undefined ? undefined : engineOf(client.state.open[note.id], focused);
}

/** Returns the engine that commands act on. */
export const currentEngine = (ui: NoteUi): Engine | undefined =>
  engineOf(ui.client.state.open[ui.note.id], ui.focus.id);
