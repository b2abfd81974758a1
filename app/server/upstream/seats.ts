/**
 * Who sits at this server and what upstream knows him as. Where people sign in at upstream, the session there is kept in
 * memory and nowhere else; where nobody does, our own users and sessions decide who may come in.
 */
import { createHash, randomBytes } from 'node:crypto';
import { parseRoles } from 'tiding/model';
import { personOf, type Accounts } from '../auth/accounts.ts';
import { embedPrincipal } from '../auth/embed-access.ts';
import { EmbedTokens } from '../auth/embed-tokens.ts';
import type { Person } from '../auth/permissions.ts';
import type { Session, TicketSession } from '../auth/sessions.ts';
import { Refusal } from '../errors.ts';
import { Mask } from './mask.ts';
import type { UpstreamIdentity } from './identity.ts';
import type { Zeppelin } from './zeppelin.ts';

/** A session at this server. */
export interface Seat {
  /** Names it here. */
  readonly key: string;
  /** Who it is, here: for limits. */
  readonly owner: string;
  /** Who it is to clients. */
  readonly principal: string;
  /** What upstream is told. */
  readonly upstream: UpstreamIdentity;
  /** Who acts: one of our users where nobody signs in at upstream; else who signed in there, or a page with an embed token. */
  readonly person: Person;
  /** Our own session: where nobody signs in at upstream, and of embed tokens. */
  readonly local: Session | undefined;
  /** Key of the session at upstream that it uses; `undefined`: nobody signs in there. */
  readonly uses: string | undefined;
}
/** A seat with its ticket, which only the bearer's secret gives. */
export type TicketSeat = Seat & { readonly ticket: string };

interface Held {
  key: string;
  ticket: string;
  upstream: UpstreamIdentity;
  created: number;
  seen: number;
  asking?: Promise<boolean>;
}

const IDLE_MS = 8 * 3_600_000;
const ABSOLUTE_MS = 7 * 24 * 3_600_000;
/** Ended ones are looked for this often, in ms. */
const SWEEP_MS = 60_000;

const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
const seatOf = ({ key, ticket, upstream }: Held): TicketSeat => ({
  key,
  ticket,
  upstream,
  owner: upstream.principal,
  principal: upstream.principal,
  person: { principal: upstream.principal, roles: parseRoles(upstream.roles) },
  local: undefined,
  uses: key,
});

/** What must not reach a browser. */
export function maskOf({ ticket, cookie }: UpstreamIdentity): Mask {
  return new Mask([ticket, ...cookie.split('; ').map((pair) => pair.slice(pair.indexOf('=') + 1))]);
}

/** See the head of this file. */
export class Seats {
  readonly #zeppelin: Zeppelin;
  readonly #accounts: Accounts;
  readonly #byKey = new Map<string, Held>();
  /** By hash of the ticket: how long a search takes says nothing. */
  readonly #byTicket = new Map<string, Held>();
  /** The sessions that embed tokens use, by the token's id: nobody but who made one has a session for it at upstream. `end` in ms. */
  readonly #makers = new Map<string, { key: string; principal: string; end: number }>();
  readonly #sweep: NodeJS.Timeout;
  /** Told when a session ends. */
  onEnd: (key: string) => void = () => {};

  constructor(zeppelin: Zeppelin, accounts: Accounts) {
    this.#zeppelin = zeppelin;
    this.#accounts = accounts;
    accounts.sessions.onEnd = (key) => this.onEnd(key);
    this.#sweep = setInterval(() => {
      for (const held of this.#byKey.values()) this.#expire(held);
      for (const [jti, { end }] of this.#makers) if (end < Date.now()) this.#makers.delete(jti);
    }, SWEEP_MS).unref();
  }

  /** The seat of a cookie of ours. */
  async byCookie(cookie: string): Promise<TicketSeat | undefined> {
    if (this.#zeppelin.kind !== 'anonymous') {
      const held = this.#alive(this.#byKey.get(hash(cookie)));
      return held && seatOf(held);
    }
    return this.#ticketed(this.#accounts.sessions.byCookie(cookie));
  }

