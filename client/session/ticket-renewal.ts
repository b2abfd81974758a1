import type { ClientContext } from './client-context.ts';

/** Minimum delay between two ticket renewals, in ms, however soon each ticket is refused. */
const RENEW_MS = 1_000;
/** The same if the renewed ticket has not worked since. */
const RENEW_UNPROVEN_MS = 30_000;

/**
 * Renews the ticket once after the server refused it. A second renewal soon after needs proof that
 * the renewed ticket worked for a while: tokens of embedding pages live only seconds.
 */
export class TicketRenewal {
  readonly #context: ClientContext;
  readonly #onFailure: (info: string) => void;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #hasWorked = false;

  /** `onFailure` is called when there is no new ticket, with the reason. */
  constructor(context: ClientContext, onFailure: (info: string) => void) {
    this.#context = context;
    this.#onFailure = onFailure;
  }

  /** The server accepted the ticket. */
  worked(): void {
    this.#hasWorked = true;
  }

  /** The server refused the ticket, for the reason in `info`. */
  async refused(info = 'The session has ended.'): Promise<void> {
    if (this.#context.store.get().session.phase !== 'signed-in') return;
    const since = performance.now() - this.#renewedAt;
    const isTooSoon = since < (this.#hasWorked ? RENEW_MS : RENEW_UNPROVEN_MS);
    this.#context.emit({ type: 'session_logout', info, renewing: !isTooSoon });
    if (isTooSoon) return this.#onFailure(info);
    this.#renewedAt = performance.now();
    this.#hasWorked = false;
    await this.#context.session.renew().then(this.#context.reconnect, () => {
      this.#context.emit({ type: 'renewal-failed' });
      this.#onFailure(info);
    });
  }
}
