/**
 * Work off the main thread. A worker file stands beside the code that wants it and is named in the standard's own way, which
 * the build and the bundlers of hosts know: `new Worker(new URL('./sums.worker.ts', import.meta.url), { type: 'module' })`.
 * A page may have the module from elsewhere or forbid workers: then the same functions run here.
 */

/** Functions by name; what goes in and comes out is what `postMessage` can carry. */
export type Tasks = Readonly<Record<string, (input: never) => unknown>>;

/** Calls of tasks, wherever they run. */
export interface Background<T extends Tasks> {
  /**
   * The answer of a task. Rejects with what it threw.
   *
   * @param transfer what the worker takes over, as `postMessage` has it; it stays here where no worker runs
   */
  call<Name extends keyof T & string>(
    name: Name,
    input: Parameters<T[Name]>[0],
    transfer?: Transferable[],
  ): Promise<Awaited<ReturnType<T[Name]>>>;
  /** Ends the worker. What is still being done is rejected; the next call starts another. */
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

/** Answers calls in a worker; its file calls this once. */
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
 * Tasks in a worker that starts with the first call.
 *
 * @param spawn makes the worker; may throw
 * @param load the same functions for this thread, loaded only where there is no worker
 */
export function createBackground<T extends Tasks>(
  spawn: () => Worker,
  load: () => Promise<T>,
): Background<T> {
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
  const close = (reason = new Error('the work was ended')): void => {
    worker?.terminate();
    worker = undefined;
    const left = [...waiting.values()];
    waiting.clear();
    for (const one of left) one.reject(reason);
  };
  const start = (): Worker | undefined => {
    try {
      const made = spawn();
      made.onmessage = ({ data }: MessageEvent<Answer>) => {
        answered = true;
        const one = waiting.get(data.id);
        waiting.delete(data.id);
        if (data.error === undefined) one?.resolve(data.value);
        else one?.reject(new Error(data.error));
      };
      made.onerror = (event) => {
        event.preventDefault();
        // It ran before: this is a fault of the work, and not of the page's policy.
        if (answered) return close(new Error(event.message || 'the work failed'));
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
        // A worker that was found not to start has its questions answered here: what was handed over would be lost to that.
        if (answered) worker.postMessage(question, transfer);
        else worker.postMessage(question);
      }),
    close: () => close(),
  };
}
