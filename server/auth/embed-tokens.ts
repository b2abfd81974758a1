/**
 * Embed tokens let a host page show one note or paragraph to people without an account. They are
 * encrypted, so that the page can't read who issued them and which values they fix, and not stored.
 * Their permissions are decided at each use, by the claims and by the permissions that the issuer
 * has then.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import {
  type EmbedScope,
  embedScopes,
  type JsonObject,
  type TokenFailure,
} from '@tiding/client/protocol';
import { CompactEncrypt, compactDecrypt } from 'jose';
import * as z from 'zod/mini';
import { SharedList } from '../storage/files.ts';
import { embedPrincipal } from './embed-access.ts';
import { type EmbedKey, EmbedKeys } from './embed-keys.ts';
import type { ActingUser } from './permissions.ts';
import type { Secrets } from './secrets.ts';
import type { AccessTokenStore } from './tokens.ts';
import type { Users } from './users.ts';

/** Maximum lifetime of a token, in s. */
export const MAX_EMBED_SECONDS = 300;
const PREFIX = 'tde_';
const MAX_LENGTH = 8_192;
/** The only accepted algorithm, whatever a token's header says: an encrypted JWT (RFC 7516). */
const HEADER = { alg: 'dir', enc: 'A256GCM', typ: 'JWT' } as const;
const AUDIENCE = 'tiding-embed';

const claimsSchema = z.object({
  aud: z.literal(AUDIENCE),
  /** The issuer, and the access token that the issuer used. */
  iss: z.string(),
  via: z.optional(z.string()),
  /** The viewer, as named by the host. */
  sub: z.optional(z.string()),
  note: z.string(),
  paragraph: z.optional(z.string()),
  scope: z.enum(embedScopes),
  params: z.optional(z.record(z.string(), z.unknown())),
  /** Interpreter settings in which the page may run code that it has changed. */
  interpreters: z.optional(z.array(z.string())),
  /** Origin of the host's pages; pages of other origins are rejected. */
  origin: z.optional(z.string()),
  /** Seconds since 1970, with a fraction. */
  iat: z.number(),
  exp: z.number(),
  jti: z.string(),
});
export type EmbedClaims = z.infer<typeof claimsSchema>;

interface EmbedTokenRequest {
  noteId: string;
  paragraphId?: string | undefined;
  scope: EmbedScope;
  params?: JsonObject | undefined;
  interpreters?: readonly string[] | undefined;
  /** Lifetime, 1 to {@link MAX_EMBED_SECONDS}. */
  seconds: number;
  subject?: string | undefined;
  /** Origin of the pages that may use it; absent: every page that may embed. */
  origin?: string | undefined;
}

/** Revokes one token (`jti`), or all that a user issued before a time (in ms). */
interface Revocation {
  issuer: string;
  jti?: string;
  before: number;
}

const mac = ({ secret }: EmbedKey, purpose: string, text: string) =>
  createHmac('sha256', secret).update(`${purpose}\n${text}`).digest();
const cipherKey = ({ secret }: EmbedKey) =>
  Buffer.from(hkdfSync('sha256', secret, '', 'tiding-embed-token', 32));
/** Compares the encoded texts, because several texts decode to the same bytes. */
const isSame = (given: string, expected: Buffer) => {
  const expectedText = Buffer.from(expected.toString('base64url'));
  const givenText = Buffer.from(given);
  return expectedText.length === givenText.length && timingSafeEqual(expectedText, givenText);
};

/** The viewer of a session that an embed token started. */
export const embedViewer = (
  { embed, alias }: { embed: EmbedClaims; alias: string },
  issuer: ActingUser,
): ActingUser => ({
  principal: embedPrincipal(embed.iss),
  roles: [],
  embed: {
    jti: embed.jti,
    issuer,
    noteId: embed.note,
    paragraphId: embed.paragraph,
    scope: embed.scope,
    params: embed.params,
    interpreters: embed.interpreters,
    alias,
  },
});

/** The embed tokens of a data folder. */
export class EmbedTokenStore {
  readonly keys: EmbedKeys;
  readonly #revoked: SharedList<Revocation>;

