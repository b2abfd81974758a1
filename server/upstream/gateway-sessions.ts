/**
 * Sessions at this server and their Zeppelin identities. If users sign in at Zeppelin, its sessions
 * are kept in memory only. If Zeppelin has no accounts, local users and sessions decide who may
 * sign in.
 */
import { createHash, randomBytes } from 'node:crypto';
import { parseRoles } from '@tiding/client/model';
import { type Accounts, personOf } from '../auth/accounts.ts';
import { EmbedTokenStore, embedViewer } from '../auth/embed-tokens.ts';
import type { ActingUser } from '../auth/permissions.ts';
import type { ServerSession, TicketSession } from '../auth/sessions.ts';
import { Refusal } from '../base/errors.ts';
import { refusedToken } from '../http/origin.ts';
import type { UpstreamIdentity } from './identity.ts';
import { SecretMask } from './mask.ts';
import type { ZeppelinClient } from './zeppelin.ts';

export interface GatewaySession {
  readonly key: string;
  /** The user on this server, for rate limits. */
  readonly owner: string;
  /** The user name that clients see. */
  readonly principal: string;
  /** The identity sent to Zeppelin. */
  readonly upstream: UpstreamIdentity;
  /**
   * The acting user: a local user if Zeppelin has no accounts, else the user who signed in there,
   * or a page with an embed token.
   */
  readonly person: ActingUser;
  /** The local session: if Zeppelin has no accounts, and for embed tokens. */
  readonly local: ServerSession | undefined;
  /** Key of the Zeppelin session that it uses; `undefined` if Zeppelin has no accounts. */
  readonly uses: string | undefined;
}
/** A session with its ticket, which can only be derived from the client's secret. */
export type GatewayTicketSession = GatewaySession & { readonly ticket: string };

interface Held {
  key: string;
  ticket: string;
  upstream: UpstreamIdentity;
  created: number;
  seen: number;
  pending?: Promise<boolean>;
}

const IDLE_MS = 8 * 3_600_000;
const ABSOLUTE_MS = 7 * 24 * 3_600_000;
/** Interval at which expired sessions are removed, in ms. */
const SWEEP_MS = 60_000;

const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
const sessionOf = ({ key, ticket, upstream }: Held): GatewayTicketSession => ({
  key,
  ticket,
  upstream,
  owner: upstream.principal,
  principal: upstream.principal,
  person: { principal: upstream.principal, roles: parseRoles(upstream.roles) },
  local: undefined,
  uses: key,
});

/** Returns a mask for the secrets that must not reach a browser. */
export function maskOf({ ticket, cookie }: UpstreamIdentity): SecretMask {
  return new SecretMask([
    ticket,
    ...cookie.split('; ').map((pair) => pair.slice(pair.indexOf('=') + 1)),
  ]);
}

/** Finds, starts and ends the sessions of a server in front of a Zeppelin. */
export class GatewaySessions {
  readonly #zeppelin: ZeppelinClient;
  readonly #accounts: Accounts;
  readonly #byKey = new Map<string, Held>();
  /** By hash of the ticket, so that the lookup time reveals nothing. */
  readonly #byTicket = new Map<string, Held>();
  /**
   * The Zeppelin sessions that embed tokens use, by token id. A token has no session of its own at
   * Zeppelin, so it uses its issuer's. `end` in ms.
   */
  readonly #makers = new Map<string, { key: string; principal: string; end: number }>();
  readonly #sweep: NodeJS.Timeout;
  onEnd: (key: string) => void = () => {};

  constructor(zeppelin: ZeppelinClient, accounts: Accounts) {
    this.#zeppelin = zeppelin;
    this.#accounts = accounts;
    accounts.sessions.onEnd = (key) => this.onEnd(key);
    this.#sweep = setInterval(() => {
      for (const held of this.#byKey.values()) this.#expire(held);
      for (const [jti, { end }] of this.#makers) if (end < Date.now()) this.#makers.delete(jti);
    }, SWEEP_MS).unref();
  }

  /** Returns the session of one of this server's cookies. */
  async byCookie(cookie: string): Promise<GatewayTicketSession | undefined> {
    if (this.#zeppelin.kind !== 'anonymous') {
      const held = this.#alive(this.#byKey.get(hash(cookie)));
      return held && sessionOf(held);
    }
    return this.#ticketed(this.#accounts.sessions.byCookie(cookie));
  }

  /**
   * Returns the session of an access or embed token. Throws if the token is invalid, and for access
   * tokens if users sign in at Zeppelin, because a token contains no Zeppelin password.
   */
  async byToken(token: string): Promise<GatewayTicketSession> {
    const { tokens, sessions, embeds } = this.#accounts;
    if (EmbedTokenStore.looksLike(token)) {
      const claims = await embeds.verify(token);
      if (typeof claims === 'string') throw refusedToken(claims);
      const session = await this.#ticketed(sessions.byEmbed(token, claims));
      if (session) return session;
      throw refusedToken('revoked');
    }
    if (this.#zeppelin.kind !== 'anonymous') throw new Refusal(401, TOKENS_UNAVAILABLE_MESSAGE);
    const found = await tokens.verify(token);
    const own = found && (await sessions.byToken(token, found.principal, found.tokenId));
    const session = await this.#ticketed(own);
    if (!session) throw refusedToken('invalid');
    return session;
  }

  /** Returns the session of one of this server's tickets. */
  async byTicket(ticket: string): Promise<GatewaySession | undefined> {
    if (this.#zeppelin.kind !== 'anonymous') {
      const held = this.#alive(this.#byTicket.get(hash(ticket)));
      if (held) return sessionOf(held);
    }
    return this.#local(this.#accounts.sessions.byTicket(ticket));
  }

  /** Returns the current state of a session by its key, without extending it. */
  async byKey(key: string): Promise<GatewaySession | undefined> {
    if (this.#zeppelin.kind !== 'anonymous') {
      const held = this.#byKey.get(key);
      if (held) return sessionOf(held);
    }
    return this.#local(this.#accounts.sessions.byKey(key));
  }

  async #ticketed(session: TicketSession | undefined): Promise<GatewayTicketSession | undefined> {
    const found = await this.#local(session);
    return found && { ...found, ticket: session!.ticket };
  }

