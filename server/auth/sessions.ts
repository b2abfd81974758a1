/**
 * Sessions, with a cookie for REST and a ticket for the live channel. Both are random or derived
 * with a keyed hash, and only hashes are stored. A restart signs nobody out, and a stolen file
 * can't be used to sign in.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Ages } from '../storage/ages.ts';
import { readJsonFile, writeDurably, writer } from '../storage/files.ts';
import { embedAlias, embedPrincipal } from './embed-access.ts';
import type { EmbedClaims } from './embed-tokens.ts';
import { ANONYMOUS_USER } from './users.ts';

/** The session of a message or call. */
export interface ServerSession {
  readonly principal: string;
  /** Hash under which it is stored. */
  readonly key: string;
  /** Start time, in ms. */
  readonly created: number;
  /** Id of the access token that started it, if any. */
  readonly tokenId: string | undefined;
  /** Claims of the embed token that started it, if any. */
  readonly embed?: EmbedClaims | undefined;
  /**
   * The name that clients know the user by: for a page with an embed token an opaque one, the same
   * for all tokens of an issuer and subject.
   */
  readonly alias: string;
}

/** A session with its ticket, which can only be derived from the client's secret. */
export interface TicketSession extends ServerSession {
  readonly ticket: string;
}

interface Stored {
  key: string;
  ticketHash: string;
  principal: string;
  created: number;
  /** Last use in ms, at most half an hour too early. */
  seen: number;
  tokenId?: string | undefined;
  /** Not stored: such a session is shorter than a restart, and its token starts it again. */
  embed?: EmbedClaims;
  alias?: string;
}

/** Content of the file. `signIns`: when each user last signed in, in ms. */
interface StoredFile {
  sessions?: Stored[];
  signIns?: Record<string, number>;
}

const FILE = 'sessions.json';
const IDLE_MS = 8 * 3_600_000;
const ABSOLUTE_MS = 7 * 24 * 3_600_000;

const sessionOf = ({
  principal,
  key,
  created,
  tokenId,
  embed,
  alias = principal,
}: Stored): ServerSession => ({ principal, key, created, tokenId, embed, alias });
const hash = (text: string) => createHash('sha256').update(text).digest('base64url');

const isStored = ({ key, embed }: Stored) => !embed && key !== ANONYMOUS_USER;

const readStored = async (folder: string): Promise<StoredFile> =>
  ((await readJsonFile(join(folder, FILE)).catch(() => undefined)) as StoredFile | undefined) ?? {};

/**
 * Returns when each user last signed in, in ms, as the server has stored it. For the command line.
 */
export async function readSignIns(folder: string): Promise<ReadonlyMap<string, number>> {
  return new Map(Object.entries((await readStored(folder)).signIns ?? {}));
}

/** The sessions of a data folder. */
export class Sessions {
  readonly #file: string;
  readonly #secret: Buffer;
  readonly #byKey = new Map<string, Stored>();
  readonly #byTicket = new Map<string, Stored>();
  readonly #ages = new Ages();
  readonly #idle = new Ages();
  readonly #signIns = new Map<string, number>();
  readonly #save: () => Promise<void>;
  /** Session of all callers, if nobody signs in. */
  anonymous: TicketSession | undefined;
  /** Called when a token starts a session. */
  onBegin: (session: ServerSession) => void = () => {};
  /** Called when a session ends, with the reason if there is one that the user should know. */
  onEnd: (key: string, reason?: string) => void = () => {};

