import { type CallOptions, type Deferred, deferred } from '../../core/abort.ts';
import { type ErrorCode, TidingError } from '../../core/errors.ts';
import type { ParagraphState } from '../../core/state.ts';

/** Creates an error of a commit. */
export const commitError = (code: ErrorCode, message: string): TidingError =>
  new TidingError(code, message, { operation: 'COMMIT_PARAGRAPH' });

/** Returns why the draft of a paragraph can't be committed in its current state. */
export function commitObstacle({ removed, conflict }: ParagraphState): TidingError | undefined {
  if (removed) return commitError('not-found', 'The paragraph was removed.');
  return conflict
    ? commitError('conflict', 'The paragraph was changed by another user.')
    : undefined;
}

/** Callers that wait until the draft of a paragraph is saved. */
export class PendingCommits {
  readonly #waiting = new Map<string, Deferred<void>[]>();

  /** Returns a promise that settles when the commits of the paragraph do. */
  add(paragraphId: string, options: CallOptions): Promise<void> {
    const done = deferred<void>('COMMIT_PARAGRAPH', options);
    this.#waiting.set(paragraphId, [...(this.#waiting.get(paragraphId) ?? []), done]);
    return done.promise;
  }

  /** Ids of the paragraphs that somebody waits for. */
  get paragraphIds(): Iterable<string> {
    return this.#waiting.keys();
  }

  /** Whether a caller still waits: none that was aborted or timed out. */
  isAwaited(paragraphId: string): boolean {
    return this.#waiting.get(paragraphId)?.some((done) => !done.settled) ?? false;
  }

  resolve(paragraphId: string): void {
    this.#take(paragraphId).forEach((done) => done.resolve());
  }

  reject(paragraphId: string, error: unknown): void {
    this.#take(paragraphId).forEach((done) => done.reject(error));
  }

  #take(paragraphId: string): readonly Deferred<void>[] {
    const waiting = this.#waiting.get(paragraphId) ?? [];
    this.#waiting.delete(paragraphId);
    return waiting;
  }
}
