/**
 * Enforces what a page with an embed token may do and see. The rules are part of each operation's
 * row in the protocol tables; an operation without a rule is refused, and a message without one is
 * not delivered.
 */
import {
  type EmbedDelivery,
  type EmbedRule,
  type EmbedScope,
  type EmbedTarget,
  type EndpointName,
  endpoints,
  type JsonObject,
  type Note,
  type Paragraph,
  type ReceivedOp,
  type Receives,
  type Right,
  receivedOperations,
  type Sends,
  type SentOp,
  sentOperations,
} from '@tiding/client/protocol';
import { Refusal } from '../errors.ts';
import type { ActingUser } from './permissions.ts';

/** The restrictions of an embed token. */
export interface Embed {
  /** Id of the token. */
  readonly jti: string;
  /**
   * The user who created it, with their present roles. A token never grants more than its creator
   * may do.
   */
  readonly issuer: ActingUser;
  readonly noteId: string;
  /** The only paragraph; absent if the token is for the whole note. */
  readonly paragraphId?: string | undefined;
  readonly scope: EmbedScope;
  /** Form values that apply whatever the page sends. */
  readonly params?: JsonObject | undefined;
}

const PREFIX = 'embed:';
/** Principal of a page with an embed token; no user can have such a name. */
export const embedPrincipal = (issuer: string): string => PREFIX + issuer;
/** The user whose rights count for a principal: for an embed token its creator. */
export const accountOf = (principal: string): string =>
  principal.startsWith(PREFIX) ? principal.slice(PREFIX.length) : principal;

const scopes: readonly EmbedScope[] = ['view', 'run', 'edit'];
const rights: Record<Right, EmbedScope | 'never'> = {
  none: 'view',
  reader: 'view',
  runner: 'run',
  writer: 'edit',
  owner: 'never',
};
/** The right that corresponds to a scope. */
export const rightOf: Record<EmbedScope, Right> = { view: 'reader', run: 'runner', edit: 'writer' };
const covers = (scope: EmbedScope, least: EmbedScope): boolean =>
  scopes.indexOf(scope) >= scopes.indexOf(least);
/** Returns whether the token's note and scope cover a right on a note. */
export function grantsRight({ noteId, scope }: Embed, wanted: string, right: Right): boolean {
  const least = rights[right];
  return wanted === noteId && least !== 'never' && covers(scope, least);
}

type Params = Readonly<Record<string, string>>;

/** Id of the paragraph a request concerns; `undefined`: it concerns the whole note. */
function paragraphOf(target: EmbedTarget, request: Readonly<Record<string, unknown>>) {
  if (target === 'note' || target === 'any') return undefined;
  const value = request[target];
  return target === 'resultId' && typeof value === 'string' ? value.split('.')[1] : value;
}

function check(
  rule: EmbedRule | undefined,
  request: Readonly<Record<string, unknown>>,
  { scope, paragraphId }: Embed,
): void {
  if (rule === undefined || !covers(scope, rule[0]))
    throw new Refusal(
      403,
      `The token of this page is only valid to ${scope} one note.`,
      'forbidden',
    );
  const [, target] = rule;
  if (paragraphId === undefined || target === 'any') return;
  if (paragraphOf(target, request) !== paragraphId)
    throw new Refusal(
      403,
      `The token of this page is only valid to ${scope} one paragraph.`,
      'forbidden',
    );
}

const anotherNote = () =>
  new Refusal(403, 'The token of this page is for another note.', 'forbidden');

/**
 * Refuses an operation that the token does not cover, with 403; the message does not reveal whether
 * another note exists. `noteId` is the note it concerns, '' if none.
 */
export function admitLive<Op extends SentOp>(
  embed: Embed,
  op: Op,
  data: Sends[Op],
  noteId: string,
): void {
  check(sentOperations[op].embed, data as Readonly<Record<string, unknown>>, embed);
  if (op !== 'PING' && noteId !== embed.noteId) throw anotherNote();
}

/** Refuses a REST call that the token does not cover, with 403. */
export function admitRest(embed: Embed, name: EndpointName, params: Params): void {
  check(endpoints[name].embed, params, embed);
  const noteId = params['noteId'] ?? params['resultId']?.split('.')[0];
  if (noteId !== undefined && noteId !== embed.noteId) throw anotherNote();
}

/** Returns a paragraph without the names of people. */
export function shownParagraph<P extends Paragraph>({
  user: _user,
  ...paragraph
}: P): Omit<P, 'user'> {
  return paragraph;
}

/**
 * Returns a note without the names of people. For a token of one paragraph it has that paragraph
 * and nothing else.
 */
export function shownNote(note: Note, { paragraphId }: Embed): Note {
  const { cronExecutingUser: _user, cronExecutingRoles: _roles, ...config } = note.config ?? {};
  const paragraphs = (note.paragraphs ?? [])
    .filter(({ id }) => paragraphId === undefined || id === paragraphId)
    .map(shownParagraph);
  if (paragraphId === undefined) return { ...note, config, paragraphs };
  const { id, config: { looknfeel } = {} } = note;
  return {
    id,
    name: id,
    path: `/${id}`,
    config: { ...(looknfeel === undefined ? {} : { looknfeel }) },
    info: {},
    paragraphs,
  };
}

/** Reduces the answer of a call to what the token may see. */
export function visibleAnswer(name: EndpointName, answer: unknown, embed: Embed): unknown {
  if (name === 'getNote') return shownNote(answer as Note, embed);
  if (name === 'getParagraph' || name === 'configureParagraph')
    return shownParagraph(answer as Paragraph);
  return answer;
}

const isShown = (id: unknown, { paragraphId }: Embed): boolean =>
  paragraphId === undefined || id === paragraphId;

const shownNoteMessage: {
  readonly [Op in ReceivedOp]?: (data: Receives[Op], embed: Embed) => Receives[Op] | undefined;
} = {
  NOTE: ({ note }, embed) => ({ note: note && shownNote(note, embed) }),
  NOTE_UPDATED: ({ name, config, info }, embed) =>
    embed.paragraphId === undefined
      ? {
          name,
          info,
          config: shownNote({ id: embed.noteId, config, paragraphs: [] }, embed).config,
        }
      : undefined,
  COLLABORATIVE_MODE_STATUS: ({ status }) => ({ status }),
};

/** The part of a message that a page with an embed token receives; `undefined`: nothing. */
export function shown<Op extends ReceivedOp>(
  op: Op,
  data: Receives[Op],
  embed: Embed,
): Receives[Op] | undefined {
  const fields = data as { id?: string; paragraphId?: string; paragraph?: Paragraph };
  const withoutPeople = () =>
    fields.paragraph && isShown(fields.paragraph.id, embed)
      ? { ...data, paragraph: shownParagraph(fields.paragraph) }
      : undefined;
  const delivery: EmbedDelivery | undefined = receivedOperations[op].embed;
  switch (delivery) {
    case undefined:
      return undefined;
    case 'all':
      return data;
    case 'note':
      return embed.paragraphId === undefined ? data : undefined;
    case 'id':
    case 'paragraphId':
      return isShown(fields[delivery], embed) ? data : undefined;
    case 'paragraph':
      return withoutPeople();
    case 'newParagraph':
      return embed.paragraphId === undefined ? withoutPeople() : undefined;
    case 'noteFields':
      return shownNoteMessage[op]?.(data, embed);
  }
}
