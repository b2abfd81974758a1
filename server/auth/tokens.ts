/** Personal access tokens. They are shown once, stored as hashes, and may expire. */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { AccessToken, EndpointBody } from '@tiding/client/protocol';
import { SharedList } from '../storage/files.ts';

interface Stored {
  tokenId: string;
  principal: string;
  hash: string;
  description: string;
  createdAt: string;
  expiresAt: string | null;
  disabled: boolean;
}

const PREFIX = 'tdg_';
const DEFAULT_DAYS = 90;
const DAY_MS = 86_400_000;
const hash = (token: string) => createHash('sha256').update(token).digest('base64url');

function entry({ tokenId, description, createdAt, expiresAt, disabled }: Stored): AccessToken {
  return { tokenId, description, createdAt, expiresAt, disabled };
}

export const isExpired = ({ expiresAt }: Pick<AccessToken, 'expiresAt'>): boolean =>
  expiresAt != null && !(Date.parse(expiresAt) > Date.now());
const isGood = (token: Stored): boolean => !token.disabled && !isExpired(token);

/** The access tokens of a data folder. The command line may create tokens while a server runs. */
export class AccessTokenStore {
  readonly #list: SharedList<Stored>;

  constructor(folder: string) {
    this.#list = new SharedList(join(folder, 'tokens.json'), 'tokens');
  }

  /** Returns a user's tokens. */
  async list(principal: string): Promise<AccessToken[]> {
    await this.#list.refresh();
    return this.#list.items.filter((token) => token.principal === principal).map(entry);
  }

  /**
   * Creates a token; the result's `token` is the only time it is visible. `expiresInDays`: 1 to
   * 3650, default 90; null: never.
   */
  async create(principal: string, init: EndpointBody<'createToken'> = {}): Promise<AccessToken> {
    const days = init.expiresInDays === undefined ? DEFAULT_DAYS : init.expiresInDays;
    if (days !== null && (!Number.isFinite(days) || days < 1 || days > 3650))
      throw new Error('expiresInDays must be from 1 to 3650');
    const token = PREFIX + randomBytes(32).toString('base64url');
    const stored: Stored = {
      // Hexadecimal: on a command line, an ID must not look like an option.
      tokenId: randomBytes(9).toString('hex'),
      principal,
      hash: hash(token),
      description: (init.description ?? '').slice(0, 255),
      createdAt: new Date().toISOString(),
      expiresAt: days === null ? null : new Date(Date.now() + days * DAY_MS).toISOString(),
      disabled: false,
    };
    await this.#list.update((tokens) => [...tokens, stored]);
    return { ...entry(stored), token };
  }

  /** Returns a user's token; `undefined` if there is none. */
  async find(principal: string, tokenId: string): Promise<AccessToken | undefined> {
    return (await this.list(principal)).find((token) => token.tokenId === tokenId);
  }

  /** Changes a user's token; `undefined` if there is none. */
  async change(
    principal: string,
    tokenId: string,
    change: { disabled?: boolean; description?: string },
  ): Promise<AccessToken | undefined> {
    let changed: Stored | undefined;
    await this.#list.update((tokens) => {
      const known = tokens.find(
        (token) => token.tokenId === tokenId && token.principal === principal,
      );
      if (!known) return tokens;
      changed = { ...known, ...change };
      return tokens.map((token) => (token === known ? changed! : token));
    });
    return changed && entry(changed);
  }

  /** Removes one or all tokens of a user, and returns whether there was one. */
  async remove(principal: string, tokenId?: string): Promise<boolean> {
    const goes = (token: Stored) =>
      token.principal === principal && (tokenId === undefined || token.tokenId === tokenId);
    let had = false;
    await this.#list.update((tokens) => {
      had = tokens.some(goes);
      return had ? tokens.filter((token) => !goes(token)) : tokens;
    });
    return had;
  }

  /** Returns the user of a token that is currently valid. */
  async verify(token: string): Promise<{ principal: string; tokenId: string } | undefined> {
    if (!token.startsWith(PREFIX)) return undefined;
    await this.#list.refresh();
    const wanted = hash(token);
    const stored = this.#list.items.find((candidate) => candidate.hash === wanted);
    return stored && isGood(stored)
      ? { principal: stored.principal, tokenId: stored.tokenId }
      : undefined;
  }

  /** Returns whether a user's token is currently valid: present, enabled and not expired. */
  async isGood(principal: string, tokenId: string): Promise<boolean> {
    await this.#list.refresh();
    return this.#list.items.some(
      (token) => token.tokenId === tokenId && token.principal === principal && isGood(token),
    );
  }
}
