/** What a bound output (ANGULAR) shares with its note: the values it may see and change, and what its scripts ask for. */
import { isTidingError, type Note, type SharedValue } from 'tiding/client';
import type { ResultPlace } from './contract.ts';
import type { FrameConnection } from './frame.ts';
import type { FrameCall, Values } from './frame-page/protocol.ts';

/** Of one output; one frame at a time. */
export interface FrameBinding {
  /** The values that the output sees, for a frame that begins. */
  values(): Values;
  /** Tells the frame of changes that are not its own. Returns its undo. */
  follow(connection: Pick<FrameConnection, 'setValues'>): () => void;
  readonly onValues: (values: Values) => void;
  readonly onCall: (call: FrameCall, byReader: boolean) => void;
}

/** What a binding needs of the page. */
export interface BindingEvents {
  /** Something that was asked for cannot be done. */
  tell(message: string): void;
  /** A script wants a paragraph to run, for the first time or without a click of the reader: he decides. */
  ask(name: string, run: () => void): void;
}

/** Notes in which the reader has let outputs run paragraphs; until the page is left. */
const mayRun = new WeakSet<Note>();

/** Binds an output to its note. Values of its own paragraph come before those of the note; others it neither sees nor changes. */
export function bindOutput(
  { note, paragraph: { id } }: Pick<ResultPlace, 'note' | 'paragraph'>,
  events: BindingEvents,
): FrameBinding {
  /** JSON of what the frame knows, by name: it is told what differs, and so never of its own changes. */
  let known = new Map<string, string>();
  const jsonOf = (value: unknown): string => JSON.stringify(value) ?? 'null';
  const visible = (): Map<string, SharedValue> => {
    const all = new Map<string, SharedValue>();
    for (const entry of Object.values(note.state.shared)) {
      if (entry.paragraphId === id || (entry.paragraphId === undefined && !all.has(entry.name)))
        all.set(entry.name, entry);
    }
    return all;
  };
  const fail = (error: unknown): void => {
    // Some servers answer a value that no interpreter takes with nothing.
    if (
      !isTidingError(error, 'closed') &&
      !isTidingError(error, 'aborted') &&
      !isTidingError(error, 'timeout')
    )
      events.tell(isTidingError(error) ? error.message : String(error));
  };
  const act = async (work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      fail(error);
    }
  };

  return {
    values() {
      const all = [...visible().values()].map(({ name, value }) => [name, value ?? null] as const);
      known = new Map(all.map(([name, value]) => [name, jsonOf(value)]));
      return all;
    },
    follow(connection) {
      let last = note.state.shared;
      return note.subscribe(({ shared }) => {
        if (shared === last) return;
        last = shared;
        const now = visible();
        const set: [string, unknown][] = [];
        for (const { name, value = null } of now.values()) {
          const json = jsonOf(value);
          if (known.get(name) !== json) set.push([name, value]);
          known.set(name, json);
        }
        const unset = [...known.keys()].filter((name) => !now.has(name));
        for (const name of unset) known.delete(name);
        if (set.length > 0 || unset.length > 0) connection.setValues(set, unset);
      });
    },
    onValues(values) {
      const now = visible();
      for (const [name, value] of values) {
        const entry = now.get(name);
        if (!entry) continue;
        known.set(name, jsonOf(value));
        void act(() => note.z.put(name, value, entry.paragraphId ?? ''));
      }
    },
    onCall(call, byReader) {
      if (call.call === 'set') {
        if (call.paragraphId === id) known.set(call.name, jsonOf(call.value));
        void act(() => note.z.angularBind(call.name, call.value, call.paragraphId));
      } else if (call.call === 'unset') {
        void act(() => note.z.angularUnbind(call.name, call.paragraphId));
      } else {
        const run = (): void => void act(() => note.z.runParagraph(call.paragraphId));
        // Without a paragraph of that id this says so, and nothing runs.
        if (!Object.hasOwn(note.state.paragraphs, call.paragraphId)) return run();
        if (byReader && mayRun.has(note)) return run();
        events.ask(nameOf(note, call.paragraphId), () => {
          mayRun.add(note);
          run();
        });
      }
    },
  };
}

/** A paragraph in words: its title, else its number. */
function nameOf({ state: { paragraphs, order } }: Note, id: string): string {
  return paragraphs[id]?.server.title || `#${order.indexOf(id) + 1}`;
}
