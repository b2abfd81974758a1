import type { ClientEvent } from '../../core/events.ts';
import { type Output, outputText } from '../../core/outputs.ts';
import { paragraphOf } from '../../core/state.ts';
import { isRunning } from '../../model/notes/paragraph-status.ts';
import type { ParagraphStatus } from '../../protocol/index.ts';
import type { NoteConnection } from '../note-connection.ts';
import type { RunEvent } from './run.ts';

/** Converts an event about one paragraph to an event of its run. */
function runEventOf(event: ClientEvent): RunEvent | undefined {
  switch (event.type) {
    case 'PARAGRAPH':
      return {
        type: 'status',
        paragraphId: event.data.paragraph.id,
        status: event.data.paragraph.status ?? 'READY',
      };
    case 'PROGRESS':
      return { type: 'progress', paragraphId: event.data.id, progress: event.data.progress };
    case 'PARAGRAPH_UPDATE_OUTPUT':
      return {
        type: 'output',
        paragraphId: event.data.paragraphId,
        index: event.data.index ?? 0,
        outputType: event.data.type ?? 'TEXT',
        data: event.data.data ?? '',
      };
    case 'PARAGRAPH_APPEND_OUTPUT':
      // It may only say how many rows are stored.
      if (event.data.storedRows !== undefined) return undefined;
      return {
        type: 'append',
        paragraphId: event.data.paragraphId,
        index: event.data.index ?? 0,
        data: event.data.data ?? '',
      };
    case 'NOTICE': {
      const { paragraphId, notice: message = '' } = event.data;
      return paragraphId === undefined ? undefined : { type: 'notice', paragraphId, message };
    }
    default:
      return undefined;
  }
}

/**
 * Converts events of a note to events of runs, without gaps and repetitions. After a reconnect, it
 * emits the difference between what was emitted before and the reloaded note. Servers that don't
 * include the output so far (Apache Zeppelin) leave a gap, which is filled at the end of the run.
 */
export class RunFeed {
  readonly #note: NoteConnection;
  readonly #push: (event: RunEvent) => void;
  readonly #emitted = new Map<
    string,
    { status: string; outputs: readonly Output[]; gap: boolean }
  >();

  /** @internal */
  constructor(note: NoteConnection, push: (event: RunEvent) => void) {
    this.#note = note;
    this.#push = push;
  }

  /**
   * Takes an event of the note. Emits and returns the run event that it stands for, if its
   * paragraph is watched.
   */
  take(event: ClientEvent, watched: (paragraphId: string) => boolean): RunEvent | undefined {
    if (event.type === 'NOTE') {
      for (const id of this.#emitted.keys()) if (watched(id)) this.#reread(id);
      return undefined;
    }
    const runEvent = runEventOf(event);
    if (!runEvent || !watched(runEvent.paragraphId)) return undefined;
    const now = paragraphOf(this.#note.state, runEvent.paragraphId);
    if (!now) return undefined;
    if (runEvent.type === 'notice') {
      this.#push(runEvent);
      return runEvent;
    }
    const before = this.#emitted.get(runEvent.paragraphId);
    if (runEvent.type === 'output' || runEvent.type === 'append') {
      if (before?.gap) return undefined;
      // The state ignored this late frame: its text has already been emitted.
      if (before && now.outputs === before.outputs) return undefined;
    }
    const over = runEvent.type === 'status' && !isRunning(runEvent.status);
    // The final results may contain output that was not emitted yet, because it is late or was
    // missed while the connection was down.
    if (over && before && (now.outputPhase === 'final' || now.outputs.length > 0))
      this.#difference(runEvent.paragraphId, before.outputs, now.outputs, before.gap);
    this.#emitted.set(runEvent.paragraphId, {
      status: now.server.status ?? 'READY',
      outputs: before?.gap && !over ? before.outputs : now.outputPhase === 'old' ? [] : now.outputs,
      gap: over ? false : (before?.gap ?? false),
    });
    this.#push(runEvent);
    return runEvent;
  }

  #reread(paragraphId: string): void {
    const now = paragraphOf(this.#note.state, paragraphId);
    const before = this.#emitted.get(paragraphId);
    if (!now || !before || !isRunning(before.status)) return;
    const status = now.server.status ?? 'READY';
    const known = !isRunning(status) || now.server.results?.code === 'INCOMPLETE';
    if (known) this.#difference(paragraphId, before.outputs, now.outputs);
    this.#emitted.set(paragraphId, {
      status,
      outputs: known ? now.outputs : before.outputs,
      gap: !known,
    });
    if (status !== before.status)
      this.#push({ type: 'status', paragraphId, status: status as ParagraphStatus });
  }

  /**
   * Emits what `now` has in addition to `before`; with `anew` also outputs whose text was replaced.
   */
  #difference(
    paragraphId: string,
    before: readonly Output[],
    now: readonly Output[],
    anew = true,
  ): void {
    now.forEach((output, index) => {
      const old = before[index];
      if (old === output) return;
      const text = outputText(output);
      const seen = old?.type === output.type ? outputText(old) : undefined;
      if (seen === text) return;
      if (seen !== undefined && text.startsWith(seen))
        this.#push({ type: 'append', paragraphId, index, data: text.slice(seen.length) });
      else if (anew || old === undefined)
        this.#push({ type: 'output', paragraphId, index, outputType: output.type, data: text });
    });
  }
}
