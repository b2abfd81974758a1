/**
 * Pages with an embed token in front of another server. That one knows nothing of tokens and gives such a page all that who
 * made the token may: what is asked, what is run and what is told is cut here to what the token is for.
 */
import { isOwner, isReader, isRunner, isWriter } from 'tiding/model';
import {
  receivedOperations,
  sentOperations,
  type Bag,
  type EndpointName,
  type Note,
  type Paragraph,
  type ReceivedOp,
  type Receives,
  type Right,
  type Sends,
  type SentOp,
} from 'tiding/protocol';
import { admitLive, shown, shownAnswer, type Embed } from '../auth/embed-access.ts';
import type { Person } from '../auth/permissions.ts';
import type { RestRequest, ServerContext } from '../context.ts';
import { noSuchParagraph, Refusal } from '../errors.ts';
import { rest } from '../areas/index.ts';
import { parse } from '../json.ts';
import type { Content } from '../notes/editor.ts';
import type { StoredParagraph } from '../notes/note.ts';
import { lockParams } from '../run/locked-params.ts';
import type { UpstreamNotes } from './notes.ts';
import type { Seat, Seats } from './seats.ts';

const checks: Record<Right, typeof isReader> = {
  reader: isReader,
  runner: isRunner,
  writer: isWriter,
  owner: isOwner,
  none: () => true,
};
/** Operations that name their note by `id`. */
const byNoteId: ReadonlySet<SentOp> = new Set([
  'GET_NOTE',
  'RELOAD_NOTE',
  'PARAGRAPH_CLEAR_ALL_OUTPUT',
]);
/** Calls whose answer has more than a token shows. */
const cut: ReadonlySet<EndpointName> = new Set(['getNote', 'getParagraph', 'configureParagraph']);
const runs: ReadonlySet<EndpointName> = new Set(['runNote', 'startParagraph', 'runParagraph']);

/** Whether a call's answer is read here before it goes on. */
export const isCut = (name: EndpointName): boolean => cut.has(name);
/** Whether a call's body is made anew here. */
export const isRun = (name: EndpointName): boolean => runs.has(name);

/** Makes a token for a note of upstream, with the checks of our own ones. */
export async function createEmbedToken(
  request: RestRequest<'createEmbedToken'>,
  seat: Seat,
  notes: UpstreamNotes,
  seats: Seats,
  context: Pick<ServerContext, 'embeds'>,
): Promise<unknown> {
  const { noteId, paragraphId } = request.body;
  const note = await notes.note(seat.upstream, noteId);
  const permissions = await notes.permissions(seat.upstream, noteId);
  const adapted = {
    ...context,
    notes: { get: () => note },
    editor: {
      paragraph() {
        if (!note.paragraphs?.some(({ id }) => id === paragraphId))
          throw noSuchParagraph(paragraphId ?? '');
      },
    },
    permissions: {
      require(person: Person, _: string, right: Right) {
        if (!checks[right](permissions, { principal: person.principal, roles: [...person.roles] }))
          throw new Refusal(
            403,
            'Insufficient privileges to hand out a token for this note.',
            'forbidden',
          );
      },
    },
  };
  const made = await rest.createEmbedToken(request, adapted as unknown as ServerContext);
  if (seat.uses !== undefined) seats.lend(made.jti, made.expiresAt, seat);
  return made;
}

/** The payload of an operation as it goes on. Refuses what the token is not for. */
export async function admitted(
  op: string,
  data: Bag,
  embed: Embed,
  seat: Seat,
  notes: UpstreamNotes,
): Promise<Bag> {
  if (!Object.hasOwn(sentOperations, op)) throw new Refusal(400, `unknown operation ${op}`);
  const parsed = sentOperations[op as SentOp].data.safeParse(data);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new Refusal(
      400,
      `${op}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'does not fit the protocol'}`.trim(),
    );
  }
  const good = parsed.data as Bag;
  // A socket has one note open at most, and it is the token's: what names none means that.
  const named = byNoteId.has(op as SentOp) ? good['id'] : good['noteId'];
  admitLive(
    embed,
    op as SentOp,
    good as Sends[SentOp],
    named === undefined ? embed.noteId : String(named),
  );
  if ((good['noteId'] ?? embed.noteId) !== embed.noteId)
    throw new Refusal(403, 'The token of this page is for another note.', 'forbidden');
  if (op === 'RUN_PARAGRAPH')
    return {
      ...good,
      ...runOf(
        await notes.paragraph(seat.upstream, embed.noteId, String(good['id'])),
        good as Content,
        embed,
      ),
    };
  if (op === 'RUN_ALL_PARAGRAPHS')
    return {
      ...good,
      paragraphs: JSON.stringify(
        allOf(await notes.note(seat.upstream, embed.noteId), good['paragraphs'], embed),
      ),
    };
  return good;
}

