import type { CallOptions } from '../core/abort.ts';
import type { AccessToken } from '../protocol/index.ts';
import { ClientArea } from '../session/client-area.ts';

/**
 * The user's personal access tokens, for scripts and embedded pages. Calls reject with status 401
 * or 403 if the user lacks the role AccessToken.
 */
export class AccessTokensApi extends ClientArea {
  /**
   * Lists the tokens by expiry, earliest first; tokens that never expire are last (specification).
   */
  async list(options: CallOptions = {}): Promise<AccessToken[]> {
    const tokens = await this.context.call('listTokens', options);
    const time = (token: AccessToken) => (token.expiresAt ? Date.parse(token.expiresAt) : Infinity);
    return tokens.sort((a, b) => time(a) - time(b));
  }

  /**
   * Creates a token. The secret is in `token` of the result and can't be retrieved again. If
   * `expiresInDays` is omitted, the server's default applies; `null` means that it never expires,
   * if the server allows that.
   */
  create(
    init: { description?: string; expiresInDays?: number | null } = {},
    options: CallOptions = {},
  ): Promise<AccessToken> {
    return this.context.call('createToken', { ...options, body: init });
  }

  /** Enables or disables a token. */
  setStatus(
    tokenId: string,
    status: 'enabled' | 'disabled',
    options: CallOptions = {},
  ): Promise<AccessToken> {
    return this.context.call('setTokenStatus', { ...options, params: { tokenId, status } });
  }

  /** Changes the description of a token, at most 255 characters. */
  describe(tokenId: string, description: string, options: CallOptions = {}): Promise<AccessToken> {
    return this.context.call('describeToken', {
      ...options,
      params: { tokenId },
      body: description,
    });
  }

  /** Deletes a token and ends the sessions that used it. */
  async remove(tokenId: string, options: CallOptions = {}): Promise<void> {
    await this.context.call('deleteToken', { ...options, params: { tokenId } });
  }
}
