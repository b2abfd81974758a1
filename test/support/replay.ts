/** Replays recorded frames through the reducers of the client, one by one, without a channel. */
import { decodeFrame } from '../../client/channel/decode.ts';
import { type ClientEvent, receivedEvent } from '../../client/core/events.ts';
import { outputText } from '../../client/core/outputs.ts';
import {
  type ClientState,
  initialState,
  type NoteState,
  type ParagraphState,
} from '../../client/core/state.ts';
import { loadNoteModule } from '../../client/note/lazy-note.ts';
import { reduce } from '../../client/reducer.ts';
import { type Entry, frameText, type Recording } from './recorded.ts';

await loadNoteModule();

/** A frame, and the states before and after it. */
export interface Step {
  readonly entry: Entry;
  readonly event: ClientEvent;
  readonly before: NoteState;
  readonly after: NoteState;
}

/**
 * The frame that an entry refers to, if that is unambiguous: the frame another client received at
 * the same time.
 */
function resolved(entries: readonly Entry[], at: number): Entry {
  const entry = entries[at]!;
  const from = /^as client (\w+) got$/.exec(entry.same ?? '')?.[1];
  if (!from) return entry;
  const nearest = (step: 1 | -1) => {
    for (let index = at + step; index >= 0 && index < entries.length; index += step) {
      const other = entries[index]!;
      if (
        other.client === from &&
        other.op === entry.op &&
        other.direction === 'recv' &&
        other.same === undefined
      )
        return { other, far: Math.abs(index - at) };
    }
    return undefined;
  };
  const best = [nearest(-1), nearest(1)]
    .filter((found) => found !== undefined)
    .sort((a, b) => a.far - b.far)[0];
  return best ? { ...entry, data: best.other.data, same: undefined } : entry;
}

/** The id of the note in a frame that opens a note. */
function noteIn(entry: Entry): string | undefined {
  const data = entry.data as { note?: { id?: string } } | undefined;
  return entry.op === 'NOTE' || entry.op === 'NEW_NOTE' ? data?.note?.id : undefined;
}

/** Applies all frames received by one client to the note it had open at the time. */
export function replay({ entries }: Recording, client: string): Step[] {
  const steps: Step[] = [];
  let state: ClientState = initialState;
  let noteId: string | undefined;
  for (const [at, each] of entries.entries()) {
    if (each.client !== client) continue;
    const entry = resolved(entries, at);
    const text = frameText(entry);
    if (text === undefined) continue;
    const decoded = decodeFrame(text);
    if (decoded.kind !== 'message') continue;
    const opened = noteIn(entry);
    if (opened !== undefined && opened !== noteId) {
      noteId = opened;
      state = reduce(state, { type: 'note-opened', noteId });
    }
    if (noteId === undefined) continue;
    const before = state.open[noteId]!;
    const event = receivedEvent(decoded.message, noteId);
    state = reduce(state, event);
    steps.push({ entry, event, before, after: state.open[noteId]! });
  }
  return steps;
}

/** Outputs in the format of a run's results. */
export function printed(paragraph: ParagraphState | undefined): { type: string; data: string }[] {
  return (paragraph?.outputs ?? []).map((output) => ({
    type: output.type,
    data: outputText(output),
  }));
}
