/** Timers that save the drafts of a note some time after the last edit. */
export class Autosave {
  readonly #delay: number;
  readonly #save: (paragraphId: string) => void;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  /** `delay`: time from the last edit to saving, in ms; 0 turns autosave off. */
  constructor(delay: number, save: (paragraphId: string) => void) {
    this.#delay = delay;
    this.#save = save;
  }

  /** Starts or restarts the timer of a paragraph. */
  schedule(paragraphId: string): void {
    this.cancel(paragraphId);
    if (this.#delay === 0) return;
    this.#timers.set(
      paragraphId,
      setTimeout(() => {
        this.#timers.delete(paragraphId);
        this.#save(paragraphId);
      }, this.#delay),
    );
  }

  isScheduled(paragraphId: string): boolean {
    return this.#timers.has(paragraphId);
  }

  cancel(paragraphId: string): void {
    clearTimeout(this.#timers.get(paragraphId));
    this.#timers.delete(paragraphId);
  }

  /** Stops all timers. */
  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}
