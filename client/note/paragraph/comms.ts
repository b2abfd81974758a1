/** Widgets of a kernel (ipywidgets) in the outputs of a paragraph. */
import type { CallOptions } from '../../core/abort.ts';
import type { CommModel, CommStatus, JsonObject, Receives } from '../../protocol/index.ts';
import type { ParagraphHandle } from './paragraph-handle.ts';

/** The models that belong to a widget, and whether its kernel can still be used. */
export interface CommState {
  /**
   * `live`; `closed`: the kernel runs, but its code has closed the widget; `ended`: the kernel has
   * ended, and `models` are the last state, if the server still has it.
   */
  readonly status: CommStatus;
  /** The models, with the data that a `comm_open` would contain now. */
  readonly models: readonly CommModel[];
}

/** A message of a kernel about its widgets, or about a message that this page has sent to it. */
export type CommEvent = Omit<Receives['TIDING_COMM'], 'noteId'>;

/** A message of a widget for its kernel. */
export interface CommRequest {
  /** A new id; messages of the kernel that it causes have it as their `parent`. */
  readonly message: string;
  /** Type of the message in Jupyter's protocol. */
  readonly type: 'comm_open' | 'comm_msg' | 'comm_close';
  /** Id of the comm, which is also the id of the widget's model. */
  readonly comm: string;
  /** Content of the message, such as `{method: 'update', state, buffer_paths}`. */
  readonly data: JsonObject;
  /** Binary parts as base64; `buffer_paths` in `data` says where they belong. */
  readonly buffers?: readonly string[] | undefined;
}

/**
 * Connection of a paragraph to the widgets of a kernel. Tiding servers only.
 *
 * @example
 * const view = widgetViewInHtml(outputText(paragraph.outputs[0]));
 * const comms = await paragraph.comms(view.kernel);
 * const { status, models } = await comms.load(view.model);
 * const stop = comms.subscribe(({ type, comm, data }) => console.log(type, comm, data));
 * await comms.send({
 *   message: crypto.randomUUID(),
 *   type: 'comm_msg',
 *   comm: view.model,
 *   data: { method: 'update', state: { value: 3 }, buffer_paths: [] },
 * });
 */
export class ParagraphComms {
  /** Id of the kernel. */
  readonly kernel: string;
  readonly #paragraph: ParagraphHandle;

  /** @internal */
  constructor(paragraph: ParagraphHandle, kernel: string) {
    this.#paragraph = paragraph;
    this.kernel = kernel;
  }

  /**
   * Returns the models that belong to a widget, without asking the kernel. On servers without
   * widgets, the kernel counts as ended.
   */
  async load(model: string, options: CallOptions = {}): Promise<CommState> {
    const { id, note } = this.#paragraph;
    if (note.revision !== undefined || !note.context.supports('TIDING_COMM_STATE'))
      return { status: 'ended', models: [] };
    const { kernel } = this;
    return note.request(
      'TIDING_COMM_STATE',
      { id, noteId: note.id, kernel, model },
      ({ op, data }) =>
        op === 'TIDING_COMM_STATE' && data.id === id && data.kernel === kernel && data,
      { matchId: true, ...options },
    );
  }

  /**
   * Calls `listener` with each message of the kernel about widgets of this note. Returns an
   * unsubscribe function.
   */
  subscribe(listener: (event: CommEvent) => void): () => void {
    const { note } = this.#paragraph;
    return note.context.on('TIDING_COMM', ({ data: { noteId, ...event } }) => {
      if (noteId === note.id && event.kernel === this.kernel) listener(event);
    });
  }

  /**
   * Sends a message to the kernel. Resolves when the server has passed it on. Rejects with
   * `forbidden` without the right to run the paragraph, and with `server` if the kernel has ended
   * or a limit is reached.
   */
  async send(request: CommRequest, options: CallOptions = {}): Promise<void> {
    const { id, note } = this.#paragraph;
    const { buffers, ...message } = request;
    await note.request(
      'TIDING_COMM',
      {
        id,
        noteId: note.id,
        kernel: this.kernel,
        ...message,
        ...(buffers?.length ? { buffers: [...buffers] } : {}),
      },
      ({ op, data }) =>
        op === 'TIDING_COMM' && data.type === 'accepted' && data.parent === request.message,
      { unordered: true, ...options },
    );
  }
}
