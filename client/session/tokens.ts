/** Personal access tokens: made once, shown once; they sign in scripts and embedded pages. */
import type { CallOptions } from '../core/abort.ts';
import type { Context } from '../context.ts';
import type { AccessToken } from '../protocol/index.ts';

/** The user's access tokens. Calls reject with status 401 or 403 without the role AccessToken. */
export class Tokens {
  readonly #context: Context;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
  }

  /** The tokens, by expiry ascending, those without one last (specification). */
  async list(options: CallOptions = {}): Promise<AccessToken[]> {
    const tokens = await this.#context.call('listTokens', options);
    const time = (token: AccessToken) => (token.expiresAt ? Date.parse(token.expiresAt) : Infinity);
    return tokens.sort((a, b) => time(a) - time(b));
  }

  /** Makes a token; `token` of the answer is its only appearance. `expiresInDays` absent: the server's default; null: it never expires, where the server lets it. */
  create(
    init: { description?: string; expiresInDays?: number | null } = {},
    options: CallOptions = {},
  ): Promise<AccessToken> {
    return this.#context.call('createToken', { ...options, body: init });
  }

  /** Enables or disables a token. */
  setStatus(
    tokenId: string,
    status: 'enabled' | 'disabled',
    options: CallOptions = {},
  ): Promise<AccessToken> {
    return this.#context.call('setTokenStatus', { ...options, params: { tokenId, status } });
  }

  /** Changes the description, at most 255 characters. */
  describe(tokenId: string, description: string, options: CallOptions = {}): Promise<AccessToken> {
    return this.#context.call('describeToken', {
      ...options,
      params: { tokenId },
      body: description,
    });
  }

  /** Deletes a token; sessions it signed in end. */
  async remove(tokenId: string, options: CallOptions = {}): Promise<void> {
    await this.#context.call('deleteToken', { ...options, params: { tokenId } });
  }
}