  constructor(folder: string, secrets: Secrets) {
    this.keys = new EmbedKeys(folder, secrets);
    this.#revoked = new SharedList(join(folder, 'embed-revocations.json'), 'revocations');
  }

  /** Returns whether a text has the form of an embed token, valid or not. */
  static looksLike(token: string): boolean {
    return token.startsWith(PREFIX);
  }

  /**
   * Creates a token. `via` is the id of the access token that the issuer used. The caller must
   * check the issuer's permissions.
   */
  async create(
    issuer: string,
    via: string | undefined,
    { noteId, paragraphId, subject, seconds, interpreters, ...wish }: EmbedTokenRequest,
  ): Promise<{ token: string; expiresAt: string; jti: string }> {
    const key = await this.keys.signing();
    await this.#revoked.refresh();
    const before =
      this.#revoked.items.find((each) => each.issuer === issuer && each.jti === undefined)
        ?.before ?? 0;
    // A token made in the millisecond of a revocation counts as made after it.
    const now = Math.max(Date.now(), before + 1);
    const end = now + seconds * 1_000;
    const name = `${randomBytes(12).toString('base64url')}.${end.toString(36)}`;
    // The id itself proves who may revoke the token, without a list of all tokens.
    const proof = mac(key, 'jti', `${issuer}\n${name}`).subarray(0, 12);
    const jti = `${name}.${proof.toString('base64url')}`;
    const claims: EmbedClaims = {
      aud: AUDIENCE,
      iss: issuer,
      via,
      sub: subject,
      note: noteId,
      paragraph: paragraphId,
      scope: wish.scope,
      params: wish.params,
      interpreters: interpreters && [...interpreters],
      origin: wish.origin,
      iat: now / 1_000,
      exp: end / 1_000,
      jti,
    };
    const encrypted = await new CompactEncrypt(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ ...HEADER, kid: key.kid })
      .encrypt(cipherKey(key));
    return { token: `${PREFIX}${encrypted}`, expiresAt: new Date(end).toISOString(), jti };
  }

  /** Returns the claims of a token that was made here and has not expired, or why it is refused. */
  async verify(token: string): Promise<EmbedClaims | TokenFailure> {
    if (!EmbedTokenStore.looksLike(token) || token.length > MAX_LENGTH) return 'invalid';
    const encrypted = token.slice(PREFIX.length);
    // Several texts decode to the same bytes; only one is the token.
    const isExact = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part;
    if (!encrypted.split('.').every(isExact)) return 'invalid';
    const keys = await this.keys.verifying();
    const claims = await compactDecrypt(
      encrypted,
      ({ kid }) => {
        const key = keys.find((each) => each.kid === kid);
        if (!key) throw new Error('an unknown key');
        return cipherKey(key);
      },
      {
        keyManagementAlgorithms: [HEADER.alg],
        contentEncryptionAlgorithms: [HEADER.enc],
      },
    )
      .then(({ plaintext }) =>
        claimsSchema.safeParse(JSON.parse(Buffer.from(plaintext).toString())),
      )
      .catch(() => undefined);
    if (!claims?.success) return 'invalid';
    return claims.data.exp * 1_000 > Date.now() ? claims.data : 'expired';
  }

  /**
   * Returns the issuer of a token if it is still valid: not expired, not revoked, and its issuer
   * and the issuer's access token are still valid.
   */
  async issuerOf(
    { iss, via, jti, iat, exp }: EmbedClaims,
    { users, tokens }: { users: Users; tokens: AccessTokenStore },
  ): Promise<ActingUser | undefined> {
    await Promise.all([users.refresh(), this.#revoked.refresh()]);
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
    return { principal: user.name, roles: user.roles };
  }

  /**
   * Returns which of these users issued the token with an id; `undefined` if none did, or it has
   * expired.
   */
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

  /** Revokes one token. Resolves when that is stored. */
  revoke(jti: string, issuer: string): Promise<void> {
    return this.#add({ issuer, jti, before: Date.now() });
  }

  /** Revokes all tokens that a user has issued so far. */
  revokeAll(issuer: string): Promise<void> {
    return this.#add({ issuer, before: Date.now() });
  }
}
