import type { ReactNode } from 'react';
import { createViewStore } from '../../runtime/store.ts';
import { commonTexts } from '../../text/common.ts';
import { confirmAlways, isConfirmed, type RememberedQuestion } from './confirmed.ts';
import type { Messages } from './messages.ts';

/** A confirmation dialog. */
export interface ConfirmRequest {
  readonly title: string;
  readonly text?: string;
  /** Label of the confirm button. It is the only button if `cancel` is `null`. */
  readonly action: string;
  readonly danger?: boolean;
  readonly cancel?: string | null;
  /** The user may switch the question off under this name. */
  readonly remember?: RememberedQuestion;
}

/** Renders a dialog; `close` closes it. */
type DialogView = (close: () => void) => ReactNode;

/** The open dialog of a note page; at most one is open. */
export class Dialogs {
  readonly state = createViewStore<{ readonly dialog?: DialogView | undefined }>({});
  readonly #messages: Messages;

  constructor(messages: Messages) {
    this.#messages = messages;
  }

  /** Opens a dialog. It replaces the dialog that is open. */
  readonly open = (dialog: DialogView): void => this.state.set({ dialog });

  readonly close = (): void => this.state.set({ dialog: undefined });

  /**
   * Asks for confirmation; resolves to whether the user confirmed, now or once and for all.
   */
  ask(question: ConfirmRequest): Promise<boolean> {
    const { remember } = question;
    if (remember && isConfirmed(remember)) return Promise.resolve(true);
    return new Promise((resolve) => {
      void import('../dialogs/question.tsx').then(({ QuestionDialog }) => {
        this.open((close) => (
          <QuestionDialog
            question={question}
            onClose={(confirmed, always) => {
              close();
              if (confirmed && always && remember) confirmAlways(remember);
              resolve(confirmed);
            }}
          />
        ));
      });
    });
  }

  /** Asks for confirmation, then runs `work`. */
  async confirm(question: ConfirmRequest, work: () => unknown): Promise<void> {
    if (await this.ask(question)) await this.#messages.act(work);
  }

  /** Shows a message with a single button. */
  async alert(title: string, more?: string): Promise<void> {
    await this.ask({
      title,
      action: commonTexts.close,
      cancel: null,
      ...(more === undefined ? {} : { text: more }),
    });
  }
}