  async #local(session: ServerSession | undefined): Promise<GatewaySession | undefined> {
    if (!session) return undefined;
    if (this.#zeppelin.kind !== 'anonymous') return this.#lent(session);
    const person = await personOf(session, this.#accounts);
    if (!person) return undefined;
    const { anonymous } = this.#zeppelin;
    const { embed } = person;
    // Many visitors use tokens of the same issuer, so each token is limited separately.
    return {
      key: session.key,
      owner: embed ? session.key : person.principal,
      principal: embed ? session.alias : anonymous.principal,
      upstream: anonymous,
      person,
      local: session,
      uses: undefined,
    };
  }

  /**
   * Returns the session of an embed token if users sign in at Zeppelin: its page uses the issuer's
   * session for as long as that lasts.
   */
  async #lent(session: ServerSession): Promise<GatewaySession | undefined> {
    const { embed } = session;
    const maker = embed && this.#makers.get(embed.jti);
    const held = maker && this.#byKey.get(maker.key);
    if (!held || this.#expire(held)) {
      // Sessions of local users are kept for when Zeppelin has no accounts again.
      if (embed) await this.#accounts.sessions.end(session.key);
      return undefined;
    }
    const { person: issuer, upstream } = sessionOf(held);
    const { alias } = session;
    return {
      key: session.key,
      owner: session.key,
      principal: alias,
      upstream,
      local: session,
      uses: held.key,
      person: embedViewer({ embed, alias }, issuer),
    };
  }

  /** Lets an embed token use its issuer's session. `expiresAt`: ISO 8601. */
  lendSession(jti: string, expiresAt: string, { key, principal }: GatewaySession): void {
    this.#makers.set(jti, { key, principal, end: Date.parse(expiresAt) });
  }

  /** Revokes one or all embed tokens that use a user's session, and returns how many. */
  async revokeLent(principal: string | undefined, jti?: string): Promise<number> {
    const ended = [...this.#makers].filter(
      ([id, maker]) =>
        (jti === undefined || id === jti) &&
        (principal === undefined || maker.principal === principal),
    );
    for (const [id] of ended) {
      this.#makers.delete(id);
      await this.#accounts.sessions.endToken(id);
    }
    return ended.length;
  }

  /** Starts a session for a user who has signed in at Zeppelin; `cookie` is for the browser. */
  start(upstream: UpstreamIdentity): { session: GatewayTicketSession; cookie: string } {
    const cookie = randomBytes(32).toString('base64url');
    const now = Date.now();
    const held: Held = {
      key: hash(cookie),
      ticket: randomBytes(32).toString('base64url'),
      upstream,
      created: now,
      seen: now,
    };
    this.#byKey.set(held.key, held);
    this.#byTicket.set(hash(held.ticket), held);
    return { session: sessionOf(held), cookie };
  }

  /**
   * Asks Zeppelin whether a session is still valid, and adopts its current ticket, which may have
   * changed. Ends the session here too and returns `false` if it is not. Throws if Zeppelin can't
   * be reached. `key`: the Zeppelin session that a local one uses.
   */
  async confirm(key: string): Promise<boolean> {
    const held = this.#byKey.get(key);
    if (!held) return false;
    held.pending ??= this.#zeppelin
      .identify(held.upstream.cookie)
      .then(async (identity) => {
        // With another name, Zeppelin no longer has accounts.
        if (identity?.principal === held.upstream.principal) {
          held.upstream = identity;
          return this.#byKey.has(key);
        }
        this.#drop(held);
        return false;
      })
      .finally(() => delete held.pending);
    return held.pending;
  }

  /** Ends a session, here and at Zeppelin. */
  async end({ key, local }: GatewaySession): Promise<void> {
    if (local) return this.#accounts.sessions.end(key);
    const held = this.#byKey.get(key);
    if (!held) return;
    this.#drop(held);
    await this.#leave(held);
  }

  /**
   * Signing out at Zeppelin invalidates the ticket of all the user's sessions, so the others
   * request a new one.
   */
  async #leave({ upstream }: Held): Promise<void> {
    await this.#zeppelin.logout(upstream.cookie);
    const others = [...this.#byKey.values()].filter(
      (other) => other.upstream.principal === upstream.principal,
    );
    await Promise.all(others.map(({ key }) => this.confirm(key).catch(() => {})));
  }

  close(): void {
    clearInterval(this.#sweep);
    this.#byKey.clear();
    this.#byTicket.clear();
  }

  #alive(held: Held | undefined): Held | undefined {
    if (!held || this.#expire(held)) return undefined;
    held.seen = Date.now();
    return held;
  }

  #expire(held: Held): boolean {
    const now = Date.now();
    if (now - held.seen <= IDLE_MS && now - held.created <= ABSOLUTE_MS) return false;
    this.#drop(held);
    void this.#leave(held);
    return true;
  }

  #drop(held: Held): void {
    this.#byKey.delete(held.key);
    this.#byTicket.delete(hash(held.ticket));
    this.onEnd(held.key);
  }
}

/** Why access tokens are not available. */
export const TOKENS_UNAVAILABLE_MESSAGE =
  'Access tokens are not available: users sign in at the Zeppelin behind this server, ' +
  'with name and password.';
