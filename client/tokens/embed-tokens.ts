import type { CallOptions } from '../core/abort.ts';
import type { EmbedScope, EndpointAnswer, JsonObject } from '../protocol/index.ts';
import { ClientArea } from '../session/client-area.ts';

/** Options of an embed token. */
export interface EmbedTokenOptions {
  /** The note that the token gives access to. */
  noteId: string;
  /** Limits access to this paragraph. Default: the whole note. */
  paragraphId?: string;
  /**
   * `results`: read outputs, without code and form values; `view`: read everything; `run`: also run
   * existing paragraphs with values from their forms; `edit`: also change paragraphs.
   */
  scope: EmbedScope;
  /**
   * Names of the interpreter settings in which a page with the scope `edit` may run code, for
   * example `['md', 'sql']`. Default: none; the page can then change text but not run it. Code in
   * `python`, `js` or `sh` can do what the server's account can do.
   */
  interpreters?: string[];
  /**
   * Fixed values of forms, which the page can't override. A name that no form of the note or the
   * paragraph has rejects with status 400. Note that the results of a run are visible to everyone
   * who sees the paragraph.
   */
  params?: JsonObject;
  /** Lifetime in seconds, 1 to 300. Default: 300. */
  expiresInSeconds?: number;
  /** The person the token is for, as free text for the server's audit log. */
  subject?: string;
  /**
   * Origin of the host's pages, for example `https://portal.example`. Pages of other origins are
   * refused. The origin must be on the server's list; otherwise the call rejects with status 400.
   */
  origin?: string;
}
/** An embed token with its expiry (ISO 8601, UTC) and the id for revoking it. */
export type EmbedToken = EndpointAnswer<'createEmbedToken'>;

/**
 * Creates short-lived tokens with which a page of another host can show one note or paragraph to
 * people without an account. Tiding servers only.
 */
export class EmbedTokensApi extends ClientArea {
  /**
   * Creates a token, which can't be retrieved again. A caller who uses an access token needs the
   * permission of the scope on the note; others must own the note. Rejects with status 403
   * otherwise.
   */
  create(wish: EmbedTokenOptions, options: CallOptions = {}): Promise<EmbedToken> {
    return this.context.call('createEmbedToken', { ...options, body: wish });
  }

  /**
   * Revokes a token and closes the connections it opened, immediately. Rejects with status 404 if
   * it has expired or belongs to another user.
   */
  async revoke(jti: string, options: CallOptions = {}): Promise<void> {
    await this.context.call('revokeEmbedToken', { ...options, params: { jti } });
  }

  /** Revokes all tokens that the user created. Administrators may pass another user as `issuer`. */
  async revokeAll(issuer?: string, options: CallOptions = {}): Promise<void> {
    await this.context.call('revokeEmbedTokens', {
      ...options,
      ...(issuer === undefined ? {} : { query: { issuer } }),
    });
  }
}
