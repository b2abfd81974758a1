/** The widgets of running kernels, for the pages that show their notes. */
import type { CommModel, CommStatus, Receives, Sends } from '@tiding/client/protocol';
import { Refusal } from '../base/errors.ts';
import type { Hub, LiveConnection } from '../hub/hub.ts';
import type { RunOutput } from '../interpreters/contract.ts';
import {
  type CommKernel,
  type CommPlace,
  kernelHasEnded,
} from '../interpreters/kernels/comms/comm-kernel.ts';
import type { RunPlace } from './run-origin.ts';

/** Maximum number of messages that a page may send per second, and in a burst. */
const MAX_PER_SECOND = 200;
const MAX_BURST = 400;
/** Ended kernels whose last state is kept, and the maximum size of one, in characters. */
const MAX_ENDED = 20;
const MAX_ENDED_SIZE = 4 * 2 ** 20;

interface KnownKernel {
  readonly kernel: CommKernel;
  readonly place: RunPlace;
  isEnded: boolean;
  /** Who has sent the messages that the kernel has not handled. */
  readonly senders: Map<string, { connection: LiveConnection; place: CommPlace }>;
}

/** Passes messages between the widgets of kernels and pages. */
export class KernelWidgets {
  readonly #hub: Hub;
  readonly #outputOf: (place: CommPlace) => RunOutput | undefined;
  readonly #kernels = new Map<string, KnownKernel>();
  /** Messages that a connection may send at once, and when that was computed, in ms. */
  readonly #budgets = new WeakMap<LiveConnection, { left: number; at: number }>();

  /** `outputOf`: the output of a paragraph, for what its widgets print; undefined if it is gone. */
  constructor(hub: Hub, outputOf: (place: CommPlace) => RunOutput | undefined) {
    this.#hub = hub;
    this.#outputOf = outputOf;
  }

  /** A run uses this kernel, whose widgets pages may use from now on. */
  register(kernel: CommKernel, place: RunPlace): void {
    if (this.#kernels.has(kernel.id)) return;
    const known: KnownKernel = { kernel, place, isEnded: false, senders: new Map() };
    this.#kernels.set(kernel.id, known);
    kernel.listener = {
      message: (where, { type, comm, data, buffers }, parent) =>
        this.#hub.broadcastToNote(where.noteId, 'TIDING_COMM', {
          ...where,
          kernel: kernel.id,
          type,
          comm,
          data,
          ...(buffers?.length ? { buffers: [...buffers] } : {}),
          parent,
        }),
      idle: (parent) => {
        const sender = known.senders.get(parent);
        known.senders.delete(parent);
        if (sender) this.#answer(kernel.id, sender, 'idle', parent);
      },
      output: (where) => this.#outputOf(where),
      ended: () => this.#end(known),
    };
  }

  #answer(
    kernel: string,
    { connection, place }: { connection: LiveConnection; place: CommPlace },
    type: Receives['TIDING_COMM']['type'],
    parent: string,
  ): void {
    this.#hub.send(connection, 'TIDING_COMM', { ...place, kernel, type, parent });
  }

  #end(known: KnownKernel): void {
    const { kernel, senders } = known;
    known.isEnded = true;
    senders.clear();
    for (const place of kernel.places) {
      const data = { ...place, kernel: kernel.id, type: 'ended' } as const;
      this.#hub.broadcastToNote(place.noteId, 'TIDING_COMM', data);
    }
    if (kernel.size === 0 || kernel.size > MAX_ENDED_SIZE) this.#kernels.delete(kernel.id);
    const ended = [...this.#kernels.values()].filter(({ isEnded }) => isEnded);
    for (const { kernel: oldest } of ended.slice(0, -MAX_ENDED)) this.#kernels.delete(oldest.id);
  }

  /** Returns the models that belong to a widget of a note. */
  state(
    noteId: string,
    kernel: string,
    model: string,
  ): { readonly status: CommStatus; readonly models: CommModel[] } {
    const known = this.#kernels.get(kernel);
    const models = known?.kernel.models(noteId, model) ?? [];
    const status = known?.isEnded !== false ? 'ended' : models.length === 0 ? 'closed' : 'live';
    return { status, models };
  }

  /** Returns where the code of a kernel runs; undefined if it is not known. */
  placeOf(kernel: string): RunPlace | undefined {
    return this.#kernels.get(kernel)?.place;
  }

  /** Passes on a message of a page. Throws a refusal if a limit is reached or it can't be taken. */
  send(
    noteId: string,
    { id, kernel: kernelId, message, type, comm, data, buffers }: Sends['TIDING_COMM'],
    connection: LiveConnection,
  ): void {
    const known = this.#kernels.get(kernelId);
    if (!known || known.isEnded) throw kernelHasEnded();
    this.#spend(connection);
    const place = { noteId, paragraphId: id };
    known.senders.set(message, { connection, place });
    try {
      known.kernel.send(place, { type, comm, data, buffers }, message);
    } catch (error) {
      known.senders.delete(message);
      throw error;
    }
    this.#answer(kernelId, { connection, place }, 'accepted', message);
  }

  #spend(connection: LiveConnection): void {
    const now = performance.now();
    const { left, at } = this.#budgets.get(connection) ?? { left: MAX_BURST, at: now };
    const budget = Math.min(MAX_BURST, left + ((now - at) * MAX_PER_SECOND) / 1_000);
    if (budget < 1)
      throw new Refusal(
        429,
        `This page sends more than ${MAX_PER_SECOND} changes of widgets per second. Change them ` +
          'more slowly.',
      );
    this.#budgets.set(connection, { left: budget - 1, at: now });
  }
}