  /** The seat of an access or embed token. Refuses where it is no good, and access tokens where people sign in at upstream: they have no password for it. */
  async byToken(token: string): Promise<TicketSeat> {
    const { tokens, sessions, embeds } = this.#accounts;
    if (EmbedTokens.looksLike(token)) {
      const claims = await embeds.verify(token);
      const seat = claims && (await this.#ticketed(sessions.byEmbed(token, claims)));
      if (seat) return seat;
    } else {
      if (this.#zeppelin.kind !== 'anonymous') throw new Refusal(401, NO_TOKENS);
      const found = await tokens.verify(token);
      const seat =
        found &&
        (await this.#ticketed(await sessions.byToken(token, found.principal, found.tokenId)));
      if (seat) return seat;
    }
    throw new Refusal(401, 'The access token is unknown, disabled or expired.');
  }

  /** The seat of a ticket of ours. */
  async byTicket(ticket: string): Promise<Seat | undefined> {
    if (this.#zeppelin.kind !== 'anonymous') {
      const held = this.#alive(this.#byTicket.get(hash(ticket)));
      if (held) return seatOf(held);
    }
    return this.#local(this.#accounts.sessions.byTicket(ticket));
  }

  /** The seat of a key, as it is now. To look is no sign of life. */
  async byKey(key: string): Promise<Seat | undefined> {
    if (this.#zeppelin.kind !== 'anonymous') {
      const held = this.#byKey.get(key);
      if (held) return seatOf(held);
    }
    return this.#local(this.#accounts.sessions.byKey(key));
  }

  async #ticketed(session: TicketSession | undefined): Promise<TicketSeat | undefined> {
    const seat = await this.#local(session);
    return seat && { ...seat, ticket: session!.ticket };
  }

  async #local(session: Session | undefined): Promise<Seat | undefined> {
    if (!session) return undefined;
    if (this.#zeppelin.kind !== 'anonymous') return this.#lent(session);
    const person = await personOf(session, this.#accounts);
    if (!person) return undefined;
    const { anonymous } = this.#zeppelin;
    const { embed } = person;
    // Many people come with tokens of one maker: there each token counts by itself.
    return {
      key: session.key,
      owner: embed ? session.key : person.principal,
      principal: embed ? person.principal : anonymous.principal,
      upstream: anonymous,
      person,
      local: session,
      uses: undefined,
    };
  }

  /** The seat of an embed token where people sign in at upstream: its page uses the session of who made it, for as long as that one lasts. */
  async #lent(session: Session): Promise<Seat | undefined> {
    const { embed } = session;
    const maker = embed && this.#makers.get(embed.jti);
    const held = maker && this.#byKey.get(maker.key);
    if (!held || this.#expire(held)) {
      // Those of our users wait until upstream asks for nobody again.
      if (embed) await this.#accounts.sessions.end(session.key);
      return undefined;
    }
    const { person: issuer, upstream } = seatOf(held);
    const principal = embedPrincipal(embed.iss);
    const { jti, note: noteId, paragraph: paragraphId, scope, params } = embed;
    return {
      key: session.key,
      owner: session.key,
      principal,
      upstream,
      local: session,
      uses: held.key,
      person: { principal, roles: [], embed: { jti, issuer, noteId, paragraphId, scope, params } },
    };
  }

  /** Has an embed token use the session of who made it. `expiresAt`: ISO 8601. */
  lend(jti: string, expiresAt: string, { key, principal }: Seat): void {
    this.#makers.set(jti, { key, principal, end: Date.parse(expiresAt) });
  }

  /** Ends embed tokens that use a session of somebody: one, or all. Answers how many there were. */
  async takeBack(principal: string | undefined, jti?: string): Promise<number> {
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

  /** Starts a session for who has signed in at upstream; `cookie` is what the browser keeps. */
  start(upstream: UpstreamIdentity): { seat: TicketSeat; cookie: string } {
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
    return { seat: seatOf(held), cookie };
  }

  /**
   * Asks upstream whether a session is still good there, and takes over its ticket, which may be another by now. Where it is
   * over it ends here too: `false`. Refuses where upstream cannot be asked. `key`: what a seat uses.
   */
  async confirm(key: string): Promise<boolean> {
    const held = this.#byKey.get(key);
    if (!held) return false;
    held.asking ??= this.#zeppelin
      .whoIs(held.upstream.cookie)
      .then(async (identity) => {
        // Another name: upstream no longer asks who somebody is.
        if (identity?.principal === held.upstream.principal) {
          held.upstream = identity;
          return this.#byKey.has(key);
        }
        this.#drop(held);
        return false;
      })
      .finally(() => delete held.asking);
    return held.asking;
  }

  /** Ends a session, here and at upstream. */
  async end({ key, local }: Seat): Promise<void> {
    if (local) return this.#accounts.sessions.end(key);
    const held = this.#byKey.get(key);
    if (!held) return;
    this.#drop(held);
    await this.#leave(held);
  }

  /** A sign-out there takes the ticket of all sessions of the same person: the others here ask for a new one. */
  async #leave({ upstream }: Held): Promise<void> {
    await this.#zeppelin.logout(upstream.cookie);
    const others = [...this.#byKey.values()].filter(
      (other) => other.upstream.principal === upstream.principal,
    );
    await Promise.all(others.map(({ key }) => this.confirm(key).catch(() => {})));
  }

  /** Forgets every session: nobody can sign in with them any more. */
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

/** Why there are no access tokens. */
export const NO_TOKENS =
  'There are no access tokens here: people sign in at the Zeppelin behind this server, with name and password.';
