/** The log of what was used and changed: one JSON line each in `events.jsonl`. */
import { appendFile, chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../../files.ts';

/** One statement that used or changed an object; members as the payload `usage-events` has them. */
export interface UsageEvent {
  /** ISO 8601 UTC. */
  readonly eventTime: string;
  readonly userName: string;
  readonly eventType: 'Metadata' | 'GlobalRole' | 'Result';
  readonly objectType?: string;
  readonly permissionType?: string;
  readonly role?: string;
  readonly isSuccess?: boolean;
  readonly repositoryName?: string;
  readonly dataSourceName?: string;
  readonly schemaName?: string;
  readonly projectName?: string;
  readonly structureName?: string;
  readonly jobName?: string;
  /** Name of what was used. */
  readonly objectName?: string;
  /** A change of the object; absent: it was used. */
  readonly activityType?: string;
  readonly description?: string;
}

/** Events that are kept. */
const KEPT = 10_000;

/** See the head of this file. */
export class EventLog {
  readonly #file: string;
  #events: UsageEvent[];
  #writing: Promise<unknown> = Promise.resolve();
  /** A line that could not be written; the next one tries again. */
  #waiting = '';

  private constructor(file: string, events: UsageEvent[]) {
    this.#file = file;
    this.#events = events;
  }

  /** Reads the log of a folder; a line that a crash tore is left out. */
  static async open(folder: string): Promise<EventLog> {
    const file = join(folder, 'events.jsonl');
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    const lines = text.split('\n').filter(Boolean);
    const events = lines.flatMap((line) => {
      try {
        return [JSON.parse(line) as UsageEvent];
      } catch {
        return [];
      }
    });
    const kept = events.slice(-KEPT);
    if (kept.length < lines.length)
      await writeDurably(file, kept.map((event) => `${JSON.stringify(event)}\n`).join(''));
    else if (text !== '') await chmod(file, 0o600);
    return new EventLog(file, kept);
  }

  /** Adds an event; it is written in the background. */
  add(event: UsageEvent): void {
    this.#events.push(event);
    if (this.#events.length > KEPT + 1_000) this.#events = this.#events.slice(-KEPT);
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
  all(): readonly UsageEvent[] {
    return this.#events.toReversed();
  }

  /** Resolves when all that was added is written, as far as the disk takes it. */
  async flush(): Promise<void> {
    await this.#writing;
  }
}
