/** Who is signed in: the ticket, login, logout. */
import { deferred, type CallOptions } from '../core/abort.ts';
import { isHttpError, TidingError } from '../errors.ts';
import { journalKey } from '../journal/journal.ts';
import { parseRoles } from '../model/permissions.ts';
import type { Identity, Ticket } from '../protocol/index.ts';
import type { Context } from '../context.ts';

/** The session of a client. */
export class Session {
  readonly #context: Context;
  #asking: Promise<Ticket> | undefined;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
  }

  /** The ticket in hand, if any. */
  get current(): Ticket | undefined {
    return this.#context.store.get().session.ticket;
  }

  /** Role names of the ticket. */
  get roles(): readonly string[] {
    return parseRoles(this.current?.roles);
  }

  /**
   * The ticket, asked for once and then kept. Rejects with `signed-out` where there is no session (401, 405), else with
   * what the call failed by. A single sign-on address, if the server names one, is the error's `location`.
   */
  async ticket(options: CallOptions = {}): Promise<Ticket> {
    if (this.current) return this.current;
    if (this.#context.store.get().session.phase === 'signed-out') {
      throw new TidingError('signed-out', 'not signed in', { operation: 'ticket' });
    }
    return this.renew(options);
  }

  /** Asks for the ticket anew, for example after somebody signed in elsewhere on the page. Several callers share one call. */
  async renew(options: CallOptions = {}): Promise<Ticket> {
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    const done = deferred<Ticket>('ticket', options);
    this.#asking.then(done.resolve, done.reject);
    return done.promise;
  }

  async #ask(): Promise<Ticket> {
    try {
      const ticket = await this.#context.call('ticket');
      if (ticket.redirectURL) {
        this.#context.emit({ type: 'redirect', address: ticket.redirectURL, appendCurrent: true });
        throw new TidingError('signed-out', 'signing in goes on elsewhere', {
          operation: 'ticket',
        });
      }
      this.#context.emit({ type: 'signed-in', ticket });
      return ticket;
    } catch (error) {
      if (isHttpError(error) && [401, 403, 405].includes(error.status)) {
        if (this.#context.store.get().session.phase !== 'signed-out') {
          this.#context.emit({ type: 'session_logout', info: undefined });
        }
        if (error.status === 401 && error.location)
          this.#context.emit({ type: 'redirect', address: error.location, appendCurrent: false });
        throw error.location
          ? error
          : new TidingError('signed-out', 'not signed in', { operation: 'ticket', cause: error });
      }
      throw error;
    }
  }

  /** Signs in with name and password. Rejects with an `http` error of status 403 when they do not match. */
  async login(userName: string, password: string, options: CallOptions = {}): Promise<Ticket> {
    const ticket = await this.#context.call('login', { ...options, body: { userName, password } });
    return this.#signedIn(ticket);
  }

  /** Signs in with the token of a one-time login link. Rejects with status 403 when it is used or unknown. */
  async loginOnce(token: string, options: CallOptions = {}): Promise<Ticket> {
    return this.#signedIn(await this.#context.call('loginOnce', { ...options, body: { token } }));
  }

  /**
   * Address that starts a single sign-on in a browser; after it the browser is at `ref` (a route that starts with `/`). The
   * domain is what follows the at sign of `email` (specification).
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
    this.#context.emit({ type: 'signed-in', ticket });
    this.#context.reconnect();
    return ticket;
  }

  /**
   * Saves what is unsaved, ends the session at the server and clears the user's journal on this machine. Rejects with
   * `conflict` when text cannot be saved, unless `discard` says to drop it.
   */
  async logout(options: CallOptions & { discard?: boolean } = {}): Promise<void> {
    if (!(await this.#context.saveAll()) && !options.discard) {
      throw new TidingError('conflict', 'Changes that you have made will not be saved.', {
        operation: 'logout',
      });
    }
    const principal = this.current?.principal;
    let told: unknown;
    try {
      told = await this.#context.call('logout', options);
    } catch (error) {
      // 401 is how servers of this family say that it worked.
      if (!isHttpError(error) || ![401, 403].includes(error.status)) throw error;
      told = (error.body as { body?: unknown } | undefined)?.body;
    }
    if (principal !== undefined) {
      const { journal, server } = this.#context;
      const mine = await journal.list(journalKey(server, principal)).catch(() => []);
      await Promise.all(mine.map(({ key }) => journal.delete(key).catch(() => {})));
    }
    this.#context.emit({ type: 'session_logout', info: undefined });
    const { redirectURL, isLogoutAPI } = (
      typeof told === 'object' && told !== null ? told : {}
    ) as { redirectURL?: unknown; isLogoutAPI?: unknown };
    // A page of single sign-on ends its session too: by a call to it ("true"), or by going there.
    if (typeof redirectURL === 'string' && redirectURL !== '') {
      this.#context.emit(
        String(isLogoutAPI) === 'true'
          ? { type: 'logout-elsewhere', address: redirectURL }
          : { type: 'redirect', address: redirectURL, appendCurrent: true },
      );
    }
    // A socket keeps the identity it was opened with, and would go on hearing what is no longer for this page.
    this.#context.reconnect();
  }

  /** Identity of a live message. */
  async identity(): Promise<Identity> {
    const { principal, ticket, roles = '[]' } = await this.ticket();
    return { principal, ticket, roles };
  }
}
