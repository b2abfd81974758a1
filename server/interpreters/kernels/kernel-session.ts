/** Runs the code of an interpreter on a Jupyter kernel. */

import { setTimeout as wait } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { jsonObjectOf } from '@tiding/client/model';
import type { Completion, JsonObject } from '@tiding/client/protocol';
import { aborted, onAbort } from '../../base/aborted.ts';
import { ClosingInterpreter } from '../closing-interpreter.ts';
import type {
  InterpreterHost,
  KeptTable,
  Run,
  RunEnd,
  TableKeeper,
  Variables,
} from '../contract.ts';
import { endLeftovers } from '../processes/process-group.ts';
import { KernelComms } from './comms/kernel-comms.ts';
import { type JupyterMessage, textOf } from './jupyter-messages.ts';
import { type KernelClient, KernelDied } from './kernel-client.ts';
import { KernelOutput } from './kernel-output.ts';
import { KernelProblem } from './kernel-problem.ts';
import { readVariables } from './kernel-variables.ts';

/** Time for code to stop after an interrupt before its process is killed, in ms. */
const interruptGrace = 1_500;
/** Time limit for completions and documentation, in ms. */
const editorLimit = 2_000;

const noVariables: Variables = { variables: [], total: 0 };
/** What the output shows instead of a password. */
const hidden = '········';

/** Starts a kernel. Rejects with the signal's reason, {@link KernelProblem} or another error. */
export type StartKernel = (signal: AbortSignal) => Promise<KernelClient>;

/** What differs between the kernels of interpreters. */
export interface KernelEngine {
  /** Name of the language in messages: `Python`. */
  readonly name: string;
  /** Installs what is missing, with its progress in the output of `run`. */
  prepare(run: Run, signal: AbortSignal): Promise<StartKernel>;
  /** Like `prepare`, but resolves to undefined if something must be installed first. */
  prepared(): Promise<StartKernel | undefined>;
  /** Called before each run, when the kernel has started. */
  beforeRun?(run: Run, signal: AbortSignal): Promise<void>;
  /** Called when a run has ended, also without a kernel. */
  afterRun?(): void;
  /** Returns the code to execute. Absent: the code of the run. */
  codeOf?(run: Run): string;
  /** Text before code of a variant, by which the kernel completes it; undefined if it can't. */
  completionPrefix?(variant: string): string | undefined;
  /** Handles a message of the kernel for the server; false for all others. */
  receive?(message: JupyterMessage, run: Run): boolean;
  /** Answers requests for input that are not for users; undefined for all others. */
  answer?(prompt: string, signal: AbortSignal, run: Run): Promise<string | undefined>;
  /** Takes over the file of a complete table. */
  adopt?(file: string, keep: TableKeeper | undefined): KeptTable | undefined;
  /** Code that displays the variables, see `kernel-variables.ts`. Absent: they can't be listed. */
  readonly variablesCode?: string | undefined;
  /** Matches frames of a traceback that are not the user's. */
  readonly hiddenFrame?: RegExp;
  /** Returns a sentence that says what to do about an error of this name and message. */
  advise?(name: string, message: string): string | undefined;
  forget?(): Promise<void>;
}

/** An interpreter whose instance is one kernel. */
export class KernelSession extends ClosingInterpreter {
  readonly #host: InterpreterHost;
  readonly #engine: KernelEngine;
  #kernel: KernelClient | undefined;
  #comms: KernelComms | undefined;
  #starting: Promise<KernelClient> | undefined;
  /** The variables listed last, and the listing that is on its way. */
  #variables: Variables = noVariables;
  #listing: Promise<void> | undefined;
  /** Whether the kernel has run code; completion starts it without. */
  #hasRun = false;

  constructor(host: InterpreterHost, engine: KernelEngine) {
    super();
    this.#host = host;
    this.#engine = engine;
    endLeftovers(host.folder);
  }

  get state(): string | undefined {
    return this.#hasRun && this.#kernel && !this.#kernel.isDead ? 'variables' : undefined;
  }

  protected start(run: Run, signal: AbortSignal): Promise<RunEnd> {
    return this.#run(run, signal).finally(() => this.#engine.afterRun?.());
  }

