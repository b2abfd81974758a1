/** The usage log: one JSON line per event in `events.jsonl`. */
import { appendFile, chmod } from 'node:fs/promises';
import { join } from 'node:path';
import type { NarrowPayload, PayloadOf, UsageEvent } from '@tiding/client/widgets';
import { readTextFile, writeDurably } from '../../storage/files.ts';

export type LoggedUse = NarrowPayload<
  PayloadOf<UsageEvent, never>,
  {
    /** ISO 8601 UTC. */
    eventTime: string;
    userName: string;
    eventType: 'Metadata' | 'GlobalRole' | 'Result';
  }
>;

/** Maximum number of events to keep. */
const MAX_EVENTS = 10_000;

/** Keeps events in memory and appends them to a file. */
export class EventLog {
  readonly #file: string;
  #events: LoggedUse[];
  #writing: Promise<unknown> = Promise.resolve();
  /** Lines that could not be written. The next write tries again. */
  #waiting = '';

  private constructor(file: string, events: LoggedUse[]) {
    this.#file = file;
    this.#events = events;
  }

  /** Reads the log of a folder. An incomplete line, left by a crash, is dropped. */
  static async open(folder: string): Promise<EventLog> {
    const file = join(folder, 'events.jsonl');
    const text = (await readTextFile(file)) ?? '';
    const lines = text.split('\n').filter(Boolean);
    const events = lines.flatMap((line) => {
      try {
        return [JSON.parse(line) as LoggedUse];
      } catch {
        return [];
      }
    });
    const kept = events.slice(-MAX_EVENTS);
    if (kept.length < lines.length)
      await writeDurably(file, kept.map((event) => `${JSON.stringify(event)}\n`).join(''));
    else if (text !== '') await chmod(file, 0o600);
    return new EventLog(file, kept);
  }

  /** Adds an event and writes it in the background. */
  add(event: LoggedUse): void {
    this.#events.push(event);
    if (this.#events.length > MAX_EVENTS + 1_000) this.#events = this.#events.slice(-MAX_EVENTS);
    this.#waiting += `${JSON.stringify(event)}\n`;
    this.#writing = this.#writing.then(async () => {
      const text = this.#waiting;
      if (text === '') return;
      this.#waiting = '';
      await appendFile(this.#file, text, { mode: 0o600 }).catch(
        () => void (this.#waiting = text + this.#waiting),
      );
    });
  }

  /** All events, newest first. */
  all(): readonly LoggedUse[] {
    return this.#events.toReversed();
  }

  /** Resolves when all added events have been written, unless the disk refuses them. */
  async flush(): Promise<void> {
    await this.#writing;
  }
}
