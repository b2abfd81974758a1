/**
 * Work off the main thread. The worker file is next to the code that uses it and is referenced in
 * the standard form that the build and the hosts' bundlers recognize, without anything around the
 * URL: `new Worker(new URL(…, import.meta.url), { type: 'module' })`. Comments name no file there,
 * because some bundlers look for it. If a page loads the module from elsewhere or forbids workers,
 * the same functions run on the main thread.
 */
import { startWorker } from './start-worker.ts';

/** Functions by name. Inputs and results must be supported by `postMessage`. */
type Tasks = Readonly<Record<string, (input: never) => unknown>>;

/** Calls tasks, in a worker or on the main thread. */
export interface WorkerTasks<T extends Tasks> {
  /**
   * Runs a task and resolves to its result. Rejects with the error that it throws.
   *
   * @param transfer objects to transfer to the worker, as for `postMessage`; they are not
   * transferred if no worker runs
   */
  call<Name extends keyof T & string>(
    name: Name,
    input: Parameters<T[Name]>[0],
    transfer?: Transferable[],
  ): Promise<Awaited<ReturnType<T[Name]>>>;
  /** Terminates the worker. Pending calls are rejected; the next call starts a new worker. */
  close(): void;
}

interface Question {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** Serves calls inside a worker. The worker's file calls this once. */
export function serveTasks(tasks: Tasks): void {
  const scope = globalThis as unknown as {
    onmessage: ((event: MessageEvent<Question>) => void) | null;
    postMessage(answer: Answer): void;
  };
  scope.onmessage = ({ data: { id, name, input } }) => {
    void (async () => {
      try {
        scope.postMessage({ id, value: await tasks[name]!(input as never) });
      } catch (error) {
        scope.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
      }
    })();
  };
}

interface Waiting {
  readonly question: Question;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * Runs tasks in a worker that starts with the first call.
 *
 * @param spawn creates the worker; may throw
 * @param load loads the same functions for the main thread, only if no worker can run
 */
export function createWorkerTasks<T extends Tasks>(
  spawn: () => Worker,
  load: () => Promise<T>,
): WorkerTasks<T> {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let answered = false;
  let here = false;
  let count = 0;

  const local = async ({ question, resolve, reject }: Waiting): Promise<void> => {
    try {
      resolve(await (await load())[question.name]!(question.input as never));
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const close = (reason = new Error('The background worker was closed.')): void => {
    worker?.terminate();
    worker = undefined;
    const left = [...waiting.values()];
    waiting.clear();
    for (const one of left) one.reject(reason);
  };
  const start = (): Worker | undefined => {
    try {
      const made = startWorker(spawn);
      made.onmessage = ({ data }: MessageEvent<Answer>) => {
        answered = true;
        const one = waiting.get(data.id);
        waiting.delete(data.id);
        if (data.error === undefined) one?.resolve(data.value);
        else one?.reject(new Error(data.error));
      };
      made.onerror = (event) => {
        event.preventDefault();
        // The worker has run before, so the task failed; the page's policy is not the reason.
        if (answered) return close(new Error(event.message || 'The background task failed.'));
        here = true;
        made.terminate();
        worker = undefined;
        const left = [...waiting.values()];
        waiting.clear();
        for (const one of left) void local(one);
      };
      return made;
    } catch {
      here = true;
      return undefined;
    }
  };
  return {
    call: (name, input, transfer = []) =>
      new Promise((resolve, reject) => {
        const question: Question = { id: (count += 1), name, input };
        const one: Waiting = { question, resolve: resolve as (value: unknown) => void, reject };
        worker ??= here ? undefined : start();
        if (!worker) return void local(one);
        waiting.set(question.id, one);
        // Do not transfer before the worker has answered once: if it fails to start, the call runs
        // here and would have lost the transferred objects.
        if (answered) worker.postMessage(question, transfer);
        else worker.postMessage(question);
      }),
    close: () => close(),
  };
}
