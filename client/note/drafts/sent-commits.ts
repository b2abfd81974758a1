import type { Channel } from '../../channel/channel.ts';
import type { SentText } from '../../core/state.ts';

/** A commit or patch in flight. */
export interface SentCommit extends SentText {
  readonly op: 'COMMIT_PARAGRAPH' | 'PATCH_PARAGRAPH';
  readonly msgId: string;
  readonly late: ReturnType<typeof setTimeout> | undefined;
}

/** The commits and patches of a note that are in flight, at most one per paragraph. */
export class SentCommits {
  readonly #channel: Channel;
  readonly #timeout: number;
  readonly #unanswered: (paragraphId: string) => void;
  readonly #sent = new Map<string, SentCommit>();

  /** `unanswered` is called when a commit got no reply for `timeout` ms (0: never). */
  constructor(channel: Channel, timeout: number, unanswered: (paragraphId: string) => void) {
    this.#channel = channel;
    this.#timeout = timeout;
    this.#unanswered = unanswered;
  }

  get size(): number {
    return this.#sent.size;
  }

  has(paragraphId: string): boolean {
    return this.#sent.has(paragraphId);
  }

  get(paragraphId: string): SentCommit | undefined {
    return this.#sent.get(paragraphId);
  }

  add(paragraphId: string, op: SentCommit['op'], sent: SentText, msgId: string): void {
    // A commit that is never answered on a working connection must not block later edits.
    const late =
      this.#timeout > 0
        ? setTimeout(() => {
            if (this.#sent.get(paragraphId)?.msgId !== msgId) return;
            this.#sent.delete(paragraphId);
            this.#unanswered(paragraphId);
          }, this.#timeout)
        : undefined;
    this.#sent.set(paragraphId, { ...sent, op, msgId, late });
  }

  /** Returns the paragraph and the commit that were sent with this message id. */
  find(msgId: string | undefined): [id: string, sent: SentCommit] | undefined {
    return [...this.#sent].find(([, each]) => each.msgId === msgId);
  }

  /** If the message answers the commit in flight, removes and returns that commit. */
  answered(paragraphId: string, msgId: string | undefined): SentCommit | undefined {
    const sent = this.#sent.get(paragraphId);
    if (sent?.msgId !== msgId) return undefined;
    this.settle(paragraphId);
    return sent;
  }

  /** Removes the commit of a paragraph, because its outcome is known. */
  settle(paragraphId: string): void {
    const sent = this.#sent.get(paragraphId);
    if (!sent) return;
    this.#channel.settle(sent.msgId);
    clearTimeout(sent.late);
    this.#sent.delete(paragraphId);
  }

  /** Removes all commits, because the connection broke or the note was closed. */
  settleAll(): void {
    for (const id of [...this.#sent.keys()]) this.settle(id);
  }
}
