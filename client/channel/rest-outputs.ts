import type { ResultMessage } from '../protocol/index.ts';
import type { SendFrame } from './rest-note-watch.ts';

interface Reported {
  readonly messages: ResultMessage[];
  /** Results before the run, as JSON. */
  readonly before: string;
  progress: number;
}

/** Reports progress and output of running paragraphs as the differences between two polls. */
export class RestOutputs {
  readonly #noteId: string;
  readonly #emit: SendFrame;
  readonly #reported = new Map<string, Reported>();

  constructor(noteId: string, say: SendFrame) {
    this.#noteId = noteId;
    this.#emit = say;
  }

  /** A run started. `before`: results of the previous run, as JSON. */
  start(paragraphId: string, before: string): void {
    this.#reported.set(paragraphId, { messages: [], before, progress: 0 });
  }

  end(paragraphId: string): void {
    this.#reported.delete(paragraphId);
  }

  /** Reports the progress of a running paragraph if it changed. */
  progress(id: string, percent: number): void {
    const reported = this.#reported.get(id);
    if (!reported || !Number.isFinite(percent) || percent === reported.progress || percent >= 100)
      return;
    reported.progress = percent;
    this.#emit('PROGRESS', { id, progress: percent });
  }

  /** Reports new output. `text`: the complete results as JSON. */
  print(paragraphId: string, messages: readonly ResultMessage[], text: string): void {
    const reported = this.#reported.get(paragraphId);
    // Some servers keep the results of the previous run until this one ends.
    if (!reported || text === reported.before) return;
    const where = { noteId: this.#noteId, paragraphId };
    for (const [index, { type, data }] of messages.entries()) {
      const before = reported.messages[index];
      if (before?.type === type && before.data === data) continue;
      if (
        before?.type === type &&
        (type === 'TEXT' || type === 'TABLE') &&
        data.startsWith(before.data)
      ) {
        this.#emit('PARAGRAPH_APPEND_OUTPUT', {
          ...where,
          index,
          data: data.slice(before.data.length),
        });
      } else this.#emit('PARAGRAPH_UPDATE_OUTPUT', { ...where, index, type, data });
      reported.messages[index] = { type, data };
    }
  }
}
