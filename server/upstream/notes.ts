/**
 * Reads notes of the Zeppelin behind this server, for features of this server that need their
 * content.
 */
import { jsonObjectOf } from '@tiding/client/model';
import type { Note, Paragraph, Permissions } from '@tiding/client/protocol';
import { noSuchNote, noSuchParagraph, Refusal } from '../base/errors.ts';
import { upstreamPath } from './address.ts';
import { maskOf } from './gateway-sessions.ts';
import { redirectsToSignIn, type UpstreamIdentity } from './identity.ts';
import type { ZeppelinClient } from './zeppelin.ts';

/** Maximum size of a note, including its outputs, in bytes. */
const MAX_NOTE = 64 * 2 ** 20;

/** Reads notes with a user's Zeppelin permissions. */
export class UpstreamNotes {
  readonly #zeppelin: ZeppelinClient;

  constructor(zeppelin: ZeppelinClient) {
    this.#zeppelin = zeppelin;
  }

  /** Throws a 404 refusal, a 403 with Zeppelin's message, or a 502. */
  async #get<Body>(
    who: UpstreamIdentity,
    path: string | undefined,
    missing: Refusal,
  ): Promise<Body> {
    if (path === undefined) throw missing;
    const { response, json } = await this.#zeppelin.read({
      method: 'GET',
      path,
      cookie: who.cookie,
      maxBytes: MAX_NOTE,
      mask: maskOf(who),
    });
    const { body, message } = jsonObjectOf(json);
    const { statusCode = 502 } = response;
    if (statusCode === 200 && typeof body === 'object' && body !== null) return body as Body;
    if (redirectsToSignIn(response)) throw new Refusal(401, 'Not signed in.');
    if (statusCode === 404) throw missing;
    if (statusCode === 403 || statusCode === 401)
      throw new Refusal(
        403,
        typeof message === 'string' && message !== ''
          ? message
          : 'Insufficient privileges to read note.',
        'forbidden',
      );
    throw new Refusal(502, `The Zeppelin behind this server responded with status ${statusCode}.`);
  }

  /** Reads a whole note. */
  note(who: UpstreamIdentity, noteId: string): Promise<Note> {
    return this.#get(who, upstreamPath('/notebook/:noteId', { noteId }), noSuchNote(noteId));
  }

  paragraph(who: UpstreamIdentity, noteId: string, paragraphId: string): Promise<Paragraph> {
    const path = upstreamPath('/notebook/:noteId/paragraph/:paragraphId', { noteId, paragraphId });
    return this.#get(who, path, noSuchParagraph(paragraphId));
  }

  /**
   * Reads a note's permissions. If Zeppelin has no accounts it does not report any, and everybody
   * may do everything.
   */
  async permissions(who: UpstreamIdentity, noteId: string): Promise<Permissions> {
    if (who.cookie === '') return { owners: [], writers: [], runners: [], readers: [] };
    const path = upstreamPath('/notebook/:noteId/permissions', { noteId });
    return this.#get(who, path, noSuchNote(noteId));
  }
}
