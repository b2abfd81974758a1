/**
 * Restricts pages with an embed token in front of a Zeppelin. Zeppelin does not know these tokens
 * and would give such a page all the permissions of the token's issuer, so requests, runs and
 * messages are filtered here.
 */
import { jsonObjectOf, magicOf } from '@tiding/client/model';
import { hasRight, type ParagraphContent } from '@tiding/client/notebook';
import {
  type EndpointName,
  type JsonObject,
  type Note,
  type Paragraph,
  type ReceivedOp,
  type Receives,
  type Right,
  receivedOperations,
  type Sends,
  type SentOp,
} from '@tiding/client/protocol';
import { issueEmbedToken } from '../areas/account/embed.ts';
import type { GatewayContext, RestRequest } from '../areas/context.ts';
import { admitLive, type Embed, shown, visibleAnswer } from '../auth/embed-access.ts';
import type { ActingUser } from '../auth/permissions.ts';
import { Refusal } from '../base/errors.ts';
import { parseUntrustedJson } from '../base/json.ts';
import { parseOperation } from '../dispatch/live-messages.ts';
import type { StoredParagraph } from '../notes/note.ts';
import { requireInterpreter } from '../run/embed-interpreters.ts';
import { lockParams } from '../run/locked-params.ts';
import type { GatewaySession, GatewaySessions } from './gateway-sessions.ts';
import type { UpstreamNotes } from './notes.ts';
import { frameFor } from './socket-pair.ts';

/** Operations that name their note in `id`. */
const byNoteId: ReadonlySet<SentOp> = new Set([
  'GET_NOTE',
  'RELOAD_NOTE',
  'PARAGRAPH_CLEAR_ALL_OUTPUT',
]);
/** Operations that use an interpreter, or set a result in place of one. */
const using: ReadonlySet<string> = new Set([
  'RUN_PARAGRAPH',
  'RUN_ALL_PARAGRAPHS',
  'COMPLETION',
  'PARAGRAPH_EXECUTED_BY_SPELL',
] satisfies SentOp[]);
const runs: ReadonlySet<EndpointName> = new Set(['runNote', 'startParagraph', 'runParagraph']);

/** Returns whether the request body of a call is rebuilt. */
export const isRunCall = (name: EndpointName): boolean => runs.has(name);

/** Creates a token for a note of the Zeppelin, with the same checks as for local notes. */
export async function createEmbedToken(
  request: RestRequest<'createEmbedToken'>,
  session: GatewaySession,
  notes: UpstreamNotes,
  gatewaySessions: GatewaySessions,
  { embeds, options }: Pick<GatewayContext, 'embeds' | 'options'>,
): Promise<unknown> {
  const { noteId } = request.body;
  const note = await notes.note(session.upstream, noteId);
  const permissions = await notes.permissions(session.upstream, noteId);
  const adapted = {
    embeds,
    options,
    interpreters: undefined,
    notes: { get: () => note },
    permissions: {
      require(person: ActingUser, _: string, right: Right) {
        if (!hasRight(permissions, person, right))
          throw new Refusal(
            403,
            'Insufficient privileges to create a token for this note.',
            'forbidden',
          );
      },
    },
  };
  const made = await issueEmbedToken(request, adapted);
  if (session.uses !== undefined) gatewaySessions.lendSession(made.jti, made.expiresAt, session);
  return made;
}

/**
 * Returns the payload of an operation to forward. Throws if the token does not allow the operation.
 */
export async function admitMessage(
  op: string,
  data: JsonObject,
  embed: Embed,
  session: GatewaySession,
  notes: UpstreamNotes,
): Promise<JsonObject> {
  const { data: good } = parseOperation(op, data);
  // A socket has at most one note open. For a page with a token it is the token's note, so a
  // message without a note concerns that note.
  const named = byNoteId.has(op as SentOp) ? good['id'] : good['noteId'];
  admitLive(
    embed,
    op as SentOp,
    good as Sends[SentOp],
    named === undefined ? embed.noteId : String(named),
  );
  if ((good['noteId'] ?? embed.noteId) !== embed.noteId)
    throw new Refusal(403, 'The token of this page is for another note.', 'forbidden');
  if (!using.has(op)) return good;
  const read = () => notes.note(session.upstream, embed.noteId);
  if (op === 'RUN_ALL_PARAGRAPHS')
    return { ...good, paragraphs: JSON.stringify(allOf(await read(), good['paragraphs'], embed)) };
  const stored = await notes.paragraph(session.upstream, embed.noteId, String(good['id']));
  // Only a page that may edit is limited to some interpreters.
  const note = embed.scope === 'edit' ? await read() : { id: embed.noteId };
  if (op === 'RUN_PARAGRAPH')
    return { ...good, ...runOf(note, stored, good as ParagraphContent, embed) };
  const text = op === 'COMPLETION' ? good['buf'] : (good['paragraph'] ?? stored.text);
  requireListed(note, String(text ?? ''), embed);
  return good;
}

