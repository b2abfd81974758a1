/** Widgets of a kernel: what an interpreter offers to the server, and the other way round. */
import type { CommModel, JsonObject } from '@tiding/client/protocol';
import { Refusal } from '../../../base/errors.ts';
import type { RunOutput } from '../../contract.ts';

/** The answer to a page whose widget belongs to a kernel that has ended. */
export const kernelHasEnded = (): Refusal =>
  new Refusal(
    409,
    'The kernel that this widget belongs to has ended. Run the paragraph again to use it.',
  );

/** A paragraph, as the place of a widget. */
export interface CommPlace {
  readonly noteId: string;
  readonly paragraphId: string;
}

/** A message about a comm, in either direction. */
export interface CommMessage {
  readonly type: 'comm_open' | 'comm_msg' | 'comm_close';
  /** Id of the comm, which is also the id of the widget's model. */
  readonly comm: string;
  readonly data: JsonObject;
  /** Base64. */
  readonly buffers?: readonly string[] | undefined;
}

/** What the server does with the messages of a kernel. */
export interface CommListener {
  /** A message for the pages. `parent`: id of the page's message that caused it. */
  message(place: CommPlace, message: CommMessage, parent: string | undefined): void;
  /** The kernel has handled a page's message, which has the id `parent`. */
  idle(parent: string): void;
  /**
   * Returns where the output of code goes that a page's message has started; undefined if the
   * paragraph is gone.
   */
  output(place: CommPlace): RunOutput | undefined;
  ended(): void;
}

/** The widgets of a running kernel. */
export interface CommKernel {
  /** Unique id of this process of the kernel, which its outputs contain. */
  readonly id: string;
  /** Absent: nobody listens. */
  listener: CommListener | undefined;
  /** Replaces what pages must not see in a JSON value. */
  mask: (value: unknown) => unknown;
  /** Called when a page uses the kernel. */
  onUse: () => void;
  /** Notes whose code has opened widgets. */
  readonly places: readonly CommPlace[];
  /** Approximate size of all models, in characters. */
  readonly size: number;
  /** The models that belong to a widget of a note; empty if there is no such widget. */
  models(noteId: string, model: string): CommModel[];
  /**
   * Passes a page's message on to the kernel. Throws a refusal with a sentence if it can't be
   * taken. `id`: chosen by the page.
   */
  send(place: CommPlace, message: CommMessage, id: string): void;
}
