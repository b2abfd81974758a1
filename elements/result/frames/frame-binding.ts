/**
 * Connects an Angular output to its note: the shared values it may read and change, and the actions
 * its scripts request.
 */
import { isTidingError, type Note, type SharedValue } from '@tiding/client';
import type { ResultContext } from '../contract.ts';
import type { FrameValues } from '../frame-page/protocol.ts';
import type { FrameConnection, FrameEvents } from './frame-connection.ts';

/** Binding of one output; used by one frame at a time. */
export interface FrameBinding
  extends Pick<FrameEvents, 'onValues' | 'onCall' | 'onReady' | 'onComms'> {
  /** Returns the values visible to the output, for a new frame. */
  values(): FrameValues;
  /** Sends changes made elsewhere to the frame. Returns an unsubscribe function. */
  follow(connection: Pick<FrameConnection, 'setValues' | 'setWidget'>): () => void;
}

/** Callbacks of a binding into the page. */
interface FrameBindingEvents {
  /** Reports a request that failed. */
  onProblem(message: string): void;
  /**
   * Asks the user before a script runs a paragraph, unless they clicked in the output and agreed
   * before.
   */
  askToRun(name: string, run: () => void): void;
}

/** Notes whose outputs the user allowed to run paragraphs, until the page is closed. */
const mayRun = new WeakSet<Note>();

/**
 * Binds an output to its note. Values of its own paragraph take precedence over values of the note;
 * values of other paragraphs are neither visible nor writable.
 */
export function bindOutput(
  { note, paragraph: { id } }: Pick<ResultContext, 'note' | 'paragraph'>,
  events: FrameBindingEvents,
): FrameBinding {
  /**
   * JSON of the values the frame knows, by name. Only differences are sent, so the frame never
   * receives its own changes.
   */
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
    // Some servers don't reply when an interpreter rejects a value, so a timeout is not reported.
    if (
      !isTidingError(error, 'closed') &&
      !isTidingError(error, 'aborted') &&
      !isTidingError(error, 'timeout')
    )
      events.onProblem(isTidingError(error) ? error.message : String(error));
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
        void act(() => note.z.angularBind(call.name, call.value, call.paragraphId));
      } else if (call.call === 'unset') {
        void act(() => note.z.angularUnbind(call.name, call.paragraphId));
      } else {
        const run = (): void => void act(() => note.z.runParagraph(call.paragraphId));
        // An unknown paragraph makes this fail with a message; nothing runs.
        if (!Object.hasOwn(note.state.paragraphs, call.paragraphId)) return run();
        if (byReader && mayRun.has(note)) return run();
        events.askToRun(nameOf(note, call.paragraphId), () => {
          mayRun.add(note);
          run();
        });
      }
    },
  };
}

/** Returns a paragraph's title, or its number. */
function nameOf({ state: { paragraphs, order } }: Note, id: string): string {
  return paragraphs[id]?.server.title || `#${order.indexOf(id) + 1}`;
}
