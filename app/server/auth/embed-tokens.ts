/**
 * Embed tokens: a host page shows one note or paragraph with them, to people who have no account here. Each is signed and
 * stored nowhere; what it may do is decided at its use, by its claims and by the rights that its maker has then.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Bag } from 'tiding/protocol';
import { SharedList } from '../files.ts';
import { embedPrincipal, type EmbedScope } from './embed-access.ts';
import { EmbedKeys, type EmbedKey } from './embed-keys.ts';
import type { Person } from './permissions.ts';
import type { Secrets } from './secrets.ts';
import type { Tokens } from './tokens.ts';
import type { Users } from './users.ts';

/** Longest life of a token, in s. */
export const MAX_EMBED_SECONDS = 300;
const PREFIX = 'tde_';
const MAX_LENGTH = 8_192;
/** One algorithm, whatever a token says of itself. */
const HEADER = { alg: 'HS256', typ: 'JWT' } as const;
const AUDIENCE = 'tiding-embed';

const claimsSchema = z.object({
  aud: z.literal(AUDIENCE),
  /** Who made it, and the access token that he came with. */
  iss: z.string(),
  via: z.optional(z.string()),
  /** Whom the host shows it to, in the host's words. */
  sub: z.optional(z.string()),
  note: z.string(),
  paragraph: z.optional(z.string()),
  scope: z.enum(['view', 'run', 'edit']),
  params: z.optional(z.record(z.string(), z.unknown())),
  /** Of the host's pages; a page of another is refused. */
  origin: z.optional(z.string()),
  /** Seconds since 1970, with a fraction. */
  iat: z.number(),
  exp: z.number(),
  jti: z.string(),
});
/** What a token says. */
export type EmbedClaims = z.infer<typeof claimsSchema>;

/** What a token is to be for. */
export interface EmbedWish {
  noteId: string;
  paragraphId?: string | undefined;
  scope: EmbedScope;
  params?: Bag | undefined;
  /** 1 to {@link MAX_EMBED_SECONDS}. */
  seconds: number;
  subject?: string | undefined;
  /** Origin of the pages that may use it; absent: of every page that may embed. */
  origin?: string | undefined;
}

/** One token that is no longer good (`jti`), or all that its maker made before a moment (in ms). */
interface Revocation {
  issuer: string;
  jti?: string;
  before: number;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const mac = ({ secret }: EmbedKey, purpose: string, text: string) =>
  createHmac('sha256', secret).update(`${purpose}\n${text}`).digest();
/** A signature over the two parts, as JWTs have it. */
const signature = ({ secret }: EmbedKey, text: string) =>
  createHmac('sha256', secret).update(text).digest();
/** The texts are compared: several decode to the same bytes. */
const isSame = (given: string, expected: Buffer) => {
  const [mine, theirs] = [Buffer.from(expected.toString('base64url')), Buffer.from(given)];
  return mine.length === theirs.length && timingSafeEqual(mine, theirs);
};

/** The embed tokens of a data folder. */
export class EmbedTokens {
  readonly keys: EmbedKeys;
  readonly #revoked: SharedList<Revocation>;

  constructor(folder: string, secrets: Secrets) {
    this.keys = new EmbedKeys(folder, secrets);
    this.#revoked = new SharedList(join(folder, 'embed-revocations.json'), 'revocations');
  }

  /** Whether a text is one of these tokens, good or not. */
  static looksLike(token: string): boolean {
    return token.startsWith(PREFIX);
  }

  /** Makes a token. `via`: id of the access token that its maker came with. The rights are the caller's to check. */
  async create(
    issuer: string,
    via: string | undefined,
    { noteId, paragraphId, scope, params, seconds, subject, origin }: EmbedWish,
  ): Promise<{ token: string; expiresAt: string; jti: string }> {
    const key = await this.keys.signing();
    await this.#revoked.refresh();
    const before =
      this.#revoked.items.find((each) => each.issuer === issuer && each.jti === undefined)
        ?.before ?? 0;
    // What is made in the millisecond of a revocation is made after it.
    const now = Math.max(Date.now(), before + 1);
    const end = now + seconds * 1_000;
    const name = `${randomBytes(12).toString('base64url')}.${end.toString(36)}`;
    // Whoever has the id can be told from who has not, without a list of all tokens.
    const jti = `${name}.${mac(key, 'jti', `${issuer}\n${name}`).subarray(0, 12).toString('base64url')}`;
    const claims: EmbedClaims = {
      aud: AUDIENCE,
      iss: issuer,
      ...(via === undefined ? {} : { via }),
      ...(subject === undefined ? {} : { sub: subject }),
      note: noteId,
      ...(paragraphId === undefined ? {} : { paragraph: paragraphId }),
      scope,
      ...(params === undefined ? {} : { params }),
      ...(origin === undefined ? {} : { origin }),
      iat: now / 1_000,
      exp: end / 1_000,
      jti,
    };
    const text = `${encode({ ...HEADER, kid: key.kid })}.${encode(claims)}`;
    return {
      token: `${PREFIX}${text}.${signature(key, text).toString('base64url')}`,
      expiresAt: new Date(end).toISOString(),
      jti,
    };
  }

