/** Embed tokens: issued by a host's server or a note owner, for one note or paragraph. */

import { codeForms, formSource, paramsFor, textForms } from '@tiding/client/model';
import { paragraphOf } from '@tiding/client/notebook';
import type {
  EmbedScope,
  EndpointAnswer,
  JsonObject,
  Note,
  Paragraph,
  Right,
} from '@tiding/client/protocol';
import { rightOf } from '../../auth/embed-access.ts';
import { type EmbedTokenStore, MAX_EMBED_SECONDS } from '../../auth/embed-tokens.ts';
import { type ActingUser, administers } from '../../auth/permissions.ts';
import { Refusal } from '../../base/errors.ts';
import type { ServerOptions } from '../../base/options.ts';
import type { GatewayContext, RestHandlers, RestRequest } from '../context.ts';

/** Maximum size of all locked values in bytes: the token travels in a header. */
const MAX_PARAMS = 3_000;
const MAX_SUBJECT = 255;
const MAX_INTERPRETERS = 20;

/** Dependencies of {@link issueEmbedToken}, for notes of this server or of a Zeppelin. */
interface EmbedTokenSources {
  readonly notes: { get(noteId: string): Pick<Note, 'id' | 'paragraphs'> };
  readonly permissions: { require(person: ActingUser, noteId: string, right: Right): void };
  readonly embeds: Pick<EmbedTokenStore, 'create'>;
  readonly options: Pick<ServerOptions, 'allowOrigins'>;
  /** Names of the interpreters that exist; `undefined` if they are not known here. */
  readonly interpreters: readonly string[] | undefined;
}

/** Checks the interpreters that a token is to list. */
function checkInterpreters(
  names: readonly string[],
  scope: EmbedScope,
  known: readonly string[] | undefined,
): void {
  if (scope !== 'edit')
    throw new Refusal(
      400,
      'interpreters is for the scope edit. A page with another scope changes no code.',
    );
  if (names.length > MAX_INTERPRETERS || names.some((name) => !/^[\w-]{1,64}$/.test(name)))
    throw new Refusal(
      400,
      `interpreters may have at most ${MAX_INTERPRETERS} names, each of at most 64 letters, ` +
        'digits, - and _.',
    );
  const missing = known && names.find((name) => !known.includes(name));
  if (missing !== undefined)
    throw new Refusal(
      400,
      `There is no interpreter ${missing}. interpreters may list: ${known?.join(', ')}.`,
    );
}

/** Refuses locked values of forms that don't exist: a misspelled name would lock nothing. */
function checkParams(params: JsonObject, paragraphs: readonly Paragraph[]): void {
  const sources = paragraphs.map(formSource);
  const noteForms = Object.assign({}, ...sources.map((each) => textForms(each).noteForms));
  // Not the other forms of the last run, which the text may have lost since.
  const unknown = Object.keys(params).filter(
    (name) =>
      !Object.hasOwn(noteForms, name) &&
      !sources.some(({ text, language }) =>
        Object.hasOwn(paramsFor({ text, language }, params), name),
      ),
  );
  if (unknown.length === 0) return;
  const forms = Object.assign(
    noteForms,
    ...sources.map((source) => ({ ...textForms(source).forms, ...codeForms(source) })),
  );
  const names = Object.keys(forms).join(', ');
  throw new Refusal(
    400,
    `params: there is no form ${unknown.join(', ')}. ` +
      (names === '' ? 'There are no forms.' : `The forms are ${names}.`),
  );
}

/** Checks a request for an embed token and creates the token. */
export async function issueEmbedToken(
  {
    body,
    person,
    session,
    setStatus,
  }: Pick<RestRequest<'createEmbedToken'>, 'body' | 'person' | 'session' | 'setStatus'>,
  { notes, permissions, embeds, options, interpreters: known }: EmbedTokenSources,
): Promise<EndpointAnswer<'createEmbedToken'>> {
  const { expiresInSeconds: seconds = MAX_EMBED_SECONDS, ...wish } = body;
  const { paragraphId, scope, params, interpreters, subject, origin } = wish;
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_EMBED_SECONDS)
    throw new Refusal(400, `expiresInSeconds must be a number from 1 to ${MAX_EMBED_SECONDS}.`);
  if (params && Buffer.byteLength(JSON.stringify(params)) > MAX_PARAMS)
    throw new Refusal(400, `params may have at most ${MAX_PARAMS} bytes.`);
  if (interpreters) checkInterpreters(interpreters, scope, known);
  if (subject !== undefined && (subject.length > MAX_SUBJECT || /\p{Cc}/u.test(subject)))
    throw new Refusal(
      400,
      `subject may have at most ${MAX_SUBJECT} characters and no control characters.`,
    );
  // A page of this origin could not use the token.
  if (origin !== undefined && !options.allowOrigins.includes(origin))
    throw new Refusal(
      400,
      'origin must be one of the origins that may embed notes, for example https://portal.example.',
    );
  const note = notes.get(wish.noteId);
  // A host's server may delegate any permission it has. From a page, only the note's owner may
  // issue tokens.
  permissions.require(person, note.id, session?.tokenId === undefined ? 'owner' : rightOf[scope]);
  const paragraph = paragraphId === undefined ? undefined : paragraphOf(note, paragraphId);
  if (params) checkParams(params, paragraph ? [paragraph] : (note.paragraphs ?? []));
  setStatus(201);
  return embeds.create(person.principal, session?.tokenId, { ...wish, noteId: note.id, seconds });
}

export const embedRest = {
  createEmbedToken: (request, context) =>
    issueEmbedToken(request, {
      ...context,
      interpreters: context.pool.settings().map(({ name }) => name),
    }),
} satisfies Partial<RestHandlers>;

/** REST handlers that revoke embed tokens. */
export const embedRevocationRest = {
  revokeEmbedToken: async ({ params, person }, { embeds, users, sessions }) => {
    const jti = params['jti'] ?? '';
    await users.refresh();
    const issuer = await embeds.makerOf(
      jti,
      administers(person) ? users.names : [person.principal],
    );
    if (issuer === undefined) throw new Refusal(404, 'The token does not exist or has expired.');
    await embeds.revoke(jti, issuer);
    await sessions.endToken(jti);
  },
  revokeEmbedTokens: async ({ query, person }, { embeds, sessions }) => {
    const issuer = query.get('issuer') ?? person.principal;
    if (issuer !== person.principal && !administers(person))
      throw new Refusal(403, 'Only administrators can revoke tokens of other users.');
    await embeds.revokeAll(issuer);
    await sessions.endEmbeds(issuer);
  },
} satisfies Partial<RestHandlers<GatewayContext>>;