  async #run(run: Run, signal: AbortSignal): Promise<RunEnd> {
    let kernel: KernelClient;
    try {
      await this.#host.prepareFiles();
      kernel = await this.#ready(run, signal);
      await this.#engine.beforeRun?.(run, signal);
    } catch (error) {
      if (signal.aborted) return { code: 'ABORT' };
      const text = error instanceof Error ? error.message : String(error);
      const reason =
        error instanceof KernelProblem ? text : `${this.#engine.name} did not start: ${text}`;
      this.#host.setStatus('ERROR', firstLine(reason));
      return { code: 'ERROR', message: reason };
    }
    return this.#execute(kernel, run, signal);
  }

  /** Returns this instance's kernel. Starts one if there is none or if it has died. */
  async #ready(run: Run, signal: AbortSignal): Promise<KernelClient> {
    signal.throwIfAborted();
    if (this.#kernel?.isDead) {
      const { message } = await this.#kernel.died;
      await this.#drop();
      run.output.write(
        `The ${this.#engine.name} process had ended (${firstLine(message)}) and its variables ` +
          'are lost. Starting a new one.\n',
      );
    }
    // If completion has started a kernel, its failure is not shown anywhere. The start is repeated
    // here.
    if (this.#starting)
      await Promise.race([this.#starting.catch(() => undefined), aborted(signal)]);
    signal.throwIfAborted();
    if (this.#kernel) return this.#kernel;
    const start = await this.#engine.prepare(run, signal);
    const kernel = await Promise.race([this.#start(start), aborted(signal)]);
    signal.throwIfAborted();
    this.#host.setStatus('READY');
    return kernel ?? this.#start(start);
  }

  /** Starts the kernel unless it runs or is starting. A cancelled run does not stop the start. */
  #start(start: StartKernel): Promise<KernelClient> {
    if (this.#kernel && !this.#kernel.isDead) return Promise.resolve(this.#kernel);
    this.#starting ??= this.#startKernel(start).finally(() => (this.#starting = undefined));
    this.#starting.catch(() => undefined);
    return this.#starting;
  }

  async #startKernel(start: StartKernel): Promise<KernelClient> {
    await this.#host.prepareFiles();
    this.#kernel = await start(this.closing);
    this.#comms = new KernelComms(this.#kernel, { hiddenFrame: this.#engine.hiddenFrame });
    return this.#kernel;
  }

  async #execute(kernel: KernelClient, run: Run, signal: AbortSignal): Promise<RunEnd> {
    const { name, hiddenFrame } = this.#engine;
    const output = new KernelOutput(run.output, {
      adopt: (file) => this.#engine.adopt?.(file, run.keep),
      principal: run.principal,
      hiddenFrame,
      advise: (errorName, message) => this.#engine.advise?.(errorName, message),
      kernel: run.openComms && this.#comms?.id,
    });
    this.#comms?.begin(run, (problem) => output.print(`${problem}\n`));
    if (this.#comms) run.openComms?.(this.#comms);
    let forced = false;
    let over = false;
    /** Why the code can't have the input that it asks for. */
    let unanswered: string | undefined;
    const stop = async (): Promise<void> => {
      // The interrupt is repeated after half the time, because the kernel ignores interrupts
      // before the code starts.
      for (let turn = 0; turn < 2 && !over; turn += 1) {
        kernel.interrupt();
        await wait(interruptGrace / 2, undefined, { ref: false });
      }
      if (over) return;
      forced = true;
      await kernel.kill();
    };
    const forget = onAbort(signal, () => void stop());
    this.#hasRun = true;
    await this.#listing;
    try {
      const reply = await kernel.execute(this.#engine.codeOf?.(run) ?? run.code, {
        onMessage: (message) => {
          if (!this.#engine.receive?.(message, run)) output.receive(message);
        },
        onInput: async (question) => {
          const own = await this.#engine.answer?.(question.prompt, signal, run);
          if (own !== undefined) return own;
          try {
            if (!run.ask) throw new Error('The code asks for input, which is not available here.');
            const answer = await run.ask(question, signal);
            output.print(`${question.prompt}${question.password ? hidden : answer}\n`);
            return answer;
          } catch (error) {
            if (question.prompt) output.print(`${question.prompt}\n`);
            if (signal.aborted) return undefined;
            unanswered = (error as Error).message;
            void stop();
            return undefined;
          }
        },
      });
      await output.finish(reply);
      if (output.exits) {
        await this.#drop();
        run.output.add('TEXT', `The code ended the ${name} process. Its variables are lost.\n`);
      }
      if (signal.aborted) return { code: 'ABORT' };
      if (unanswered !== undefined) return { code: 'ERROR', message: unanswered };
      return output.error === undefined
        ? { code: 'SUCCESS' }
        : { code: 'ERROR', message: output.error };
    } catch (error) {
      if (!(error instanceof KernelDied)) throw error;
      await output.finish({});
      await this.#drop();
      if (forced)
        run.output.add(
          'TEXT',
          `${name} did not react to the interrupt. Its process was killed and its variables are ` +
            'lost.\n',
        );
      if (signal.aborted) return { code: 'ABORT' };
      if (unanswered !== undefined) return { code: 'ERROR', message: unanswered };
      const memory = error.exit?.signal === 'SIGKILL' ? ', perhaps due to lack of memory' : '';
      const [exit, ...rest] = error.message.split('\n');
      const details = rest.length > 0 ? `\n${rest.join('\n')}` : '';
      return {
        code: 'ERROR',
        message:
          `The ${name} process ended (${exit}${memory}) and its variables are lost. ` +
          `The next run starts a new one.${details}`,
      };
    } finally {
      over = true;
      forget();
    }
  }

  /** Ends the kernel and deletes its files. */
  async #drop(): Promise<void> {
    const kernel = this.#kernel;
    this.#kernel = undefined;
    this.#hasRun = false;
    this.#variables = noVariables;
    await kernel?.kill();
    await this.#engine.forget?.();
  }

  async complete(
    code: string,
    cursor: number,
    caller?: Pick<Run, 'variant'>,
  ): Promise<Completion[]> {
    const before =
      caller?.variant === undefined ? '' : this.#engine.completionPrefix?.(caller.variant);
    if (before === undefined) return [];
    const [text, at] = [before + code, before.length + cursor];
    const reply = await this.#ask('complete', text, at, () => this.#idleKernel());
    return reply ? completionsOf(reply, text, at) : [];
  }

  async inspect(code: string, cursor: number, hover: boolean): Promise<string | undefined> {
    const reply = await this.#ask('inspect', code, cursor, () =>
      hover && !this.#kernel ? Promise.resolve(undefined) : this.#idleKernel(),
    );
    const text = textOf(jsonObjectOf(reply?.['data'])['text/plain']);
    return stripVTControlCharacters(text).trim() || undefined;
  }

  /** Asks a kernel about a place in code. Resolves to undefined if it can't answer in time. */
  async #ask(
    request: 'complete' | 'inspect',
    code: string,
    cursor: number,
    kernelFor: () => Promise<KernelClient | undefined>,
  ): Promise<JsonObject | undefined> {
    const deadline = performance.now() + editorLimit;
    const late = wait(editorLimit, undefined, { ref: false });
    try {
      const kernel = await Promise.race([kernelFor(), late]);
      const position = [...code.slice(0, cursor)].length;
      return await kernel?.[request](code, position, deadline - performance.now());
    } catch (error) {
      this.#host.log(`a kernel failed to ${request} code`, {
        error: error instanceof Error ? error.message : String(error),
      });
      return undefined;
    }
  }

  async variables(): Promise<(Variables & { readonly isBusy: boolean }) | undefined> {
    const kernel = this.#kernel;
    const code = this.#engine.variablesCode;
    if (!code) return undefined;
    if (!kernel || kernel.isDead || !this.#hasRun) return { ...noVariables, isBusy: false };
    if (!this.#listing && kernel.isBusy) return { ...this.#variables, isBusy: true };
    this.#listing ??= readVariables(kernel, code)
      .then((listed) => void (this.#variables = listed ?? this.#variables))
      // The next run says that the kernel has died.
      .catch(() => undefined)
      .finally(() => (this.#listing = undefined));
    await this.#listing;
    return { ...this.#variables, isBusy: false };
  }

  /** Returns the kernel if it is idle. Starts one if nothing has to be installed first. */
  async #idleKernel(): Promise<KernelClient | undefined> {
    if (this.#starting) return this.#starting;
    if (this.#kernel) return this.#kernel.isBusy || this.#kernel.isDead ? undefined : this.#kernel;
    const start = await this.#engine.prepared();
    return start && !this.closing.aborted ? this.#start(start) : undefined;
  }

  override async close(): Promise<void> {
    const ended = super.close();
    await this.#starting?.catch(() => undefined);
    await this.#kernel?.kill();
    await ended;
    await this.#drop();
  }
}

/**
 * Converts completions for the editor: `value` replaces the name before the cursor, without its
 * prefix, for example `os.`.
 */
function completionsOf(reply: JsonObject, code: string, cursor: number): Completion[] {
  const matches = Array.isArray(reply['matches'])
    ? reply['matches'].filter((match) => typeof match === 'string')
    : [];
  const typed = /[\p{L}\p{N}_]*$/u.exec(code.slice(0, cursor))?.[0] ?? '';
  const start = Number(reply['cursor_start']);
  const from = Number.isInteger(start) ? [...code].slice(0, start).join('').length : cursor;
  const lead = code.slice(from, Math.max(from, cursor - typed.length));
  const types = jsonObjectOf(reply['metadata'])['_jupyter_types_experimental'];
  const kinds = new Map(
    (Array.isArray(types) ? types : [])
      .map(jsonObjectOf)
      .map((entry) => [textOf(entry['text']), textOf(entry['type'])]),
  );
  return matches.map((match) => {
    const value = lead && match.startsWith(lead) ? match.slice(lead.length) : match;
    const meta = kinds.get(match);
    return { name: value, value, ...(meta && meta !== '<unknown>' ? { meta } : {}) };
  });
}

const firstLine = (text: string): string => text.split('\n')[0]!;
