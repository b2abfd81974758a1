/** An interpreter whose run ends when it is closed. */
import type { Interpreter, Run, RunEnd } from './contract.ts';

/** Stops its run when it is closed, and waits for the end of it. */
export abstract class ClosingInterpreter implements Interpreter {
  readonly #closing = new AbortController();
  /** Aborts when the interpreter is closed. */
  protected readonly closing = this.#closing.signal;
  #running: Promise<unknown> = Promise.resolve();

  run(run: Run): Promise<RunEnd> {
    const result = this.start(run, AbortSignal.any([run.signal, this.closing]));
    this.#running = result.catch(() => undefined);
    return result;
  }

  /** Like `run`; `signal` also aborts when the interpreter is closed. */
  protected abstract start(run: Run, signal: AbortSignal): Promise<RunEnd>;

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }
}
