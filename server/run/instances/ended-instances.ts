/** Tells users that an instance ended and what they lost by it. */
import type { Slot } from './slot.ts';

export interface EndReason {
  /** Continues "Interpreter python ended". */
  readonly text: string;
  /** Whether the next run says it too, because nobody asked for the end. */
  readonly inNextRun?: boolean;
}

/** Users of an ended instance: everybody on these notes, or only `principal`. */
export interface InstanceUsers {
  readonly notes: readonly string[];
  readonly principal: string | undefined;
  /** The paragraph whose run the notice is about, on the only note. */
  readonly paragraphId?: string;
}

/** Sends a notice to the users of an instance who are connected. */
export type Notify = (users: InstanceUsers, notice: string) => void;

/** Notices for runs that are kept; the oldest are dropped. */
const MAX_KEPT = 1_000;

/** Sends notices of ended instances, and keeps those for the next run. */
export class EndedInstances {
  readonly #notify: Notify;
  /** By setting and placement. */
  readonly #kept = new Map<string, { noteId: string | undefined; notice: string }>();

  constructor(notify: Notify) {
    this.#notify = notify;
  }

  /** Call before the interpreter is closed. Does nothing if no user loses anything. */
  add(setting: string, { interpreter, notes, placement }: Slot, reason: EndReason): void {
    const state = interpreter?.state;
    if (state === undefined) return;
    const { key, noteId, principal } = placement;
    const notice = `Interpreter ${setting} ended ${reason.text}, and its ${state} are lost.`;
    this.#notify({ notes: [...notes], principal }, `${notice} The next run starts it again.`);
    if (!reason.inNextRun) return;
    const place = placeOf(setting, key);
    this.#kept.delete(place);
    this.#kept.set(place, { noteId, notice: `${notice} This run has started it again.` });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
  }

  /** Returns the notice for the next run of an instance, once. */
  take(setting: string, { placement }: Slot): string | undefined {
    const place = placeOf(setting, placement.key);
    const kept = this.#kept.get(place);
    this.#kept.delete(place);
    return kept?.notice;
  }

  /** Whether there is a notice for the next run of an instance. */
  has(setting: string, key: string): boolean {
    return this.#kept.has(placeOf(setting, key));
  }

  /** Drops the notices of a removed note. */
  forget(noteId: string): void {
    for (const [place, kept] of this.#kept) if (kept.noteId === noteId) this.#kept.delete(place);
  }
}

const placeOf = (setting: string, key: string): string => JSON.stringify([setting, key]);