/**
 * Refuses text that a page may not run. A token lists setting names as they are in magics, because
 * only Zeppelin knows its settings.
 */
function requireListed(note: Note, text: string, embed: Embed): void {
  if (/^\s*(?:%[\w.]+)?\s*$/.test(text)) return;
  const nameOf = (magic: string | undefined) =>
    magic?.split('.')[0] ?? note.defaultInterpreterGroup ?? 'of the note';
  // Zeppelin skips only these characters before a magic, so it may find none where there seems to
  // be one.
  const magic = /^[ \t\n\v\f\r]*%(\w+)/.exec(text)?.[1];
  requireInterpreter(embed, nameOf(magicOf(text)));
  requireInterpreter(embed, nameOf(magic));
}

/** Returns what to run. Without the permission to edit, the text is the stored one. */
function runOf(note: Note, stored: Paragraph, given: ParagraphContent, embed: Embed): JsonObject {
  const text = (embed.scope === 'edit' ? given.paragraph : undefined) ?? stored.text ?? '';
  requireListed(note, text, embed);
  const paragraph = stored as unknown as StoredParagraph;
  const { params } = lockParams(
    paragraph,
    embed.scope === 'edit' ? given : { params: given.params },
    embed,
  );
  // The text is always sent, so that Zeppelin runs the one that was checked.
  if (embed.scope === 'edit') return { paragraph: text, params };
  return { title: stored.title, paragraph: text, config: stored.config ?? {}, params };
}

function allOf(note: Note, given: unknown, embed: Embed): JsonObject[] {
  const list = typeof given === 'string' ? parseUntrustedJson(given) : given;
  const sent = (Array.isArray(list) ? list : []) as (ParagraphContent & { id?: unknown })[];
  return (note.paragraphs ?? []).map((stored) => {
    const wish = sent.find(({ id }) => id === stored.id) ?? {};
    const { title, text, config } = stored;
    return {
      id: stored.id,
      title,
      paragraph: text ?? '',
      config: config ?? {},
      ...(embed.scope === 'edit' ? wish : {}),
      ...runOf(note, stored, wish, embed),
    };
  });
}

/** Returns the body of a run call to forward; `undefined`: none. */
export async function runBody(
  name: EndpointName,
  params: Readonly<Record<string, string>>,
  body: unknown,
  embed: Embed,
  session: GatewaySession,
  notes: UpstreamNotes,
): Promise<Buffer | undefined> {
  // Zeppelin would run the text that it has then, which the page may change after a check.
  if (embed.scope === 'edit')
    throw new Refusal(
      403,
      'In front of a Zeppelin, a page that may edit can only start runs over its live connection.',
      'forbidden',
    );
  const chosen = (body as { params?: JsonObject } | undefined)?.params;
  const encode = (values: JsonObject | undefined) =>
    values && Object.keys(values).length > 0
      ? Buffer.from(JSON.stringify({ params: values }))
      : undefined;
  if (name !== 'runNote')
    return encode(
      lockParams(
        (await notes.paragraph(
          session.upstream,
          embed.noteId,
          params['paragraphId'] ?? '',
        )) as unknown as StoredParagraph,
        { params: chosen },
        embed,
      ).params,
    );
  // These values apply to all paragraphs, so there is no single form whose options could be
  // checked.
  if (chosen && Object.keys(chosen).length > 0)
    throw new Refusal(403, 'This page may not choose values for the whole note.', 'forbidden');
  return encode({ ...chosen, ...embed.params });
}

/** Filters the response of a call according to the token. */
export function filterAnswer(name: EndpointName, answer: unknown, embed: Embed): unknown {
  const { body, ...envelope } = answer as { body?: unknown };
  return {
    ...envelope,
    ...(typeof body === 'object' && body !== null
      ? { body: visibleAnswer(name, body, { ...embed, isFinishedOnly: true }) }
      : {}),
  };
}

/** Filters a frame from Zeppelin according to the token; `undefined`: not for this page. */
export function filterFrame(bytes: Buffer, embed: Embed): string | undefined {
  const { op, data, msgId } = JSON.parse(bytes.toString('utf8')) as Readonly<
    Record<string, unknown>
  >;
  if (typeof op !== 'string') return undefined;
  const about: { noteId?: unknown; note?: { id?: unknown } } = jsonObjectOf(data);
  const noteId = about.note?.id ?? about.noteId ?? embed.noteId;
  if (noteId !== embed.noteId) return undefined;
  const seen = visibleData(op, about, embed);
  return seen && frameFor(op, seen, typeof msgId === 'string' ? { msgId } : {});
}

/** Zeppelin does not follow the schemas of this project: unexpected data is not shown. */
function visibleData(op: string, data: object, embed: Embed): Receives[ReceivedOp] | undefined {
  if (!Object.hasOwn(receivedOperations, op)) return undefined;
  try {
    return shown(op as ReceivedOp, data as Receives[ReceivedOp], {
      ...embed,
      isFinishedOnly: true,
    });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
