/** Runs code in a process of Zeppelin's interpreters. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { jsonObjectOf } from '@tiding/client/model';
import type { Completion } from '@tiding/client/protocol';
import { aborted, onAbort } from '../../base/aborted.ts';
import { ClosingInterpreter } from '../closing-interpreter.ts';
import type { InterpreterHost, Run, RunEnd } from '../contract.ts';
import { describeExit } from '../processes/process-group.ts';
import type { ZeppelinGroup } from './catalogue.ts';
import { CALL_MS, type ZeppelinProcess } from './interpreter-process.ts';
import { interpreterProperties, memoryOf } from './launch.ts';
import type { Forms } from './note-values.ts';
import { OutputMirror } from './output-mirror.ts';
import { deathOf, protocolProblem, withoutPlaces, ZeppelinProblem } from './problems.ts';
import type { interpreterContext, interpreterService } from './service.ts';
import { messagesOf, SharedProcess } from './shared-process.ts';
import { CallFailed } from './thrift/calls.ts';
import type { ThriftResult, ThriftValue } from './thrift/types.ts';

/** Time for code to stop after it was cancelled before its process is killed, in ms. */
const CANCEL_MS = 1_500;
/** Time between two questions about the progress of a run, in ms. */
const PROGRESS_MS = 500;
/** Time limit for completions, in ms. */
const EDITOR_MS = 2_000;

type Context = ThriftValue<typeof interpreterContext>;
type Result = ThriftResult<(typeof interpreterService)['interpret']>;

/** Groups that keep nothing between runs. */
const stateless: readonly string[] = ['md', 'jdbc', 'angular'];

/** A session with the interpreters of a group. Sessions on the same folder share its process. */
export class ZeppelinSession extends ClosingInterpreter {
  readonly #host: InterpreterHost;
  readonly #group: ZeppelinGroup;
  readonly #name: string;
  readonly #shared: SharedProcess;
  readonly #id = randomUUID();
  /** The process that has this session's interpreters, and the names of those that it lacks. */
  #process: ZeppelinProcess | undefined;
  #broken = new Map<string, string>();
  #hasRun = false;

  constructor(host: InterpreterHost, group: ZeppelinGroup, name: string) {
    super();
    this.#host = host;
    this.#group = group;
    this.#name = name;
    this.#shared = SharedProcess.join(host, group, name);
  }

  get state(): string | undefined {
    const isAlive = this.#process && !this.#process.hasEnded;
    return isAlive && this.#hasRun && !stateless.includes(this.#group.name)
      ? 'variables'
      : undefined;
  }

