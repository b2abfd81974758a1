/** Tokens with which a page of another host shows one note or paragraph to people who have no account here. */
import type { CallOptions } from '../core/abort.ts';
import type { Context } from '../context.ts';
import type { Bag, EndpointAnswer } from '../protocol/index.ts';

/** What a token is to be for. */
export interface EmbedTokenWish {
  /** The one note that it opens. */
  noteId: string;
  /** The only paragraph that is shown; absent: the whole note. */
  paragraphId?: string;
  /** `view` reads; `run` runs what is there with values from its forms; `edit` changes paragraphs too. */
  scope: 'view' | 'run' | 'edit';
  /** Values of forms that hold whatever the page sends. What a run shows is shown to everybody who sees the paragraph. */
  params?: Bag;
  /** 1 to 300, default 300. */
  expiresInSeconds?: number;
  /** Whom it is for, in the host's words; for the server's audit log. */
  subject?: string;
  /** Origin of the host's pages, for example `https://portal.example`: pages of another one are refused. It is listed at the server (400). */
  origin?: string;
}
/** A token, when it ends (ISO 8601 UTC), and the id that revokes it. */
export type EmbedToken = EndpointAnswer<'createEmbedToken'>;

/** Embed tokens. On ours only. */
export class EmbedTokens {
  readonly #context: Context;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
  }

  /** Makes a token; its only appearance. With an access token the right of the scope on the note is needed (403), else the owner's. */
  create(wish: EmbedTokenWish, options: CallOptions = {}): Promise<EmbedToken> {
    return this.#context.call('createEmbedToken', { ...options, body: wish });
  }

  /** Ends a token, and what it opened, at once. 404 for one that is over, or somebody else's. */
  async revoke(jti: string, options: CallOptions = {}): Promise<void> {
    await this.#context.call('revokeEmbedToken', { ...options, params: { jti } });
  }

  /** Ends all tokens that the user made; `issuer`: that somebody else made, for administrators. */
  async revokeAll(issuer?: string, options: CallOptions = {}): Promise<void> {
    await this.#context.call('revokeEmbedTokens', {
      ...options,
      ...(issuer === undefined ? {} : { query: { issuer } }),
    });
  }
}
