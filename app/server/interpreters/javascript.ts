/** `%js`: JavaScript in a Node process of its own. */
import { mkdir, realpath } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import { childEnvironment } from './child-environment.ts';
import type { Interpreter, InterpreterHost, InterpreterSpec, Run, RunEnd } from './contract.ts';
import { injectProperty } from './credential-text.ts';
import { javascriptRunner } from './javascript-runner.ts';
import { prepareJavaScript } from './javascript-source.ts';
import { describeExit, endLeftovers, startGroup, type ProcessGroup } from './process-group.ts';
import { quoteText } from './sql-script.ts';

/** Memory of a process for objects, in MB. */
const memoryLimit = 512;
/** A message longer than this ends the process. */
const longestMessage = 128 * 1024 ** 2;

const message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('output'),
    kind: z.enum(['TABLE', 'HTML', 'TEXT']),
    data: z.string(),
  }),
  z.object({
    type: z.literal('put'),
    id: z.number(),
    name: z.string(),
    columns: z.array(
      z.tuple([
        z.string(),
        z.enum(['HUGEINT', 'BIGINT', 'DOUBLE', 'BOOLEAN', 'TIMESTAMP', 'VARCHAR']),
      ]),
    ),
    rows: z.array(z.unknown()),
  }),
  z.object({ type: z.literal('credential'), id: z.number(), entity: z.string() }),
  z.object({
    type: z.literal('request'),
    id: z.number(),
    run: z.number(),
    operation: z.string(),
    values: z.record(z.string(), z.unknown()),
  }),
  z.object({ type: z.literal('end'), id: z.number(), error: z.optional(z.string()) }),
]);
type Message = z.infer<typeof message>;

/**
 * One process per instance keeps the variables between runs. Node's permission model confines file access to
 * `host.files` (also when `host.openFiles` is true) and refuses child processes, workers and native add-ons. It is no
 * sandbox: the network is not blocked, signals to the account's other processes are not, and symbolic links inside the
 * folder are followed.
 */
export const javascript: InterpreterSpec = {
  name: 'js',
  aliases: ['javascript'],
  properties: [injectProperty],
  editor: { language: 'javascript', editOnDblClick: false, completionSupport: false },
  create: (host) => new JavaScriptInterpreter(host),
};

/** What a run waits for. */
interface Waiting {
  readonly id: number;
  readonly run: Run;
  readonly signal: AbortSignal;
  end(error: string | undefined): void;
}

class JavaScriptInterpreter implements Interpreter {
  readonly #host: InterpreterHost;
  readonly #closing = new AbortController();
  #process: ProcessGroup | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #waiting: Waiting | undefined;
  #stderr = '';
  #runs = 0;

  constructor(host: InterpreterHost) {
    this.#host = host;
    endLeftovers(host.folder);
  }

  run(run: Run): Promise<RunEnd> {
    const result = this.#run(run, AbortSignal.any([run.signal, this.#closing.signal]));
    this.#running = result.catch(() => undefined);
    return result;
  }

