/** Requests to a Jupyter kernel, regardless of how its messages are carried. */

import { setTimeout as wait } from 'node:timers/promises';
import { jsonObjectOf } from '@tiding/client/model';
import type { JsonObject } from '@tiding/client/protocol';
import type { InputQuestion } from '../input-question.ts';
import type { Exit } from '../processes/process-group.ts';
import { type JupyterMessage, type MessageExtras, textOf } from './jupyter-messages.ts';

/** Time limit for a kernel to start, in ms. */
export const START_LIMIT_MS = 60_000;
/** Time for what was printed before a question to arrive, in ms: it comes on another socket. */
const PRINTED_BEFORE_MS = 20;

/** Listeners of one execution. */
interface ExecuteHandlers {
  /** Receives a message of the execution from the IOPub channel: `stream`, `error`, … */
  onMessage(message: JupyterMessage): void;
  /** Returns a line of text that the kernel requests; undefined if there will be no answer. */
  onInput(question: InputQuestion): Promise<string | undefined>;
}

/** The kernel has ended or is out of reach. The first line of `message` says how. */
export class KernelDied extends Error {
  override readonly name = 'KernelDied';
  /** How its process ended, if it was a process of this machine. */
  readonly exit: Exit | undefined;
  constructor(message: string, exit?: Exit) {
    super(message);
    this.exit = exit;
  }
}

const MAX_LATEST = 100;

interface Execution extends ExecuteHandlers {
  readonly id: string;
  readonly silent: boolean;
  idle(): void;
}

/** Channels on which requests are sent. */
export type RequestChannel = 'shell' | 'stdin' | 'control';