  private constructor(folder: string, secret: Buffer) {
    this.#file = join(folder, FILE);
    this.#secret = secret;
    this.#save = writer(() =>
      writeDurably(
        this.#file,
        JSON.stringify({
          sessions: [...this.#byKey.values()].filter(isStored),
          signIns: Object.fromEntries(this.#signIns),
        } satisfies StoredFile),
      ),
    );
  }

  /** Loads the sessions that are still valid. */
  static async open(folder: string): Promise<Sessions> {
    const file = join(folder, 'secret.key');
    let secret = await readFile(file).catch(() => undefined);
    if (!secret || secret.length < 32) {
      secret = Buffer.from(randomBytes(32).toString('hex'));
      await writeDurably(file, secret.toString('utf8'));
      // The tickets of earlier sessions belong to another secret.
      await rm(join(folder, FILE), { force: true });
    }
    const sessions = new Sessions(folder, secret);
    const { sessions: stored = [], signIns = {} } = await readStored(folder);
    for (const entry of stored) if (!sessions.#isOver(entry)) sessions.#add(entry);
    for (const [name, time] of Object.entries(signIns)) sessions.#signIns.set(name, time);
    return sessions;
  }

  #isOver({ key, seen, created, embed }: Stored): boolean {
    return (
      key !== ANONYMOUS_USER &&
      (this.#idle.of(key, seen) > IDLE_MS ||
        this.#ages.of(key, created) > ABSOLUTE_MS ||
        // The token names a time, not a duration.
        (embed !== undefined && Date.now() >= embed.exp * 1_000))
    );
  }

  #add(entry: Stored): void {
    this.#byKey.set(entry.key, entry);
    this.#byTicket.set(entry.ticketHash, entry);
    this.#ages.of(entry.key, entry.created);
    this.#idle.of(entry.key, entry.seen);
  }

  #ticket(secretOfSession: string): string {
    return createHmac('sha256', this.#secret)
      .update(`ticket:${secretOfSession}`)
      .digest('base64url');
  }

  /** The secret outlives tokens and restarts: drafts in a browser are kept under this name. */
  #alias({ iss, sub = '' }: EmbedClaims): string {
    const digest = createHmac('sha256', this.#secret).update(JSON.stringify(['embed', iss, sub]));
    return embedAlias(digest.digest('base64url').slice(0, 16));
  }