  protected async start(run: Run, signal: AbortSignal): Promise<RunEnd> {
    let process: ZeppelinProcess | undefined;
    try {
      await this.#host.prepareFiles();
      process = await Promise.race([this.#ready(run), aborted(signal)]);
      if (signal.aborted || !process) return { code: 'ABORT' };
      this.#host.setStatus('READY');
    } catch (error) {
      if (signal.aborted) return { code: 'ABORT' };
      const text = error instanceof Error ? error.message : String(error);
      const message =
        error instanceof ZeppelinProblem ? text : `%${this.#name} did not start: ${text}`;
      this.#host.setStatus('ERROR', message.split('\n')[0]);
      return { code: 'ERROR', message };
    }
    return this.#interpret(process, run, signal);
  }

  /** Returns the process with the interpreters of this session in it. */
  async #ready(run: Run): Promise<ZeppelinProcess> {
    if (this.#process?.hasEnded) {
      const { exit } = await this.#process.ended;
      this.#process = undefined;
      this.#hasRun = false;
      run.output.write(
        `The process of %${this.#name} had ended (${describeExit(exit)}) and its variables are ` +
          'lost. Starting a new one.\n',
      );
    }
    const process = await this.#shared.ready();
    if (this.#process === process) return process;
    const { folder, properties } = this.#host;
    this.#broken = new Map();
    // Interpreters look for the others of their session, so all are created before the first run.
    for (const { className } of this.#group.interpreters)
      try {
        await process.client.call(
          'createInterpreter',
          {
            intpGroupId: process.groupId,
            sessionId: this.#id,
            className,
            properties: interpreterProperties(properties, folder),
            userName: run.principal,
          },
          CALL_MS,
        );
      } catch (error) {
        if (!(error instanceof CallFailed)) throw error;
        this.#broken.set(className, error.message);
        this.#host.log('an interpreter of Zeppelin cannot be created', { className });
      }
    this.#process = process;
    return process;
  }

  /** Returns the class that a run means. */
  #classOf(variant: string | undefined): string {
    const { interpreters } = this.#group;
    return (interpreters.find(({ name }) => name === variant) ?? interpreters[0]).className;
  }

  async #interpret(process: ZeppelinProcess, run: Run, signal: AbortSignal): Promise<RunEnd> {
    const place = { sessionId: this.#id, className: this.#classOf(run.variant) };
    const reason = this.#broken.get(place.className);
    if (reason !== undefined) return { code: 'ERROR', message: reason };
    const { client } = process;
    const { values } = this.#shared;
    const mirror = new OutputMirror(run.output);
    const endEvents = this.#shared.begin(run, mirror);
    let isOver = false;
    let wasKilled = false;
    let context: Context = contextOf(run);
    const stop = async (): Promise<void> => {
      // It is repeated after half the time, because interpreters ignore it before the code starts.
      for (let turn = 0; turn < 2 && !isOver; turn += 1) {
        const cancelled = { ...place, interpreterContext: context };
        client.call('cancel', cancelled, CANCEL_MS).catch(() => undefined);
        await wait(CANCEL_MS / 2, undefined, { ref: false });
      }
      if (isOver) return;
      wasKilled = true;
      await process.kill();
    };
    const forget = onAbort(signal, () => void stop());
    let isAsking = false;
    const asking = setInterval(() => {
      if (isAsking) return;
      isAsking = true;
      client
        .call('getProgress', { ...place, interpreterContext: context }, CALL_MS)
        .then((percent) => {
          if (!isOver && percent > 0) run.progress(Math.min(100, percent));
        })
        // The end of the process is noticed elsewhere.
        .catch(() => undefined)
        .finally(() => (isAsking = false));
    }, PROGRESS_MS);
    this.#hasRun = true;
    try {
      context = await this.#contextOf(run);
      for (const { name, noteId, paragraphId, json } of await values.changed(run))
        await client.call(
          'angularObjectUpdate',
          { name, sessionId: noteId, paragraphId, object: json },
          CALL_MS,
        );
      const code = { st: run.code, interpreterContext: context };
      const result = await client.call('interpret', { ...place, ...code });
      if (signal.aborted) return { code: 'ABORT' };
      await values.show(run, result.gui, result.noteGui);
      return finish(result, mirror);
    } catch (error) {
      if (wasKilled)
        run.output.add(
          'TEXT',
          `%${this.#name} did not react to the cancellation. Its process was killed and its ` +
            'variables are lost.\n',
        );
      if (signal.aborted) return { code: 'ABORT' };
      if (error instanceof CallFailed) return { code: 'ERROR', message: error.message };
      return { code: 'ERROR', message: await this.#deathOf(process, error) };
    } finally {
      isOver = true;
      clearInterval(asking);
      forget();
      endEvents();
    }
  }

  /** Says why the connection to a process broke. A process without it is of no use. */
  async #deathOf(process: ZeppelinProcess, error: unknown): Promise<string> {
    const ended = await Promise.race([process.ended, wait(CANCEL_MS, undefined, { ref: false })]);
    if (ended) {
      const { exit, printed } = ended;
      return deathOf(this.#name, describeExit(exit), printed, memoryOf(this.#host.properties));
    }
    await process.kill();
    return protocolProblem(this.#name, error).message;
  }

  async #contextOf(run: Run): Promise<Context> {
    const [forms, note] = await Promise.all([
      this.#shared.values.forms(run),
      run.request?.('getInterpreterContext', {}).catch(() => undefined),
    ]);
    const { noteName, paragraphTitle } = jsonObjectOf(note);
    return {
      ...contextOf(run, forms),
      replName: run.variant === undefined ? this.#name : `${this.#name}.${run.variant}`,
      noteName: String(noteName ?? ''),
      paragraphTitle: String(paragraphTitle ?? ''),
    };
  }

  async complete(
    code: string,
    cursor: number,
    caller: Partial<Pick<Run, 'noteId' | 'principal' | 'variant'>> = {},
  ): Promise<Completion[]> {
    const process = this.#process;
    // Nothing is started for completions, because Java takes seconds and much memory.
    if (!process || process.hasEnded) return [];
    const { noteId = '', principal = '', variant } = caller;
    const run = { noteId, principal, paragraphId: 'completion', code, variant, options: {} };
    const found = await process.client
      .call(
        'completion',
        {
          sessionId: this.#id,
          className: this.#classOf(variant),
          buf: code,
          cursor,
          interpreterContext: contextOf(run),
        },
        EDITOR_MS,
      )
      .catch(() => []);
    return found.map(({ name = '', value = name, meta }) => ({
      name,
      value,
      ...(meta ? { meta } : {}),
    }));
  }

  override async close(): Promise<void> {
    const ended = super.close();
    const process = this.#process;
    // The last session ends the process, which closes its interpreters.
    if (this.#shared.isShared && process && !process.hasEnded) {
      await ended;
      for (const { className } of this.#group.interpreters)
        await process.client
          .call('close', { sessionId: this.#id, className }, CANCEL_MS)
          .catch(() => undefined);
    }
    await this.#shared.release();
    await ended;
  }
}

/** Shows what has not been streamed, and returns how the run ended. */
function finish({ code, msg }: Result, mirror: OutputMirror): RunEnd {
  const messages = messagesOf(msg).filter(({ data }) => data !== '');
  if (code === 'SUCCESS' || code === 'KEEP_PREVIOUS_RESULT') {
    if (code === 'SUCCESS' || messages.length > 0) mirror.updateAll(messages);
    return { code: 'SUCCESS' };
  }
  const last = messages.at(-1);
  const isText = last?.type === 'TEXT';
  mirror.updateAll(isText ? messages.slice(0, -1) : messages);
  if (code === 'INCOMPLETE')
    return {
      code: 'ERROR',
      message: `The code is incomplete.${isText ? `\n${last.data}` : ''}`,
    };
  return { code: 'ERROR', message: isText ? withoutPlaces(last.data) : 'The run failed.' };
}

function contextOf(
  run: Pick<Run, 'noteId' | 'paragraphId' | 'principal' | 'code' | 'options'>,
  { gui, noteGui }: Forms = { gui: '{}', noteGui: '{}' },
): Context {
  return {
    noteId: run.noteId,
    noteName: '',
    paragraphId: run.paragraphId,
    replName: '',
    paragraphTitle: '',
    paragraphText: run.code,
    authenticationInfo: JSON.stringify({
      user: run.principal,
      roles: [],
      ticket: '',
    }),
    config: '{}',
    gui,
    noteGui,
    localProperties: { ...run.options },
  };
}