/** A running kernel. It handles one execution at a time. */
export abstract class KernelClient {
  readonly #replies = new Map<string, (message: JupyterMessage) => void>();
  readonly #onDeath = new Set<(died: KernelDied) => void>();
  #resolveDied: (died: KernelDied) => void = () => undefined;
  readonly died: Promise<KernelDied> = new Promise((resolve) => (this.#resolveDied = resolve));
  #execution: Execution | undefined;
  /** Ids of the latest requests. The last one is the parent of what threads print. */
  #latest: string[] = [];
  #isSubscribed = false;
  /** Version of its language; empty until it has answered. */
  languageVersion = '';
  /** Number of messages of the output channel so far. */
  #received = 0;
  #isDead = false;
  /**
   * Receives every message of the output channel first. Returns whether the message is handled:
   * then it is not part of the execution.
   */
  onOutput: (message: JupyterMessage) => boolean = () => false;

  get isDead(): boolean {
    return this.#isDead;
  }

  get isBusy(): boolean {
    return this.#execution !== undefined;
  }

  /** Sends a message and returns its id. `parent` is the header of the message it answers. */
  protected abstract send(
    channel: RequestChannel,
    type: string,
    content: JsonObject,
    parent?: JsonObject,
    extras?: MessageExtras,
  ): string;

  #ask(...call: [type: string, content: JsonObject, parent?: JsonObject, extras?: MessageExtras]) {
    const id = this.send('shell', ...call);
    this.#latest = [...this.#latest.slice(1 - MAX_LATEST), id];
    return id;
  }

  /** Whether an output belongs to an earlier request, and no code of a paragraph runs. */
  isLate({ parentId }: JupyterMessage): boolean {
    const { id, silent = true } = this.#execution ?? {};
    return silent && parentId !== id && this.#latest.includes(parentId);
  }

  /** Interrupts the running code, as Ctrl-C does. */
  abstract interrupt(): void;

  /** Ends the kernel. Resolves when it is gone. */
  abstract kill(): Promise<void>;

  /** Makes all requests reject; called once when the kernel has ended. */
  protected end(died: KernelDied): void {
    if (this.#isDead) return;
    this.#isDead = true;
    for (const fail of this.#onDeath) fail(died);
    this.#resolveDied(died);
  }

  protected receive(channel: string, message: JupyterMessage): void {
    if (channel === 'iopub') this.#onOutput(message);
    else if (channel === 'stdin') void this.#answer(message);
    else this.#replies.get(message.parentId)?.(message);
  }

  /**
   * Waits until the kernel answers and its outputs arrive. Outputs sent before the subscription is
   * active are lost, so requests are repeated until a message arrives on that channel. Resolves to
   * the kernel's description of itself.
   */
  protected async greet(details: () => string): Promise<JsonObject> {
    const deadline = performance.now() + START_LIMIT_MS;
    let info: JsonObject | undefined;
    while ((!this.#isSubscribed || !info) && !this.#isDead) {
      if (performance.now() > deadline)
        throw new Error(`The kernel did not answer within a minute.\n${details()}`.trimEnd());
      const asked = this.#request('kernel_info_request', {}).then((content) => (info ??= content));
      // A late reply counts too.
      asked.catch(() => undefined);
      await Promise.race([asked, wait(1000)]);
      for (let turn = 0; turn < 10 && !this.#isSubscribed; turn += 1) await wait(10);
    }
    this.languageVersion = textOf(jsonObjectOf(info?.['language_info'])['version']);
    return info ?? {};
  }

  async #request(type: string, content: JsonObject): Promise<JsonObject> {
    return (await this.#replyTo(this.#ask(type, content))).content;
  }

  /** Resolves to the reply to a request. */
  async #replyTo(id: string): Promise<JupyterMessage> {
    try {
      const reply = new Promise<JupyterMessage>((resolve) => this.#replies.set(id, resolve));
      return await this.untilDeath(reply);
    } finally {
      this.#replies.delete(id);
    }
  }

  /** Like `work`, but rejects with {@link KernelDied} if the kernel ends first. */
  protected untilDeath<T>(work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#isDead) void this.died.then(reject);
      this.#onDeath.add(reject);
      work.then(resolve, reject).finally(() => this.#onDeath.delete(reject));
    });
  }

  #onOutput(message: JupyterMessage): void {
    this.#isSubscribed = true;
    this.#received += 1;
    if (this.onOutput(message)) return;
    const execution = this.#execution;
    if (!execution || message.parentId !== execution.id) return;
    if (message.type !== 'status') execution.onMessage(message);
    else if (message.content['execution_state'] === 'idle') execution.idle();
  }

  async #answer(message: JupyterMessage): Promise<void> {
    if (message.type !== 'input_request') return;
    await wait(PRINTED_BEFORE_MS);
    const execution = this.#execution;
    const { prompt, password } = message.content;
    const value =
      execution?.id === message.parentId
        ? await execution.onInput({ prompt: textOf(prompt), password: password === true })
        : '';
    if (!this.#isDead && value !== undefined)
      this.send('stdin', 'input_reply', { value, status: 'ok' }, message.header);
  }

  /**
   * Executes code. Resolves to the content of the reply (`status` is `ok`, `error` or `aborted`)
   * when all outputs have arrived. Rejects with {@link KernelDied}. A `silent` execution has no
   * outputs and no history.
   */
  async execute(code: string, handlers: ExecuteHandlers, silent = false): Promise<JsonObject> {
    const content = {
      code,
      silent,
      store_history: !silent,
      user_expressions: {},
      allow_stdin: true,
      // Runs are queued by the server. If true, a run that follows an error at once is skipped.
      stop_on_error: false,
    };
    let idle = (): void => undefined;
    const isIdle = new Promise<void>((resolve) => (idle = resolve));
    const id = this.#ask('execute_request', content);
    this.#execution = { ...handlers, id, idle, silent };
    try {
      const message = await this.#replyTo(id);
      // The `idle` status may be lost if a message was too large for the channel.
      await Promise.race([this.untilDeath(isIdle), this.untilQuiet(5_000)]);
      return message.content;
    } finally {
      this.#execution = undefined;
    }
  }

  /** Ends the current execution with a reply that the kernel did not send. */
  protected settle(content: JsonObject): void {
    const { id } = this.#execution ?? {};
    if (id === undefined) return;
    const header = { msg_id: '', msg_type: 'execute_reply' };
    this.#replies.get(id)?.({
      type: 'execute_reply',
      id: '',
      parentId: id,
      header,
      content,
      metadata: {},
      buffers: [],
    });
    this.#execution?.idle();
  }

  /** Resolves when no output has arrived for a time in ms. */
  protected async untilQuiet(time: number): Promise<void> {
    let before = -1;
    while (before !== this.#received) {
      before = this.#received;
      await wait(time, undefined, { ref: false });
    }
  }

  /**
   * Requests completions. Resolves to undefined if no answer arrives within `limit` ms. `position`
   * is in code points.
   */
  complete(code: string, position: number, limit: number): Promise<JsonObject | undefined> {
    return this.#askFor('complete_request', { code, cursor_pos: position }, limit);
  }

  /** Like `complete`, for the documentation of the name at `position`. */
  inspect(code: string, position: number, limit: number): Promise<JsonObject | undefined> {
    return this.#askFor('inspect_request', { code, cursor_pos: position, detail_level: 0 }, limit);
  }

  /** Sends a message about a comm, which has no reply, and returns its id. */
  sendComm(type: string, content: JsonObject, extras: MessageExtras): string {
    return this.#ask(type, content, {}, extras);
  }

  #askFor(type: string, request: JsonObject, limit: number): Promise<JsonObject | undefined> {
    return Promise.race([this.#request(type, request), wait(limit, undefined, { ref: false })]);
  }
}
