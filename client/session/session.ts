import { type CallOptions, deferred } from '../core/abort.ts';
import { isHttpError, TidingError } from '../core/errors.ts';
import { journalKey } from '../journal/journal.ts';
import { parseRoles } from '../model/notes/permissions.ts';
import type { Identity, Ticket } from '../protocol/index.ts';
import type { ClientContext } from './client-context.ts';

const signedOut = (message: string, operation: string): TidingError =>
  new TidingError('signed-out', message, { operation });

/**
 * Signs the user in and out. The state of the session is in `client.state.session`.
 *
 * @example
 * await client.session.login('ada', password);
 * console.log(client.session.current?.principal); // 'ada'
 */
export class SessionApi {
  readonly #context: ClientContext;
  #pendingTicket: Promise<Ticket> | undefined;
  /**
   * Whether the page is being redirected to sign out elsewhere, or may be soon. Until then, a
   * refused ticket must not redirect it to sign in.
   */
  #leaving = false;

  /** @internal */
  constructor(context: ClientContext) {
    this.#context = context;
  }

  /** The current ticket, or `undefined` if there is none. */
  get current(): Ticket | undefined {
    return this.#context.store.get().session.ticket;
  }

  /** Names of the user's roles. */
  get roles(): readonly string[] {
    return parseRoles(this.current?.roles);
  }

  /**
   * Returns the ticket, requesting it the first time. Rejects with `signed-out` if there is no
   * session (401, 403, 405). If the server names a single sign-on address with that status, rejects
   * with the {@link HttpError} instead, whose `location` is the address. Other errors of the call
   * are passed on.
   */
  async ticket(options: CallOptions = {}): Promise<Ticket> {
    if (this.current) return this.current;
    this.requireOpen();
    return this.renew(options);
  }

  /** @internal Throws `signed-out` if the session is over. */
  requireOpen(): void {
    const { phase, renewing } = this.#context.store.get().session;
    if (phase === 'signed-out' && !renewing)
      throw this.failure('ticket') ?? signedOut('Not signed in.', 'ticket');
  }

  /** @internal The error of an operation if the client's token can't be used any more. */
  failure(operation: string): TidingError | undefined {
    const { info = '', reason } = this.#context.store.get().session;
    return reason && signedOut(info, operation);
  }

  /**
   * Requests a new ticket, for example after the user signed in elsewhere on the page, or to ask
   * for another token after one failed. Concurrent calls share one request.
   */
  async renew(options: CallOptions = {}): Promise<Ticket> {
    this.#pendingTicket ??= this.#requestTicket().finally(() => (this.#pendingTicket = undefined));
    const done = deferred<Ticket>('ticket', options);
    this.#pendingTicket.then(done.resolve, done.reject);
    return done.promise;
  }

  async #requestTicket(): Promise<Ticket> {
    try {
      const ticket = await this.#context.call('ticket');
      if (ticket.redirectURL) {
        this.#context.emit({ type: 'redirect', address: ticket.redirectURL, appendCurrent: true });
        throw new TidingError('signed-out', 'Sign-in continues at another address.', {
          operation: 'ticket',
        });
      }
      this.#leaving = false;
      this.#context.emit({ type: 'signed-in', ticket });
      return ticket;
    } catch (error) {
      if (isHttpError(error) && [401, 403, 405].includes(error.status)) {
        if (this.#context.store.get().session.phase !== 'signed-out') {
          this.#context.emit({ type: 'session_logout', info: undefined });
        }
        if (error.status === 401 && error.location && !this.#leaving)
          this.#context.emit({ type: 'redirect', address: error.location, appendCurrent: false });
        throw error.location
          ? error
          : new TidingError('signed-out', 'Not signed in.', { operation: 'ticket', cause: error });
      }
      throw error;
    }
  }

  /**
   * Signs in with name and password. Rejects with an {@link HttpError} with status 403 if they are
   * wrong.
   */
  async login(userName: string, password: string, options: CallOptions = {}): Promise<Ticket> {
    const ticket = await this.#context.call('login', { ...options, body: { userName, password } });
    return this.#signedIn(ticket);
  }

  /**
   * Signs in with the token of a one-time login link. Rejects with status 403 if it is unknown or
   * was used before.
   */
  async loginOnce(token: string, options: CallOptions = {}): Promise<Ticket> {
    return this.#signedIn(await this.#context.call('loginOnce', { ...options, body: { token } }));
  }

  /**
   * Returns the address that starts a single sign-on in a browser. After signing in, the browser is
   * sent to `ref`, a route that starts with `/`. The domain is the part of `email` after the `@`
   * (specification).
   */
  ssoAddress(email: string, ref = '/', useHttps = true): string {
    const query = new URLSearchParams({
      domain: email.slice(email.lastIndexOf('@') + 1),
      email,
      useHttps: String(useHttps),
      ref,
    });
    return `${this.#context.server}/api/login/sso?${query.toString()}`;
  }

  #signedIn(ticket: Ticket): Ticket {
    this.#leaving = false;
    this.#context.emit({ type: 'signed-in', ticket });
    this.#context.reconnect();
    return ticket;
  }

  /**
   * Saves all drafts, ends the session on the server, and clears the user's journal on this device.
   * Rejects with `conflict` if a draft can't be saved, unless `discard` is set.
   */
  async logout(options: CallOptions & { discard?: boolean } = {}): Promise<void> {
    const { discard = false, ...call } = options;
    if (!(await this.#context.saveAll()) && !discard) {
      throw new TidingError('conflict', 'Changes that you have made will not be saved.', {
        operation: 'logout',
      });
    }
    const principal = this.current?.principal;
    let answer: unknown;
    this.#leaving = true;
    try {
      answer = await this.#context.call('logout', call);
    } catch (error) {
      // Zeppelin confirms a logout with status 401. Both statuses mean that the session is over.
      if (!isHttpError(error) || ![401, 403].includes(error.status)) {
        this.#leaving = false;
        throw error;
      }
      answer = (error.body as { body?: unknown } | undefined)?.body;
    }
    if (principal !== undefined) {
      const { journal, server } = this.#context;
      const entries = await journal.list(journalKey(server, principal)).catch(() => []);
      await Promise.all(entries.map(({ key }) => journal.delete(key).catch(() => {})));
    }
    this.#context.emit({ type: 'session_logout', info: undefined });
    const { redirectURL, isLogoutAPI } = (
      typeof answer === 'object' && answer !== null ? answer : {}
    ) as { redirectURL?: unknown; isLogoutAPI?: unknown };
    // The single sign-on session must end as well: by a call to its address if `isLogoutAPI` is
    // `"true"`, otherwise by navigating there.
    this.#leaving = typeof redirectURL === 'string' && redirectURL !== '';
    if (this.#leaving) {
      const address = redirectURL as string;
      this.#context.emit(
        String(isLogoutAPI) === 'true'
          ? { type: 'logout-elsewhere', address }
          : { type: 'redirect', address, appendCurrent: true },
      );
    }
    // A socket keeps the identity it was opened with. Without a new one, the page would continue to
    // receive messages for the previous user.
    this.#context.reconnect();
  }

  /** Returns the identity for live messages. */
  async identity(): Promise<Identity> {
    const { principal, ticket, roles = '[]' } = await this.ticket();
    return { principal, ticket, roles };
  }
}
