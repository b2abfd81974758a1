/**
 * The widgets of one kernel: keeps the state of their models, and passes messages between the
 * kernel and the pages that show them.
 */
import { randomUUID } from 'node:crypto';
import { jsonObjectOf } from '@tiding/client/model';
import type { CommModel, JsonObject } from '@tiding/client/protocol';
import { Refusal } from '../../../base/errors.ts';
import { type JupyterMessage, textOf } from '../jupyter-messages.ts';
import type { KernelClient } from '../kernel-client.ts';
import { KernelOutput, type KernelOutputOptions } from '../kernel-output.ts';
import { CapturedOutput } from './captured-output.ts';
import {
  type CommKernel,
  type CommListener,
  type CommMessage,
  type CommPlace,
  kernelHasEnded,
} from './comm-kernel.ts';
import {
  applyState,
  connectedModels,
  type ModelState,
  newModel,
  sizeOf,
  wireModel,
} from './comm-models.ts';

/** Comm target of widgets; comms of other targets are not passed on. */
const WIDGET_TARGET = 'jupyter.widget';
const PROTOCOL_VERSION = '2.1.0';
/** Maximum number of models of a kernel. A slider with its label has three. */
const MAX_MODELS = 5_000;
/** Maximum size of all models of a kernel, in characters. */
const MAX_SIZE = 32 * 2 ** 20;
/**
 * Maximum size of a message for pages, and of the models of one view, in characters: a connection
 * with more in its queue would be closed.
 */
const MAX_MESSAGE = 6 * 2 ** 20;
/** Maximum number of messages that wait for a busy kernel. */
const MAX_PENDING = 1_000;
/** Place of widgets that code opens before the first run. */
const NOWHERE: CommPlace = { noteId: '', paragraphId: '' };
/** Messages with new output. */
const OUTPUT = /^(?:stream|display_data|execute_result|error|clear_output)$/;
/** Minimum time between two updates of an Output widget, in ms. */
const CAPTURE_PAUSE_MS = 50;

/** Limits of a kernel's widgets, for tests. */
export interface CommLimits {
  readonly models?: number;
  readonly size?: number;
  readonly message?: number;
  readonly pending?: number;
}

/** A page's message that the kernel has not handled yet. */
interface Pending {
  readonly place: CommPlace;
  /** The page's id of the message; absent for messages of the server. */
  readonly id?: string;
  /** Receives what the code prints that the message starts. */
  output?: KernelOutput;
}

interface Captures {
  readonly captured: CapturedOutput;
  /** Whether the pages don't know them yet. */
  isChanged: boolean;
  /** Whether the kernel doesn't know them yet. */
  isUnknown: boolean;
}

export class KernelComms implements CommKernel {
  readonly id = randomUUID();
  listener: CommListener | undefined;
  mask: (value: unknown) => unknown = (value) => value;
  onUse: () => void = () => {};
  readonly #kernel: KernelClient;
  readonly #outputOptions: KernelOutputOptions;
  readonly #limits: Required<CommLimits>;
  readonly #models = new Map<string, ModelState>();
  #size = 0;
  /** By the id under which the kernel knows the message. */
  readonly #pending = new Map<string, Pending>();
  readonly #captures = new Map<string, Captures>();
  #timer: NodeJS.Timeout | undefined;
  /** The paragraph that runs, or ran last, and what its code prints after the run. */
  #last: Pending | undefined;
  /** Shows a limit that the running code has reached; undefined if it was shown. */
  #warn: ((problem: string) => void) | undefined;

