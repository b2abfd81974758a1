/** `%js`: JavaScript in a separate Node.js process. */
import { realpath } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import { onAbort } from '../base/aborted.ts';
import { ClosingInterpreter } from './closing-interpreter.ts';
import type { InterpreterHost, InterpreterSpec, Run, RunEnd } from './contract.ts';
import { injectProperty } from './credential-text.ts';
import { prepareJavaScript } from './javascript-source.ts';
import { childEnvironment } from './processes/child-environment.ts';
import {
  describeExit,
  endLeftovers,
  type ProcessGroup,
  startGroup,
} from './processes/process-group.ts';
import runner from './programs/runner.cjs?raw';
import { quoteText } from './sql/script.ts';

/** Heap limit of a process, in MB. */
const memoryLimit = 512;
/** Maximum message length in characters; a longer one ends the process. */
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
 * One process per instance keeps the variables between runs. Node's permission model confines file
 * access to `host.fileFolders` (also when `host.openFiles` is true) and refuses child processes,
 * workers and native add-ons. This is not a sandbox: code can use the network, send signals to
 * other processes of the account, and follow symbolic links inside the folder.
 */
export const javascript: InterpreterSpec = {
  name: 'js',
  aliases: ['javascript'],
  sharing: { perNote: 'isolated', perUser: '' },
  properties: [injectProperty],
  editor: { language: 'javascript', editOnDblClick: false, completionSupport: false },
  create: (host) => new JavaScriptInterpreter(host),
};

/** The active run and its callbacks. */
interface ActiveRun {
  readonly id: number;
  readonly run: Run;
  readonly signal: AbortSignal;
  end(error: string | undefined): void;
}

class JavaScriptInterpreter extends ClosingInterpreter {
  readonly #host: InterpreterHost;
  #process: ProcessGroup | undefined;
  #active: ActiveRun | undefined;
  #stderr = '';
  #runs = 0;

  constructor(host: InterpreterHost) {
    super();
    this.#host = host;
    endLeftovers(host.folder);
  }

  get state(): string | undefined {
    return this.#process ? 'variables' : undefined;
  }

  protected async start(run: Run, signal: AbortSignal): Promise<RunEnd> {
    if (signal.aborted) return { code: 'ABORT' };
    const prepared = await prepareJavaScript(run.code);
    await this.#host.prepareFiles();
    const group = this.#process ?? (await this.#start());
    const id = (this.#runs += 1);
    const forget = onAbort(signal, () => void group.end(0));
    let onClose = (): void => undefined;
    const closed = new Promise<void>((resolve) => group.child.once('close', (onClose = resolve)));
    try {
      const ended = new Promise<{ error: string | undefined }>((resolve) => {
        this.#active = { id, run, signal, end: (error) => resolve({ error }) };
      });
      command(group, { type: 'run', id, ...prepared });
      const end = await Promise.race([ended, group.exited]);
      if (signal.aborted) {
        // The code may still be running, so the process must end.
        await group.end(0);
        this.#process = undefined;
        run.output.add('TEXT', 'The JavaScript process was stopped and its variables are lost.\n');
        return { code: 'ABORT' };
      }
      if ('error' in end)
        return end.error === undefined
          ? { code: 'SUCCESS' }
          : { code: 'ERROR', message: end.error };
      this.#process = undefined;
      // The last output may still be in the pipe.
      await Promise.race([closed, wait(250, undefined, { ref: false })]);
      const memory = /heap out of memory|Allocation failed/.test(this.#stderr);
      const reason = memory
        ? `it needed more than its ${memoryLimit} MB of memory`
        : describeExit(end);
      const details =
        memory || end.code !== null
          ? ''
          : `\n${this.#stderr.trim().split('\n').slice(0, 3).join('\n')}`.trimEnd();
      const message =
        `The JavaScript process ended (${reason}) and its variables are lost. ` +
        `The next run starts a new one.${details}`;
      return { code: 'ERROR', message };
    } finally {
      forget();
      // The process stays alive for thousands of runs, so listeners must be removed.
      group.child.off('close', onClose);
      this.#active = undefined;
    }
  }

  async #start(): Promise<ProcessGroup> {
    const { fileFolders, files, folder } = this.#host;
    const group = await startGroup(process.execPath, await nodeArguments(files, fileFolders), {
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
    readLines(group, (line) => this.#receive(group, line));
    // Ignores errors from writing to a process that has just ended.
    commandPipe(group).on('error', () => undefined);
    void group.exited.then(() => {
      if (this.#process === group) this.#process = undefined;
    });
    return group;
  }

  /** Handles a message of the process. It runs user code, so messages are untrusted. */
  #receive(group: ProcessGroup, line: string): void {
    const active = this.#active;
    let parsed: Message;
    try {
      parsed = z.parse(message, JSON.parse(line));
    } catch {
      return;
    }
    if (!active) return;
    if (parsed.type === 'text') active.run.output.write(parsed.text);
    else if (parsed.type === 'output') active.run.output.add(parsed.kind, parsed.data);
    else if (parsed.type === 'credential')
      void this.#answer(group, parsed.id, () => {
        const { username, password } = this.#host.credential(parsed.entity);
        return { username, password };
      });
    else if (parsed.type === 'request')
      void this.#answer(group, parsed.id, () => this.#request(parsed, active));
    else if (parsed.type === 'put')
      void this.#answer(group, parsed.id, () => this.#put(parsed, active.signal), 'z.put: ');
    else if (parsed.id === active.id) active.end(parsed.error);
  }

  /** Answers a message with the result of work, or with its error after `lead`. */
  async #answer(group: ProcessGroup, id: number, work: () => unknown, lead = ''): Promise<void> {
    try {
      command(group, { type: 'answer', id, value: await work() });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      command(group, { type: 'answer', id, error: `${lead}${text}` });
    }
  }

  /** Sends a request to the note. */
  #request(
    { run, operation, values }: Message & { type: 'request' },
    active: ActiveRun,
  ): Promise<unknown> {
    if (run !== active.id) throw new Error(`z.${operation}: the run has already ended.`);
    if (!active.run.request) throw new Error(`z.${operation}: not available outside a note.`);
    return active.run.request(operation, values);
  }

  /** Creates a table through the SQL engine, because only that engine writes Parquet. */
  async #put(
    { name, columns, rows }: Message & { type: 'put' },
    signal: AbortSignal,
  ): Promise<void> {
    const { tables } = this.#host;
    const structure = quoteText(JSON.stringify([Object.fromEntries(columns)]));
    // VALUES is used because a large constant argument takes the engine seconds.
    const values = `(VALUES (${quoteText(JSON.stringify(rows))}::JSON)) t(rows)`;
    const columnsOf = `unnest(from_json(rows, ${structure}), recursive := true)`;
    const query = `SELECT ${columnsOf} FROM ${values}`;
    await tables.importTable(name, await tables.exportTable(query, signal), signal);
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#process?.end(0);
    this.#process = undefined;
  }
}

async function nodeArguments(files: string, all: readonly string[]): Promise<string[]> {
  const permission = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  // Node 20 aborts if the folder itself is listed too. The wildcard covers it.
  const real = await Promise.all(all.map((folder) => realpath(folder).catch(() => folder)));
  const folders = [...new Set([...all, ...real])].map((folder) => `${folder}/*`);
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
    // As text, because the server may be bundled into one file.
    runner,
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
  // Pieces are joined only when the line is complete, because a table may arrive in a thousand
  // pieces.
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