/** What is run: without the right to edit, the text is the one that is there. */
function runOf(stored: Paragraph, given: Content, embed: Embed): Bag {
  const paragraph = stored as unknown as StoredParagraph;
  const { params } = lockParams(
    paragraph,
    embed.scope === 'edit' ? given : { params: given.params },
    embed,
  );
  if (embed.scope === 'edit') return { params };
  return { title: stored.title, paragraph: stored.text ?? '', config: stored.config ?? {}, params };
}

function allOf(note: Note, given: unknown, embed: Embed): Bag[] {
  const list = typeof given === 'string' ? parse(given) : given;
  const sent = (Array.isArray(list) ? list : []) as (Content & { id?: unknown })[];
  return (note.paragraphs ?? []).map((stored) => {
    const wish = sent.find(({ id }) => id === stored.id) ?? {};
    const { title, text, config } = stored;
    return {
      id: stored.id,
      title,
      paragraph: text ?? '',
      config: config ?? {},
      ...(embed.scope === 'edit' ? wish : {}),
      ...runOf(stored, wish, embed),
    };
  });
}

/** The body of a call that runs, as it goes on; `undefined`: none. */
export async function runBody(
  name: EndpointName,
  params: Readonly<Record<string, string>>,
  body: unknown,
  embed: Embed,
  seat: Seat,
  notes: UpstreamNotes,
): Promise<Buffer | undefined> {
  const chosen = (body as { params?: Bag } | undefined)?.params;
  const encode = (values: Bag | undefined) =>
    values && Object.keys(values).length > 0
      ? Buffer.from(JSON.stringify({ params: values }))
      : undefined;
  if (name !== 'runNote')
    return encode(
      lockParams(
        (await notes.paragraph(
          seat.upstream,
          embed.noteId,
          params['paragraphId'] ?? '',
        )) as unknown as StoredParagraph,
        { params: chosen },
        embed,
      ).params,
    );
  // One value for all paragraphs: there is no list of options that it could be one of.
  if (embed.scope !== 'edit' && chosen && Object.keys(chosen).length > 0)
    throw new Refusal(403, 'This page may not choose values for the whole note.', 'forbidden');
  return encode({ ...chosen, ...embed.params });
}

/** What a call answered, as the token shows it. */
export function cutAnswer(name: EndpointName, answer: unknown, embed: Embed): unknown {
  const { body, ...envelope } = answer as { body?: unknown };
  return {
    ...envelope,
    ...(typeof body === 'object' && body !== null ? { body: shownAnswer(name, body, embed) } : {}),
  };
}

/** A frame of upstream as the token shows it; `undefined`: it is not for this page. */
export function cutFrame(bytes: Buffer, embed: Embed): string | undefined {
  const frame = JSON.parse(bytes.toString('utf8')) as {
    op?: unknown;
    data?: unknown;
    msgId?: unknown;
  };
  const { op, data, msgId } = frame;
  if (typeof op !== 'string') return undefined;
  const about = (typeof data === 'object' && data !== null ? data : {}) as {
    noteId?: unknown;
    note?: { id?: unknown };
  };
  const noteId = about.note?.id ?? about.noteId ?? embed.noteId;
  if (noteId !== embed.noteId) return undefined;
  const seen = told(op, about, embed);
  return (
    seen &&
    JSON.stringify({
      op,
      data: seen,
      ticket: 'anonymous',
      principal: 'anonymous',
      roles: '',
      ...(typeof msgId === 'string' ? { msgId } : {}),
    })
  );
}

/** Upstream keeps to no schema of ours: what does not look as it should is not shown. */
function told(op: string, data: object, embed: Embed): Receives[ReceivedOp] | undefined {
  if (!Object.hasOwn(receivedOperations, op)) return undefined;
  try {
    return shown(op as ReceivedOp, data as Receives[ReceivedOp], embed);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
