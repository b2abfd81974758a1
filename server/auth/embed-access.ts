/**
 * Enforces what a page with an embed token may do and see. The rules are part of each operation's
 * row in the protocol tables; an operation without a rule is refused, and a message without one is
 * not delivered.
 */
import { imagesInHtml } from '@tiding/client/model';
import {
  type EmbedDelivery,
  type EmbedRule,
  type EmbedScope,
  type EmbedTarget,
  type EndpointName,
  endpoints,
  includesScope,
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
import { Refusal } from '../base/errors.ts';
import type { ActingUser } from './permissions.ts';

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
  /** Interpreter settings in which a page with the scope `edit` may run code; absent: none. */
  readonly interpreters?: readonly string[] | undefined;
  /** Name of the page for itself and for other users; see {@link shownName}. */
  readonly alias: string;
  /**
   * Set in front of a Zeppelin, which streams the text of errors like output: pages with the scope
   * `results` then receive no output of a current run.
   */
  readonly isFinishedOnly?: boolean;
}

const PREFIX = 'embed:';
/**
 * Principal of a page with an embed token, for the audit log and the server's own use; no user can
 * have such a name. Pages never see it: it names the issuer.
 */
export const embedPrincipal = (issuer: string): string => PREFIX + issuer;
/** The user whose rights count for a principal: for an embed token its creator. */
export const accountOf = (principal: string): string =>
  principal.startsWith(PREFIX) ? principal.slice(PREFIX.length) : principal;

/** Returns the opaque name of a page with an embed token, from a digest of who it is. */
export const embedAlias = (digest: string): string => PREFIX + digest;
/**
 * The name under which the page itself and other users see who acts: the user's name, or for a page
 * with an embed token an opaque one. Anything stored in a note is shown.
 */
export const shownName = ({ principal, embed }: Pick<ActingUser, 'principal' | 'embed'>): string =>
  embed?.alias ?? principal;

/** The rules of the operations say what the scope `results` may read. */
const rights: Record<Right, EmbedScope | 'never'> = {
  none: 'results',
  reader: 'results',
  runner: 'run',
  writer: 'edit',
  owner: 'never',
};
/** The right that corresponds to a scope. */
export const rightOf: Record<EmbedScope, Right> = {
  results: 'reader',
  view: 'reader',
  run: 'runner',
  edit: 'writer',
};
/** Returns whether the token's note and scope cover a right on a note. */
export function grantsRight({ noteId, scope }: Embed, wanted: string, right: Right): boolean {
  const least = rights[right];
  return wanted === noteId && least !== 'never' && includesScope(scope, least);
}

type Params = Readonly<Record<string, string>>;

/** Id of the paragraph a request concerns; `undefined`: it concerns the whole note. */
function paragraphOf(target: EmbedTarget, request: Readonly<Record<string, unknown>>) {
  if (target === 'note' || target === 'any') return undefined;
  const value = request[target];
  return target === 'resultId' && typeof value === 'string' ? value.split('.')[1] : value;
}

const verbs: Record<EmbedScope, string> = {
  results: 'show the results of',
  view: 'view',
  run: 'run',
  edit: 'edit',
};

