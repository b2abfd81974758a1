/** Embed tokens: made by a host's server or an owner, for one note or paragraph. */
import type { RestHandlers } from '../context.ts';
import { rightOf } from '../auth/embed-access.ts';
import { MAX_EMBED_SECONDS } from '../auth/embed-tokens.ts';
import { administers } from '../auth/permissions.ts';
import { Refusal } from '../errors.ts';

/** Bytes of all locked values: a token travels in a header. */
const MAX_PARAMS = 3_000;
const MAX_SUBJECT = 255;

/** REST calls. */
export const embedRest = {
  createEmbedToken: async (
    { body, person, session, setStatus },
    { notes, permissions, editor, embeds, options },
  ) => {
    const {
      noteId,
      paragraphId,
      scope,
      params,
      expiresInSeconds: seconds = MAX_EMBED_SECONDS,
      subject,
      origin,
    } = body;
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_EMBED_SECONDS)
      throw new Refusal(400, `expiresInSeconds is a number from 1 to ${MAX_EMBED_SECONDS}`);
    if (params && Buffer.byteLength(JSON.stringify(params)) > MAX_PARAMS)
      throw new Refusal(400, `params have at most ${MAX_PARAMS} bytes`);
    if (subject !== undefined && (subject.length > MAX_SUBJECT || /\p{Cc}/u.test(subject)))
      throw new Refusal(
        400,
        `subject has at most ${MAX_SUBJECT} characters, none of them a control character`,
      );
    // A page of it could not use the token.
    if (origin !== undefined && !options.allowOrigins.includes(origin))
      throw new Refusal(400, 'origin is one of those that may embed, as https://portal.example');
    const note = notes.get(noteId);
    // A host's server passes on what it may do itself; from a page only who owns the note hands it out.
    permissions.require(person, note.id, session?.tokenId === undefined ? 'owner' : rightOf[scope]);
    if (paragraphId !== undefined) editor.paragraph(note, paragraphId);
    setStatus(201);
    return embeds.create(person.principal, session?.tokenId, {
      noteId: note.id,
      paragraphId,
      scope,
      params,
      seconds,
      subject,
      origin,
    });
  },
  revokeEmbedToken: async ({ params, person }, { embeds, users, sessions }) => {
    const jti = params['jti'] ?? '';
    await users.refresh();
    const issuer = await embeds.makerOf(
      jti,
      administers(person) ? users.names : [person.principal],
    );
    if (issuer === undefined) throw new Refusal(404, 'No such token, or its time is over.');
    await embeds.revoke(jti, issuer);
    await sessions.endToken(jti);
  },
  revokeEmbedTokens: async ({ query, person }, { embeds, sessions }) => {
    const issuer = query.get('issuer') ?? person.principal;
    if (issuer !== person.principal && !administers(person))
      throw new Refusal(403, 'An administrator ends the tokens of others.');
    await embeds.revokeAll(issuer);
    await sessions.endEmbeds(issuer);
  },
} satisfies Partial<RestHandlers>;
