/** A worker thread that handles one request at a time, each within a time limit. */
import { Worker } from 'node:worker_threads';
import { Turns } from '../base/turns.ts';

/** How a request waits for its turn. */
export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /** Who asks; the askers take turns. By default, all are one asker. */
  readonly asker?: string | undefined;
}

interface DeadlineOptions {
  /** Time limit of a request, in ms, from the moment the worker begins it. */
  readonly limitMs: number;
  /** Message of the error for a request that takes longer, or needs too much memory. */
  readonly tooLong: string;
}

/** Time limit for the thread to start, in ms. Starting is slow on a busy machine. */
const START_MS = 30_000;
/** Memory of the thread's objects, in MB. */
const MAX_HEAP_MB = 512;

/**
 * Runs requests in a worker thread that stays warm. After a request exceeds its limits, the thread
 * is replaced; the other requests are not affected.
 */
export class DeadlineWorker<Question, Answer> {
  readonly #program: string;
  readonly #options: DeadlineOptions;
  #worker: Promise<Worker> | undefined;
  readonly #turns = new Turns();

  /**
   * `program` is the source of a CommonJS module that answers each message with one message.
   * `workerData.from` is a file to resolve dependencies from.
   */
  constructor(program: string, options: DeadlineOptions) {
    this.#program = program;
    this.#options = options;
  }

  /** Resolves to the answer. Rejects with a one-sentence message, or with the signal's reason. */
  ask(question: Question, { signal, asker = '' }: AskOptions = {}): Promise<Answer> {
    return this.#turns.take(asker, () => this.#handle(question, signal));
  }

  #start(): Promise<Worker> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(
        `${this.#program}\nrequire('node:worker_threads').parentPort.postMessage('ready');`,
        {
          eval: true,
          workerData: { from: import.meta.url },
          env: {},
          execArgv: [],
          resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
        },
      );
      const late = setTimeout(() => {
        void worker.terminate();
        reject(new Error('The worker thread did not start.'));
      }, START_MS);
      worker.once('message', () => {
        clearTimeout(late);
        worker.off('error', reject);
        // Between requests it does not keep the process alive.
        worker.unref();
        worker.once('exit', () => (this.#worker = undefined));
        // Without a listener an error would end the process.
        worker.on('error', () => {});
        resolve(worker);
      });
      worker.once('error', reject);
    });
  }

  async #handle(question: Question, signal: AbortSignal | undefined): Promise<Answer> {
    signal?.throwIfAborted();
    this.#worker ??= this.#start();
    const worker = await this.#worker.catch((error: Error) => {
      this.#worker = undefined;
      throw error;
    });
    signal?.throwIfAborted();
    worker.ref();
    const finished = new AbortController();
    try {
      return await new Promise<Answer>((resolve, reject) => {
        const { tooLong, limitMs } = this.#options;
        const timer = setTimeout(() => reject(new Error(tooLong)), limitMs);
        const onExit = (): void => reject(new Error(tooLong));
        const onAbort = (): void => reject(signal?.reason);
        worker.once('message', resolve);
        worker.once('exit', onExit);
        signal?.addEventListener('abort', onAbort, { once: true });
        finished.signal.addEventListener('abort', () => {
          clearTimeout(timer);
          worker.off('message', resolve);
          worker.off('exit', onExit);
          signal?.removeEventListener('abort', onAbort);
        });
        worker.postMessage(question);
      });
    } catch (error) {
      // The thread may be in an endless computation.
      this.#worker = undefined;
      void worker.terminate();
      throw error;
    } finally {
      finished.abort();
      worker.unref();
    }
  }
}