function check(
  rule: EmbedRule | undefined,
  request: Readonly<Record<string, unknown>>,
  { scope, paragraphId }: Embed,
): void {
  if (rule === undefined || !includesScope(scope, rule[0]))
    throw new Refusal(
      403,
      `The token of this page is only valid to ${verbs[scope]} one note.`,
      'forbidden',
    );
  const [, target] = rule;
  if (paragraphId === undefined || target === 'any') return;
  if (paragraphOf(target, request) !== paragraphId)
    throw new Refusal(
      403,
      `The token of this page is only valid to ${verbs[scope]} one paragraph.`,
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

const pick = <T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> =>
  Object.fromEntries(keys.flatMap((key) => (key in from ? [[key, from[key]]] : []))) as Pick<T, K>;

/** Replaces the outputs of a failed run, whose messages often quote the code. */
const FAILED = 'The run failed. Its output is not shown here.\n';

/** The outputs of a paragraph for a page with the scope `results`. */
function shownResults(
  { status, results }: Paragraph,
  { isFinishedOnly = false }: Embed,
): Paragraph['results'] {
  if (isFinishedOnly && (status === 'PENDING' || status === 'RUNNING')) return undefined;
  const isStopped = status === 'ABORT' && !isFinishedOnly;
  if (status === 'ERROR' || (results?.code === 'ERROR' && !isStopped))
    return { code: 'ERROR', msg: [{ type: 'TEXT', data: FAILED }] };
  return results;
}

/** Whether the results that a page sees contain an image of the note. */
export const showsImage = (paragraphs: readonly Paragraph[], embed: Embed, name: string): boolean =>
  paragraphs.some(
    (paragraph) =>
      (embed.paragraphId ?? paragraph.id) === paragraph.id &&
      shownResults(paragraph, embed)?.msg?.some(
        ({ type, data }) => type === 'HTML' && imagesInHtml(data).includes(name),
      ),
  );

/**
 * A paragraph for a page with the scope `results`. Fields are listed, so that a new one is hidden
 * until it is added here.
 */
function resultOnly(paragraph: Paragraph, embed: Embed): Paragraph {
  const { title, config = {} } = paragraph;
  const results = shownResults(paragraph, embed);
  return {
    ...pick(paragraph, [
      'id',
      'status',
      'progress',
      'dateCreated',
      'dateUpdated',
      'dateStarted',
      'dateFinished',
      'tookMs',
    ]),
    // A title that the note hides is not part of what its readers see.
    ...(title !== undefined && config.title === true ? { title } : {}),
    config: {
      ...pick(config, ['colWidth', 'fontSize', 'title', 'tableHide', 'results']),
      editorHide: true,
    },
    ...(results === undefined ? {} : { results }),
  };
}

/**
 * Returns a paragraph without the names of people; with the scope `results`, also without code and
 * form values.
 */
function shownParagraph(
  { user: _user, ...paragraph }: Paragraph,
  embed: Embed,
): Omit<Paragraph, 'user'> {
  return embed.scope === 'results' ? resultOnly(paragraph, embed) : paragraph;
}

/**
 * Returns a note without the names of people. For a token of one paragraph it has that paragraph
 * and nothing else; with the scope `results`, only what shows results.
 */
function shownNote(note: Note, embed: Embed): Note {
  const { paragraphId, scope } = embed;
  const { cronExecutingUser: _user, cronExecutingRoles: _roles, ...config } = note.config ?? {};
  const paragraphs = (note.paragraphs ?? [])
    .filter(({ id }) => paragraphId === undefined || id === paragraphId)
    .map((paragraph) => shownParagraph(paragraph, embed));
  if (paragraphId === undefined && scope !== 'results') return { ...note, config, paragraphs };
  const { id, name, path, config: { looknfeel } = {} } = note;
  return {
    id,
    ...(paragraphId === undefined
      ? { ...(name === undefined ? {} : { name }), ...(path === undefined ? {} : { path }) }
      : { name: id, path: `/${id}` }),
    config: { ...(looknfeel === undefined ? {} : { looknfeel }) },
    info: {},
    paragraphs,
  };
}

type Shown = (answer: never, embed: Embed) => unknown;
const withoutMessage: Shown = ({ errorMessage, ...job }: { errorMessage?: unknown }, { scope }) =>
  scope === 'results' ? job : { ...job, ...(errorMessage === undefined ? {} : { errorMessage }) };
/** How the answer of a call is reduced to what the token may see. */
const answers: { readonly [Name in EndpointName]?: Shown } = {
  getNote: shownNote,
  getParagraph: shownParagraph,
  configureParagraph: shownParagraph,
  paragraphJob: withoutMessage,
  noteJob: (answer: object[] | { paragraphs: object[] }, embed) => {
    const jobs = (list: object[]) => list.map((job) => withoutMessage(job as never, embed));
    return Array.isArray(answer)
      ? jobs(answer)
      : { ...answer, paragraphs: jobs(answer.paragraphs) };
  },
};
/** Whether the answer of a call may contain more than a token may see. */
export const isReduced = (name: EndpointName): boolean => answers[name] !== undefined;
/** Reduces the answer of a call to what the token may see. */
export function visibleAnswer(name: EndpointName, answer: unknown, embed: Embed): unknown {
  return answers[name] ? answers[name](answer as never, embed) : answer;
}

const outputOperations: ReadonlySet<ReceivedOp> = new Set([
  'PARAGRAPH_UPDATE_OUTPUT',
  'PARAGRAPH_APPEND_OUTPUT',
]);
const isShown = (id: unknown, { paragraphId }: Embed): boolean =>
  paragraphId === undefined || id === paragraphId;

const shownNoteMessage: {
  readonly [Op in ReceivedOp]?: (data: Receives[Op], embed: Embed) => Receives[Op] | undefined;
} = {
  NOTE: ({ note }, embed) => ({ note: note && shownNote(note, embed) }),
  NOTE_UPDATED: ({ name, config, info }, embed) => {
    if (embed.paragraphId !== undefined) return undefined;
    const note = shownNote({ id: embed.noteId, config, info, paragraphs: [] }, embed);
    return { name, info: note.info, config: note.config };
  },
  COLLABORATIVE_MODE_STATUS: ({ status }) => ({ status }),
};

/** Viewers of a note with the same result receive the same part of each message. */
export function viewOf(embed: Embed | undefined): string {
  if (!embed) return '';
  let view = views.get(embed);
  if (view === undefined) {
    view = `${embed.scope} ${embed.isFinishedOnly ?? false} ${embed.paragraphId ?? ''}`;
    views.set(embed, view);
  }
  return view;
}
const views = new WeakMap<Embed, string>();

/**
 * The part of a message that a page with an embed token receives; `undefined`: nothing. It depends
 * on the note and on what {@link viewOf} names, on nothing else.
 */
export function shown<Op extends ReceivedOp>(
  op: Op,
  data: Receives[Op],
  embed: Embed,
): Receives[Op] | undefined {
  const [least, part] = (receivedOperations[op].embed as EmbedDelivery | undefined) ?? [];
  if (least === undefined || !includesScope(embed.scope, least)) return undefined;
  if (embed.isFinishedOnly && embed.scope === 'results' && outputOperations.has(op))
    return undefined;
  const fields = data as { id?: string; paragraphId?: string; paragraph?: Paragraph };
  const withoutPeople = () =>
    fields.paragraph && isShown(fields.paragraph.id, embed)
      ? { ...data, paragraph: shownParagraph(fields.paragraph, embed) }
      : undefined;
  switch (part) {
    case undefined:
      return undefined;
    case 'all':
      return data;
    case 'note':
      return embed.paragraphId === undefined ? data : undefined;
    case 'id':
    case 'paragraphId':
      return isShown(fields[part], embed) ? data : undefined;
    case 'paragraph':
      return withoutPeople();
    case 'newParagraph':
      return embed.paragraphId === undefined ? withoutPeople() : undefined;
    case 'noteFields':
      return shownNoteMessage[op]?.(data, embed);
  }
}