  /** What a token says, where it was signed here and its time is not over. */
  async verify(token: string): Promise<EmbedClaims | undefined> {
    if (!EmbedTokens.looksLike(token) || token.length > MAX_LENGTH) return undefined;
    const parts = token.slice(PREFIX.length).split('.');
    const [header = '', payload = '', sign = ''] = parts;
    if (parts.length !== 3) return undefined;
    try {
      const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as {
        alg?: unknown;
        kid?: unknown;
      };
      const key = (await this.keys.verifying()).find((each) => each.kid === kid);
      if (alg !== HEADER.alg || !key || !isSame(sign, signature(key, `${header}.${payload}`)))
        return undefined;
      const claims = claimsSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
      return claims.exp * 1_000 > Date.now() ? claims : undefined;
    } catch (error) {
      if (
        error instanceof SyntaxError ||
        error instanceof z.core.$ZodError ||
        error instanceof TypeError
      )
        return undefined;
      throw error;
    }
  }

  /** Who holds a token, if it is good now: not over, not revoked, its maker there and what he made it with still good. */
  async personOf(
    claims: EmbedClaims,
    { users, tokens }: { users: Users; tokens: Tokens },
  ): Promise<Person | undefined> {
    await Promise.all([users.refresh(), this.#revoked.refresh()]);
    const { iss, via, jti, iat, exp } = claims;
    const made = Math.round(iat * 1_000);
    const user = users.get(iss);
    if (!user || user.disabled || exp * 1_000 <= Date.now()) return undefined;
    if (
      this.#revoked.items.some(
        (each) =>
          each.issuer === iss && (each.jti === undefined ? made <= each.before : each.jti === jti),
      )
    )
      return undefined;
    if (via === undefined ? made < (user.passwordSet ?? 0) : !(await tokens.isGood(iss, via)))
      return undefined;
    return {
      principal: embedPrincipal(iss),
      roles: [],
      embed: {
        jti,
        issuer: { principal: user.name, roles: user.roles },
        noteId: claims.note,
        paragraphId: claims.paragraph,
        scope: claims.scope,
        params: claims.params,
      },
    };
  }

  /** Which of these people made the token of an id; `undefined`: none of them, or its time is over. */
  async makerOf(jti: string, people: readonly string[]): Promise<string | undefined> {
    const [random = '', end = '', given = ''] = jti.split('.');
    if (!(Number.parseInt(end, 36) > Date.now())) return undefined;
    const keys = await this.keys.verifying();
    return people.find((issuer) =>
      keys.some((key) =>
        isSame(given, mac(key, 'jti', `${issuer}\n${random}.${end}`).subarray(0, 12)),
      ),
    );
  }

  async #add(revocation: Revocation): Promise<void> {
    const isOver = ({ before }: Revocation) => Date.now() - before > 2 * MAX_EMBED_SECONDS * 1_000;
    const isSameKind = (each: Revocation) =>
      each.issuer === revocation.issuer && each.jti === revocation.jti;
    await this.#revoked.update((all) => [
      ...all.filter((each) => !isOver(each) && !isSameKind(each)),
      revocation,
    ]);
  }

  /** Ends one token. Resolves when that is stored. */
  revoke(jti: string, issuer: string): Promise<void> {
    return this.#add({ issuer, jti, before: Date.now() });
  }

  /** Ends all tokens that somebody made until now. */
  revokeAll(issuer: string): Promise<void> {
    return this.#add({ issuer, before: Date.now() });
  }
}