  #alive(entry: Stored | undefined): Stored | undefined {
    if (!entry) return undefined;
    if (this.#isOver(entry)) {
      void this.end(entry.key);
      return undefined;
    }
    // The idle time need not be exact, so it is stored only when it has changed noticeably.
    if (this.#idle.of(entry.key, entry.seen) > IDLE_MS / 16) {
      entry.seen = Date.now();
      this.#idle.begin(entry.key);
      void this.#save().catch(() => {});
    }
    return entry;
  }

  /** Starts the session that all callers of a server without sign-in share. It never ends. */
  admitAnonymous(): void {
    const now = Date.now();
    const entry: Stored = {
      key: ANONYMOUS_USER,
      ticketHash: hash(ANONYMOUS_USER),
      principal: ANONYMOUS_USER,
      created: now,
      seen: now,
    };
    this.#add(entry);
    this.anonymous = { ...sessionOf(entry), ticket: ANONYMOUS_USER };
  }

  /** Starts a session; `cookie` is for the browser. Resolves when it is stored. */
  async start(principal: string): Promise<{ session: TicketSession; cookie: string }> {
    const cookie = randomBytes(32).toString('base64url');
    // Stored with the session.
    this.#signIns.set(principal, Date.now());
    const session = await this.#begin(cookie, principal);
    return { session, cookie };
  }

  async #begin(
    secretOfSession: string,
    principal: string,
    tokenId?: string,
  ): Promise<TicketSession> {
    const session = this.#enter(secretOfSession, { principal, tokenId });
    try {
      await this.#save();
    } catch (error) {
      await this.end(session.key);
      throw error;
    }
    return session;
  }

  /** Adds a session that starts now. */
  #enter(
    secretOfSession: string,
    holder: Pick<Stored, 'principal' | 'tokenId' | 'embed' | 'alias'>,
  ): TicketSession {
    const ticket = this.#ticket(secretOfSession);
    const [key, ticketHash, now] = [hash(secretOfSession), hash(ticket), Date.now()];
    const entry: Stored = { key, ticketHash, created: now, seen: now, ...holder };
    this.#add(entry);
    const session = sessionOf(entry);
    if (entry.tokenId !== undefined) this.onBegin(session);
    return { ...session, ticket };
  }

  /**
   * Returns the session of a cookie. Token sessions can't be found this way, only by their token.
   */
  byCookie(cookie: string): TicketSession | undefined {
    const entry = this.#alive(this.#byKey.get(hash(cookie)));
    return entry && entry.tokenId === undefined
      ? { ...sessionOf(entry), ticket: this.#ticket(cookie) }
      : undefined;
  }

  /** Returns the session of an access token, and starts it on first use. */
  async byToken(token: string, principal: string, tokenId: string): Promise<TicketSession> {
    const name = `bearer:${token}`;
    const entry = this.#alive(this.#byKey.get(hash(name)));
    if (!entry) return this.#begin(name, principal, tokenId);
    return { ...sessionOf(entry), ticket: this.#ticket(name) };
  }

  /** Returns the session of an embed token, and starts it on first use. */
  byEmbed(token: string, embed: EmbedClaims): TicketSession {
    const name = `bearer:${token}`;
    const known = this.#alive(this.#byKey.get(hash(name)));
    if (known) return { ...sessionOf(known), ticket: this.#ticket(name) };
    // There may be many, and their pages don't sign out.
    for (const entry of this.#byKey.values())
      if (entry.embed && this.#isOver(entry)) void this.end(entry.key);
    return this.#enter(name, {
      principal: embedPrincipal(embed.iss),
      tokenId: embed.jti,
      embed,
      alias: this.#alias(embed),
    });
  }

  /** Returns the session of a ticket. Looked up by hash, so the time reveals nothing. */
  byTicket(ticket: string): ServerSession | undefined {
    const entry = this.#alive(this.#byTicket.get(hash(ticket)));
    return entry && sessionOf(entry);
  }

  /** Returns a session by key, without extending it; ends it if it has expired. */
  byKey(key: string): ServerSession | undefined {
    const entry = this.#byKey.get(key);
    if (!entry) return undefined;
    if (!this.#isOver(entry)) return sessionOf(entry);
    void this.end(key);
    return undefined;
  }

  /** Returns when a user last signed in, in ms; `undefined` if never. */
  lastSignIn(principal: string): number | undefined {
    return this.#signIns.get(principal);
  }

  /** Returns the sessions that a user signed in to, the newest first. */
  ofUser(principal: string): Pick<Stored, 'key' | 'created' | 'seen'>[] {
    return [...this.#byKey.values()]
      .filter(
        (entry) =>
          entry.principal === principal && entry.tokenId === undefined && !this.#isOver(entry),
      )
      .map(({ key, created, seen }) => ({ key, created, seen }))
      .sort((a, b) => b.created - a.created);
  }

  /** Ends a session. `reason` is a sentence for the user. */
  async end(key: string, reason?: string): Promise<void> {
    const entry = this.#byKey.get(key);
    if (!entry || key === ANONYMOUS_USER) return;
    this.#byKey.delete(key);
    this.#byTicket.delete(entry.ticketHash);
    this.#ages.forget(key);
    this.#idle.forget(key);
    this.onEnd(key, reason);
    if (!entry.embed) await this.#save().catch(() => {});
  }

  /** Ends every session started by an access token. */
  endToken(tokenId: string): Promise<void> {
    return this.#endAll((entry) => entry.tokenId === tokenId);
  }

  /** Ends every session of embed tokens issued by a user. */
  endEmbeds(issuer: string): Promise<void> {
    return this.#endAll(({ embed }) => embed?.iss === issuer);
  }

  /**
   * Ends every session of a user, of their access tokens and of their embed tokens. `reason` is a
   * sentence for the user.
   */
  endUser(principal: string, reason?: string): Promise<void> {
    return this.#endAll(
      (entry) => entry.principal === principal || entry.embed?.iss === principal,
      reason,
    );
  }

  async #endAll(matches: (entry: Stored) => boolean, reason?: string): Promise<void> {
    const ended = [...this.#byKey.values()].filter(matches);
    await Promise.all(ended.map(({ key }) => this.end(key, reason)));
  }

  /** Forgets when a removed user signed in. */
  async forgetSignIn(principal: string): Promise<void> {
    if (this.#signIns.delete(principal)) await this.#save().catch(() => {});
  }

  /**
   * Lets a session of a user count as started at `now`, in ms, so that it outlives the passwords
   * that were set before. A session of another user is not renewed.
   */
  async renew(key: string, principal: string, now: number): Promise<void> {
    const entry = this.#byKey.get(key);
    if (entry?.principal !== principal) return;
    entry.created = now;
    await this.#save().catch(() => {});
  }

  /**
   * Ends every session that a user signed in to, except the one with the key `except`. Sessions of
   * access tokens end with the token.
   */
  endPrincipal(principal: string, except?: string): Promise<void> {
    return this.#endAll(
      (entry) =>
        entry.principal === principal && entry.tokenId === undefined && entry.key !== except,
    );
  }
}
