/** Models and views of Jupyter widgets in a frame, connected with their kernel by messages. */
import * as base from '@jupyter-widgets/base';
import { ManagerBase } from '@jupyter-widgets/base-manager';
import * as controls from '@jupyter-widgets/controls';
import type { CommEvent, CommRequest } from '@tiding/client';
import type { CommModel, JsonObject } from '@tiding/client/protocol';
import * as output from './widget-output.ts';

/** The modules whose widgets can be shown; others would have to be loaded. */
const modules: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '@jupyter-widgets/base': base,
  '@jupyter-widgets/controls': controls,
  '@jupyter-widgets/output': output,
};

/** Version of the messages of widgets, as their `comm_open` states it. */
const PROTOCOL_VERSION = '2.1.0';

type Buffers = readonly (ArrayBuffer | ArrayBufferView)[];
type Callbacks = Parameters<base.IClassicComm['send']>[1];
/** A message as the models receive it; only these parts are read. */
type KernelMessage = Parameters<Parameters<base.IClassicComm['on_msg']>[0]>[0];

const base64 = (buffer: ArrayBuffer | ArrayBufferView): string => {
  const bytes = ArrayBuffer.isView(buffer)
    ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    : new Uint8Array(buffer);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
};
const viewOf = (text: string): DataView =>
  new DataView(Uint8Array.from(atob(text), (each) => each.charCodeAt(0)).buffer);

const kernelMessage = (
  type: string,
  comm: string,
  data: unknown,
  buffers: readonly string[] = [],
  parent = '',
): KernelMessage =>
  ({
    header: { msg_type: type },
    parent_header: { msg_id: parent },
    metadata: { version: PROTOCOL_VERSION },
    content: { comm_id: comm, data },
    buffers: buffers.map(viewOf),
  }) as unknown as KernelMessage;

/** A comm of a model. Its messages are sent together with others; see {@link WidgetManager}. */
class FrameComm implements base.IClassicComm {
  readonly comm_id: string;
  readonly target_name: string;
  readonly #post: (request: CommRequest, callbacks: Callbacks) => void;
  onMessage: (message: KernelMessage) => void = () => {};
  onClose: (message: KernelMessage) => void = () => {};

  constructor(
    id: string,
    target: string,
    post: (request: CommRequest, callbacks: Callbacks) => void,
  ) {
    this.comm_id = id;
    this.target_name = target;
    this.#post = post;
  }

  #say(type: CommRequest['type'], data: unknown, callbacks: Callbacks, buffers: Buffers): string {
    const message = base.uuid();
    this.#post(
      {
        message,
        type,
        comm: this.comm_id,
        // A message has only what JSON has.
        data: JSON.parse(JSON.stringify(data ?? {})) as JsonObject,
        buffers: buffers.map(base64),
      },
      callbacks,
    );
    return message;
  }

  open(data: unknown, callbacks?: Callbacks, _metadata?: unknown, buffers: Buffers = []): string {
    return this.#say('comm_open', data, callbacks, buffers);
  }

  send(data: unknown, callbacks?: Callbacks, _metadata?: unknown, buffers: Buffers = []): string {
    return this.#say('comm_msg', data, callbacks, buffers);
  }

  close(data: unknown = {}, callbacks?: Callbacks, _?: unknown, buffers: Buffers = []): string {
    return this.#say('comm_close', data, callbacks, buffers);
  }

  on_msg(callback: (message: KernelMessage) => void): void {
    this.onMessage = callback;
  }

  on_close(callback: (message: KernelMessage) => void): void {
    this.onClose = callback;
  }
}

/** Shown in place of a widget whose code is not in this page. */
class MissingView extends base.DOMWidgetView {
  override render(): void {
    super.render();
    const { _view_name: name, _view_module: module } = this.model.attributes;
    const missing = `the JavaScript package ${module}, which is not available here.`;
    this.el.textContent = `The widget ${name} needs ${missing}`;
  }
}

/** Has the models of a frame. */
export class WidgetManager extends ManagerBase {
  readonly #comms = new Map<string, FrameComm>();
  /** Callbacks of messages that the kernel has not handled. */
  readonly #callbacks = new Map<string, Callbacks>();
  readonly #post: (request: CommRequest) => void;

  /** `post`: sends a message to the kernel. */
  constructor(post: (request: CommRequest) => void) {
    super();
    this.#post = post;
  }

  #comm(id: string, target: string): FrameComm {
    const comm = new FrameComm(id, target, (request, callbacks) => {
      this.#callbacks.set(request.message, callbacks);
      this.#post(request);
    });
    this.#comms.set(id, comm);
    return comm;
  }

  /**
   * Creates the models that belong to a view, or sets their state if they exist. They may refer to
   * each other in any order.
   */
  load(models: readonly CommModel[]): void {
    // Answers may have been lost with a connection.
    for (const parent of this.#callbacks.keys()) this.#idle(parent);
    for (const { comm, data, buffers } of models)
      if (this.#comms.has(comm)) {
        const update = { method: 'update', ...data };
        this.#comms.get(comm)!.onMessage(kernelMessage('comm_msg', comm, update, buffers));
      } else this.#open(comm, data, buffers);
  }

  #idle(parent: string): void {
    const callbacks = this.#callbacks.get(parent);
    this.#callbacks.delete(parent);
    const message = { header: {}, content: { execution_state: 'idle' } };
    callbacks?.iopub?.status?.(message as never);
  }

  #open(id: string, data: unknown, buffers: readonly string[] | undefined): void {
    if (this.#comms.has(id)) return;
    const comm = this.#comm(id, this.comm_target_name);
    // A model that can't be created has a view that says so.
    void this.handle_comm_open(comm, kernelMessage('comm_open', id, data, buffers) as never).catch(
      () => {},
    );
  }

  /** Takes a message of the kernel. */
  receive({ type, comm: id = '', data = {}, buffers, parent }: CommEvent): void {
    if (type === 'idle') return this.#idle(parent ?? '');
    if (type === 'comm_open') return this.#open(id, data, buffers);
    const comm = this.#comms.get(id);
    const message = kernelMessage(type, id, data, buffers, parent);
    if (type === 'comm_msg') comm?.onMessage(message);
    else if (type === 'comm_close') {
      this.#comms.delete(id);
      comm?.onClose(message);
    }
  }

  protected override async loadClass(
    name: string,
    module: string,
    _version: string,
  ): Promise<never> {
    const missing = name.endsWith('View') ? MissingView : base.DOMWidgetModel;
    return (modules[module]?.[name] ?? missing) as never;
  }

  protected override async _create_comm(
    target: string,
    id: string = base.uuid(),
    data?: unknown,
    _metadata?: unknown,
    buffers?: ArrayBuffer[] | ArrayBufferView[],
  ): Promise<base.IClassicComm> {
    const comm = this.#comm(id, target);
    if (data !== undefined) comm.open(data, undefined, undefined, buffers);
    return comm;
  }

  /** The server sends the models; the kernel is not asked. */
  protected override async _get_comm_info(): Promise<Record<string, never>> {
    return {};
  }
}
