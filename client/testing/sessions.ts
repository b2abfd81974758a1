import type { MemorySession, World } from './world.ts';

/** Zeppelin's message for a ticket that is not or no longer valid. */
export const SESSION_OVER =
  'Your ticket is invalid possibly due to server restart. Please login again.';
const COOKIE = 'memory';
/**
 * In a page, scripts can't read or write the cookies themselves, so the last sign-in counts for the
 * whole page.
 */
const inPage = (globalThis as { location?: { origin?: string } }).location?.origin !== undefined;

/** Sessions of the memory server: of users, of access tokens, and the anonymous one. */
export class MemorySessions {
  readonly #world: World;
  readonly #hasAccounts: boolean;
  /** The session of everybody if there are no accounts. */
  readonly anonymous: MemorySession = {
    principal: 'anonymous',
    roles: [],
    key: '',
    ticket: 'anonymous',
  };
  /** Key of the last session that was started on this page. */
  #pageSession = '';

  constructor(world: World) {
    this.#world = world;
    this.#hasAccounts = world.users.size > 0;
    if (!this.#hasAccounts) world.sessions.set('', this.anonymous);
    for (const [name, { token }] of world.users)
      if (token !== undefined)
        world.sessions.set(`Bearer ${token}`, { ...this.#begin(name), key: `Bearer ${token}` });
  }

  /** Returns the session of a message on the live channel. */
  byTicket(principal: string, ticket: string): MemorySession | undefined {
    return [...this.#world.sessions.values()].find(
      (each) => each.ticket === ticket && each.principal === principal,
    );
  }

  /** Returns the session of a REST call, by its access token or cookie. */
  ofRequest({ headers }: Request): MemorySession | undefined {
    const bearer = /^Bearer .+$/.exec(headers.get('Authorization') ?? '')?.[0];
    if (bearer !== undefined) return this.#world.sessions.get(bearer);
    if (!this.#hasAccounts) return this.anonymous;
    const key = inPage
      ? this.#pageSession
      : new RegExp(`(?:^|; )${COOKIE}=([^;]+)`).exec(headers.get('Cookie') ?? '')?.[1];
    return key ? this.#world.sessions.get(key) : undefined;
  }

  /**
   * Replaces a session with one of another user, or with the anonymous one. Also returns the value
   * of the `Set-Cookie` header.
   */
  signIn(
    before: MemorySession | undefined,
    name: string | undefined,
  ): { session: MemorySession; cookie: string } {
    if (before && this.#hasAccounts) this.#end(before);
    const session = name === undefined ? this.anonymous : this.#begin(name);
    this.#pageSession = session.key;
    return {
      session,
      cookie: name === undefined ? `${COOKIE}=; Max-Age=0` : `${COOKIE}=${session.key}`,
    };
  }

  #begin(principal: string): MemorySession {
    const session = {
      principal,
      roles: this.#world.users.get(principal)?.roles ?? [],
      key: crypto.randomUUID(),
      ticket: crypto.randomUUID(),
    };
    this.#world.sessions.set(session.key, session);
    return session;
  }

  #end(session: MemorySession): void {
    this.#world.sessions.delete(session.key);
    for (const connection of [...this.#world.connections]) {
      if (connection.session !== session) continue;
      this.#world.send(connection, 'SESSION_LOGOUT', { info: SESSION_OVER });
      Object.assign(connection, { session: undefined, noteId: undefined, jobs: false });
    }
  }
}