  async #run(run: Run, signal: AbortSignal): Promise<RunEnd> {
    if (signal.aborted) return { code: 'ABORT' };
    const prepared = await prepareJavaScript(run.code);
    const group = this.#process ?? (await this.#start());
    const id = (this.#runs += 1);
    const stop = (): void => void group.end(0);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    let onClose = (): void => undefined;
    const closed = new Promise<void>((resolve) => group.child.once('close', (onClose = resolve)));
    try {
      const ended = new Promise<{ error: string | undefined }>((resolve) => {
        this.#waiting = { id, run, signal, end: (error) => resolve({ error }) };
      });
      command(group, { type: 'run', id, ...prepared });
      const end = await Promise.race([ended, group.exited]);
      if (signal.aborted) {
        // Nothing of the run may go on, so the process goes, whatever it was doing.
        await group.end(0);
        this.#process = undefined;
        run.output.add('TEXT', 'The JavaScript process was ended; its variables are lost.\n');
        return { code: 'ABORT' };
      }
      if ('error' in end)
        return end.error === undefined
          ? { code: 'SUCCESS' }
          : { code: 'ERROR', message: end.error };
      this.#process = undefined;
      // What it printed last may still be in the pipe.
      await Promise.race([closed, wait(250, undefined, { ref: false })]);
      const memory = /heap out of memory|Allocation failed/.test(this.#stderr);
      const reason = memory
        ? `it needed more than its ${memoryLimit} MB of memory`
        : describeExit(end);
      const details =
        memory || end.code !== null
          ? ''
          : `\n${this.#stderr.trim().split('\n').slice(0, 3).join('\n')}`.trimEnd();
      const message = `The JavaScript process ended (${reason}); its variables are lost. The next run starts a new one.${details}`;
      return { code: 'ERROR', message };
    } finally {
      signal.removeEventListener('abort', stop);
      // The process lives on, through thousands of runs.
      group.child.off('close', onClose);
      this.#waiting = undefined;
    }
  }

  async #start(): Promise<ProcessGroup> {
    const { files, folder } = this.#host;
    await mkdir(files, { recursive: true });
    const group = await startGroup(process.execPath, await nodeArguments(files), {
      cwd: files,
      env: childEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      folder,
    });
    this.#process = group;
    this.#stderr = '';
    group.child.stdout?.resume();
    group.child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => (this.#stderr = (this.#stderr + text).slice(-8_000)));
    readLines(group, (line) => this.#take(group, line));
    // Writing to a process that has just died.
    commandPipe(group).on('error', () => undefined);
    void group.exited.then(() => {
      if (this.#process === group) this.#process = undefined;
    });
    return group;
  }

  /** A message of the process, which runs code of users: anything may come. */
  #take(group: ProcessGroup, line: string): void {
    const waiting = this.#waiting;
    let parsed: Message;
    try {
      parsed = z.parse(message, JSON.parse(line));
    } catch {
      return;
    }
    if (!waiting) return;
    if (parsed.type === 'text') waiting.run.output.write(parsed.text);
    else if (parsed.type === 'output') waiting.run.output.add(parsed.kind, parsed.data);
    else if (parsed.type === 'credential') this.#tell(group, parsed);
    else if (parsed.type === 'request') void this.#request(group, parsed, waiting);
    else if (parsed.type === 'put') void this.#put(group, parsed, waiting.signal);
    else if (parsed.id === waiting.id) waiting.end(parsed.error);
  }

  /** A login, for who runs this alone. */
  #tell(group: ProcessGroup, { id, entity }: Message & { type: 'credential' }): void {
    try {
      const { username, password } = this.#host.credential(entity);
      command(group, { type: 'answer', id, value: { username, password } });
    } catch (error) {
      command(group, {
        type: 'answer',
        id,
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  /** What the code of the run asks of its note. */
  async #request(
    group: ProcessGroup,
    { id, run, operation, values }: Message & { type: 'request' },
    waiting: Waiting,
  ): Promise<void> {
    try {
      if (run !== waiting.id) throw new Error(`z.${operation}: the run that asked is over.`);
      if (!waiting.run.request) throw new Error(`z.${operation}: there is no note here.`);
      command(group, { type: 'answer', id, value: await waiting.run.request(operation, values) });
    } catch (error) {
      command(group, {
        type: 'answer',
        id,
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  /** Rows become a table by way of the SQL engine, the one that can write Parquet. */
  async #put(
    group: ProcessGroup,
    { id, name, columns, rows }: Message & { type: 'put' },
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const structure = quoteText(JSON.stringify([Object.fromEntries(columns)]));
      // From VALUES, because the engine takes seconds over a large constant argument.
      const values = `(VALUES (${quoteText(JSON.stringify(rows))}::JSON)) t(rows)`;
      const query = `SELECT unnest(from_json(rows, ${structure}), recursive := true) FROM ${values}`;
      await this.#host.tables.importTable(
        name,
        await this.#host.tables.exportTable(query, signal),
        signal,
      );
      command(group, { type: 'answer', id });
    } catch (error) {
      command(group, {
        type: 'answer',
        id,
        error: `z.put: ${error instanceof Error ? error.message : String(error)}`,
      });
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    await this.#process?.end(0);
    this.#process = undefined;
  }
}

async function nodeArguments(files: string): Promise<string[]> {
  const permission = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  // Naming the folder itself too makes Node 20 abort: the wildcard covers it.
  const folders = [...new Set([files, await realpath(files)])].map((folder) => `${folder}/*`);
  const quiet = ['ExperimentalWarning', 'SecurityWarning'].map(
    (kind) => `--disable-warning=${kind}`,
  );
  return [
    permission,
    ...folders.flatMap((folder) => [`--allow-fs-read=${folder}`, `--allow-fs-write=${folder}`]),
    `--max-old-space-size=${memoryLimit}`,
    ...quiet,
    '--input-type=commonjs',
    '--eval',
    javascriptRunner,
    '--',
    files,
  ];
}

const commandPipe = (group: ProcessGroup): Writable => group.child.stdio[4] as Writable;

function command(group: ProcessGroup, value: Record<string, unknown>): void {
  commandPipe(group).write(`${JSON.stringify(value)}\n`);
}

function readLines(group: ProcessGroup, take: (line: string) => void): void {
  const pipe = group.child.stdio[3] as Readable;
  // Pieces are put together once, when the line is complete: a table may come in a thousand of them.
  let pieces: string[] = [];
  let length = 0;
  pipe.on('error', () => undefined);
  pipe.setEncoding('utf8').on('data', (text: string) => {
    pieces.push(text);
    length += text.length;
    if (length > longestMessage) void group.end(0);
    if (!text.includes('\n')) return;
    const lines = pieces.join('').split('\n');
    const rest = lines.pop() ?? '';
    pieces = [rest];
    length = rest.length;
    lines.forEach(take);
  });
}
