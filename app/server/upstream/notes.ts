/** Notes of the Zeppelin behind this server, read where this server itself has to know what is in them. */
import type { Note, Paragraph, Permissions } from 'tiding/protocol';
import { noSuchNote, noSuchParagraph, Refusal } from '../errors.ts';
import { pathOf } from './address.ts';
import { maskOf } from './seats.ts';
import { asksForSignIn, type UpstreamIdentity } from './identity.ts';
import type { Zeppelin } from './zeppelin.ts';

/** Most bytes of a note: its outputs are in it. */
const MAX_NOTE = 64 * 2 ** 20;

/** Reads as somebody, with the rights that upstream gives him. */
export class UpstreamNotes {
  readonly #zeppelin: Zeppelin;

  constructor(zeppelin: Zeppelin) {
    this.#zeppelin = zeppelin;
  }

  /** Refuses with 404, with 403 and upstream's words, or with 502. */
  async #get(who: UpstreamIdentity, path: string | undefined, missing: Refusal): Promise<unknown> {
    if (path === undefined) throw missing;
    const { response, json } = await this.#zeppelin.read({
      method: 'GET',
      path,
      cookie: who.cookie,
      maxBytes: MAX_NOTE,
      mask: maskOf(who),
    });
    const { body, message } = (typeof json === 'object' && json !== null ? json : {}) as {
      body?: unknown;
      message?: unknown;
    };
    const { statusCode = 502 } = response;
    if (statusCode === 200 && typeof body === 'object' && body !== null) return body;
    if (asksForSignIn(response)) throw new Refusal(401, 'Not signed in.');
    if (statusCode === 404) throw missing;
    if (statusCode === 403 || statusCode === 401)
      throw new Refusal(
        403,
        typeof message === 'string' && message !== ''
          ? message
          : 'Insufficient privileges to read note.',
        'forbidden',
      );
    throw new Refusal(502, `The Zeppelin behind this server answers with ${statusCode}.`);
  }

  /** The whole note. */
  async note(who: UpstreamIdentity, noteId: string): Promise<Note> {
    return (await this.#get(
      who,
      pathOf('/notebook/:noteId', { noteId }),
      noSuchNote(noteId),
    )) as Note;
  }

  /** One paragraph of it. */
  async paragraph(who: UpstreamIdentity, noteId: string, paragraphId: string): Promise<Paragraph> {
    return (await this.#get(
      who,
      pathOf('/notebook/:noteId/paragraph/:paragraphId', { noteId, paragraphId }),
      noSuchParagraph(paragraphId),
    )) as Paragraph;
  }

  /** Who may do what with it; where nobody signs in upstream does not say: everybody may everything. */
  async permissions(who: UpstreamIdentity, noteId: string): Promise<Permissions> {
    if (who.cookie === '') return { owners: [], writers: [], runners: [], readers: [] };
    return (await this.#get(
      who,
      pathOf('/notebook/:noteId/permissions', { noteId }),
      noSuchNote(noteId),
    )) as Permissions;
  }
}
