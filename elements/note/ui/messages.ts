import { type ErrorCode, isHttpError, isTidingError } from '@tiding/client';
import { noteErrorText } from '../../note-list/note-error.ts';
import { emitEvent } from '../../runtime/define-element.ts';
import type { ToastAction } from '../../ui/toasts.tsx';

/** Shows a toast. With `stays` it remains until it is dismissed. */
export type ShowToast = (
  kind: 'danger' | 'success' | 'info',
  message: string,
  action?: ToastAction,
  stays?: boolean,
) => void;

/** Short messages of a note page. */
export class Messages {
  readonly #host: HTMLElement;
  readonly #toast: ShowToast;

  constructor(host: HTMLElement, toast: ShowToast) {
    this.#host = host;
    this.#toast = toast;
  }

  /**
   * Runs `work` and shows why it failed. Resolves to whether it succeeded. Errors that the
   * paragraph shows itself (a conflict, text that was not saved) are not shown twice.
   */
  readonly act = async (work: () => unknown): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      this.#explain(error);
      return false;
    }
  };

  #explain(error: unknown): void {
    if (isTidingError(error, 'closed') || isTidingError(error, 'aborted')) return;
    // A refusal of the server has a cause or a status.
    if (isTidingError(error, 'conflict') && !isHttpError(error) && !error.cause) return;
    if (isTidingError(error)) this.error(noteErrorText(error), error.code);
    else this.error(String(error));
  }

  /**
   * Emits `tiding-error` and shows the message, until it is dismissed, unless a listener prevents
   * the event.
   */
  readonly error = (message: string, code?: ErrorCode): void => {
    const detail = { message, ...(code === undefined ? {} : { code }) };
    if (emitEvent(this.#host, 'tiding-error', detail))
      this.#toast('danger', message, undefined, true);
  };

  /** Shows an informational toast, with a button if an action is given. */
  readonly info = (message: string, action?: ToastAction): void =>
    this.#toast('info', message, action);

  /** Shows a success toast, with a button if an action is given. */
  readonly success = (message: string, action?: ToastAction): void =>
    this.#toast('success', message, action);
}