  constructor(
    kernel: KernelClient,
    outputOptions: KernelOutputOptions = {},
    limits: CommLimits = {},
  ) {
    this.#kernel = kernel;
    this.#outputOptions = { ...outputOptions, kernel: this.id };
    this.#limits = {
      models: MAX_MODELS,
      size: MAX_SIZE,
      message: MAX_MESSAGE,
      pending: MAX_PENDING,
      ...limits,
    };
    kernel.onOutput = (message) => this.#receive(message);
    void kernel.died.then(() => {
      this.#flush();
      this.#pending.clear();
      this.listener?.ended();
    });
  }

  /** A run starts, whose code may open widgets. `warn` shows that it has reached a limit. */
  begin(place: CommPlace, warn: (problem: string) => void): void {
    this.#last = { place };
    this.#warn = warn;
  }

  get places(): readonly CommPlace[] {
    const places = [...this.#models.values()].map(
      ({ noteId, paragraphId }) => [`${noteId}/${paragraphId}`, { noteId, paragraphId }] as const,
    );
    return [...new Map(places).values()];
  }

  get size(): number {
    return this.#size;
  }

  models(noteId: string, model: string): CommModel[] {
    if (this.#models.get(model)?.noteId !== noteId) return [];
    const connected = connectedModels(this.#models, model).filter((each) => each.noteId === noteId);
    const { message } = this.#limits;
    if (connected.reduce((sum, each) => sum + sizeOf(each), 0) > message)
      throw new Refusal(413, `The widgets have ${tooMuch(message)}`);
    return connected.map((each) => this.mask(wireModel(each)) as CommModel);
  }

  send(place: CommPlace, message: CommMessage, id: string): void {
    const { type, comm, data, buffers = [] } = message;
    if (this.#kernel.isDead) throw kernelHasEnded();
    const known = this.#models.get(comm);
    if (type === 'comm_open' ? known : known?.noteId !== place.noteId)
      throw new Refusal(
        409,
        'The kernel no longer has this widget. Run the paragraph again to use it.',
      );
    if (this.#pending.size >= this.#limits.pending)
      throw new Refusal(
        429,
        `The kernel is busy, and ${this.#limits.pending} changes of widgets wait for it. Wait ` +
          'until the run has ended, or cancel it.',
      );
    this.onUse();
    if (type === 'comm_open') {
      const problem = this.#problemOf(lengthOf(data, buffers));
      if (problem !== undefined) throw new Refusal(429, problem);
      this.#open(comm, place, data, buffers);
    }
    if (type === 'comm_close') this.#close(comm);
    this.#post({ place, id }, message);
  }

  /** Sends a message to the kernel, which has the returned id. */
  #post(pending: Pending, { type, comm, data, buffers = [] }: CommMessage): void {
    const isOpen = type === 'comm_open';
    const id = this.#kernel.sendComm(
      type,
      { comm_id: comm, ...(isOpen ? { target_name: WIDGET_TARGET } : {}), data },
      {
        metadata: isOpen ? { version: PROTOCOL_VERSION } : {},
        buffers: buffers.map((each) => Buffer.from(each, 'base64')),
      },
    );
    this.#pending.set(id, pending);
  }

  /**
   * Handles a message of the output channel. Returns whether it is handled: otherwise it belongs to
   * the running code.
   */
  #receive(message: JupyterMessage): boolean {
    const { type, parentId, content } = message;
    const pending = this.#pending.get(parentId);
    if (type === 'comm_open' || type === 'comm_msg' || type === 'comm_close') {
      this.#onComm(type, message, pending);
      return true;
    }
    if (type === 'status') {
      if (content['execution_state'] === 'idle') this.#onIdle(parentId, pending);
      return pending !== undefined;
    }
    if (this.#capture(message)) return true;
    if (!pending) {
      if (!this.#last || !OUTPUT.test(type) || !this.#kernel.isLate(message)) return false;
      this.#print(this.#last, message);
      return true;
    }
    if (pending.id !== undefined) this.#print(pending, message);
    return true;
  }

  #onComm(
    type: CommMessage['type'],
    { content, buffers: binary }: JupyterMessage,
    pending: Pending | undefined,
  ): void {
    const comm = textOf(content['comm_id']);
    const data = jsonObjectOf(content['data']);
    const buffers = binary.map((each) => each.toString('base64'));
    if (type === 'comm_open' && content['target_name'] !== WIDGET_TARGET) return;
    const length = lengthOf(data, buffers);
    if (length > this.#limits.message)
      return this.#warnOnce(`A widget has ${tooMuch(this.#limits.message)}`);
    if (type === 'comm_open') {
      const problem = this.#problemOf(length);
      if (problem !== undefined) return this.#warnOnce(problem);
      this.#open(comm, (pending ?? this.#last)?.place ?? NOWHERE, data, buffers);
    }
    const model = this.#models.get(comm);
    if (!model) return;
    if (type === 'comm_close') this.#close(comm);
    else if (type === 'comm_msg' && /^(?:echo_)?update$/.test(textOf(data['method']))) {
      // The echo of what the server has told the kernel.
      if (pending && pending.id === undefined) return;
      this.#apply(model, data, buffers);
    }
    const problem = this.#size > this.#limits.size ? this.#problemOf(0) : undefined;
    if (problem !== undefined) {
      this.#close(comm);
      this.#warnOnce(problem);
      return this.#tell(model, { type: 'comm_close', comm, data: {} }, undefined);
    }
    this.#tell(model, { type, comm, data, buffers }, pending?.id);
  }

  #tell(model: ModelState, message: CommMessage, parent: string | undefined): void {
    const { noteId, paragraphId } = model;
    this.listener?.message({ noteId, paragraphId }, this.mask(message) as CommMessage, parent);
  }

  #open(comm: string, place: CommPlace, data: JsonObject, buffers: readonly string[]): void {
    const model = newModel(comm, place.noteId, place.paragraphId);
    this.#models.set(comm, model);
    this.#apply(model, data, buffers);
  }

  #apply(model: ModelState, data: JsonObject, buffers: readonly string[]): void {
    this.#size += applyState(model, data, buffers);
    if (model.state.get('_model_name') !== 'OutputModel') return;
    const captures = this.#captures.get(model.comm) ?? {
      captured: new CapturedOutput(),
      isChanged: false,
      isUnknown: false,
    };
    const { outputs, msg_id: collects } = jsonObjectOf(data['state']);
    // Of nested widgets, the one that the code has entered last collects.
    if (collects) this.#captures.delete(model.comm);
    this.#captures.set(model.comm, captures);
    if (outputs === undefined) return;
    captures.captured.replace(outputs);
    Object.assign(captures, { isChanged: false, isUnknown: false });
  }

  #close(comm: string): void {
    const model = this.#models.get(comm);
    if (!model) return;
    this.#size -= sizeOf(model);
    this.#models.delete(comm);
    this.#captures.delete(comm);
  }

  /** Returns a sentence if a further model, or `size` more characters, would exceed a limit. */
  #problemOf(size: number): string | undefined {
    const { models, size: most } = this.#limits;
    const what =
      this.#models.size >= models
        ? `${models.toLocaleString('en')} widgets`
        : this.#size + size > most
          ? `widgets with ${most.toLocaleString('en')} characters of data`
          : undefined;
    return what === undefined
      ? undefined
      : `This kernel has ${what}, the most that a kernel may have. Close some with ` +
          'widget.close(), or restart the interpreter, and run this again.';
  }

  #warnOnce(problem: string): void {
    this.#warn?.(problem);
    this.#warn = undefined;
  }

  /** Puts an output into the Output widget that collects outputs of its parent, if there is one. */
  #capture(message: JupyterMessage): boolean {
    const { type, parentId, content } = message;
    if (type === 'update_display_data') {
      const found = [...this.#captures.values()].filter(({ captured }) => captured.update(content));
      for (const captures of found) this.#changed(captures);
      return found.length > 0;
    }
    if (!OUTPUT.test(type) || parentId === '') return false;
    const [, captures] =
      [...this.#captures].findLast(
        ([comm]) => this.#models.get(comm)?.state.get('msg_id') === parentId,
      ) ?? [];
    if (!captures) return false;
    if (captures.captured.receive(message)) this.#changed(captures);
    return true;
  }

  #changed(captures: Captures): void {
    captures.isChanged = true;
    captures.isUnknown = true;
    this.#timer ??= setTimeout(() => this.#flush(), CAPTURE_PAUSE_MS);
  }

  /** Sends the outputs of Output widgets that have changed to the pages. */
  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [comm, captures] of this.#captures) {
      const model = this.#models.get(comm);
      if (!captures.isChanged || !model) continue;
      captures.isChanged = false;
      const data = outputsUpdate(captures);
      this.#size += applyState(model, data);
      this.#tell(model, { type: 'comm_msg', comm, data }, undefined);
    }
  }

  #onIdle(parentId: string, pending: Pending | undefined): void {
    this.#flush();
    this.#pending.delete(parentId);
    for (const [comm, captures] of this.#captures) {
      if (!captures.isUnknown) continue;
      captures.isUnknown = false;
      this.#post(this.#last ?? { place: NOWHERE }, {
        type: 'comm_msg',
        comm,
        data: outputsUpdate(captures),
      });
    }
    if (!pending?.output) return this.#settle(pending);
    void pending.output.finish({}).then(() => this.#settle(pending));
  }

  #settle(pending: Pending | undefined): void {
    if (pending?.id !== undefined) this.listener?.idle(pending.id);
  }

  /** Shows what code prints after the run, such as that of a widget, below the run's outputs. */
  #print(pending: Pending, message: JupyterMessage): void {
    const output = this.listener?.output(pending.place);
    if (!output) return;
    pending.output ??= new KernelOutput(output, this.#outputOptions);
    pending.output.receive({ ...message, content: this.mask(message.content) as JsonObject });
    const { error } = pending.output;
    if (error === undefined) return;
    pending.output.error = undefined;
    output.add('TEXT', `${error}\n`);
  }
}

const outputsUpdate = ({ captured: { outputs } }: Captures): JsonObject => ({
  method: 'update',
  state: { outputs },
  buffer_paths: [],
});

const lengthOf = (data: JsonObject, buffers: readonly string[]): number =>
  buffers.reduce((sum, { length }) => sum + length, JSON.stringify(data).length);

/** Ends a sentence about widgets that are too large to be shown. */
const tooMuch = (limit: number): string =>
  `more than ${limit.toLocaleString('en')} characters of data, the most that can be shown. Show ` +
  'a part of it, then run this again.';
