/** The REST calls of a memory server. */
import { endpoints, type EndpointBody, type EndpointName } from '../protocol/index.ts';
import {
  bind,
  clearNote,
  copyOf,
  noteOfFile,
  removeNote,
  removeParagraph,
  type Parts,
} from './live.ts';
import { Refusal, type MemorySession, type StoredNote, type StoredParagraph } from './world.ts';

/** A REST request whose body fits. */
export interface RestRequest<Name extends EndpointName = EndpointName> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: EndpointBody<Name>;
  readonly session: MemorySession;
  /** Ends the session, or begins another. */
  signIn(name: string | undefined): MemorySession;
  setStatus(status: number): void;
}

type Handlers = { [Name in EndpointName]?: (request: RestRequest<Name>, parts: Parts) => unknown };
type Right = 'reader' | 'runner' | 'writer' | 'owner';

function noteOf({ params, session }: RestRequest, right: Right, { world }: Parts): StoredNote {
  const note = world.note(params['noteId'] ?? '');
  world.require(session, note.id, right);
  return note;
}

function paragraphOf(
  request: RestRequest,
  right: Right,
  parts: Parts,
): { note: StoredNote; paragraph: StoredParagraph } {
  const note = noteOf(request, right, parts);
  return { note, paragraph: parts.world.paragraph(note, request.params['paragraphId'] ?? '') };
}

const jobState = (paragraph: StoredParagraph, { runs }: Parts) => ({
  id: paragraph.id,
  status: paragraph.status,
  progress: String(runs.progress(paragraph)),
  ...(paragraph.dateStarted ? { started: paragraph.dateStarted } : {}),
  ...(paragraph.dateFinished ? { finished: paragraph.dateFinished } : {}),
});

/** Who has said not to trust a note; here everybody else does. */
const distrust = new WeakMap<StoredNote, Set<string>>();

/** By name of the call; what is not here answers 404 with its name. */
export const restHandlers: Handlers = {
  version: () => ({
    version: '0.8.2',
    tiding: { version: 'memory', presence: true, restores: true },
  }),
  magpieConfig: () => ({
    productName: 'Tiding',
    loginMode: 'Password',
    features: { accessTokens: false, clusters: false, revisionControl: false },
  }),
  ticket: ({ session: { principal, ticket, roles } }) => ({
    principal,
    ticket,
    roles: JSON.stringify(roles),
  }),
  login: ({ body, signIn }, { world }) => {
    const user = world.users.get(body.userName);
    if (!user || user.password !== body.password)
      throw new Refusal(403, "The username and password that you entered don't match.");
    const { principal, ticket, roles } = signIn(body.userName);
    return { principal, ticket, roles: JSON.stringify(roles) };
  },
  logout: ({ signIn }) => {
    signIn(undefined);
    throw new Refusal(401, '');
  },
  listNotes: ({ session }, { world }) => world.list(session).notes,
  createNote: ({ body, session }, { world }) => {
    const user = session.principal;
    const paragraphs = (body.paragraphs ?? []).map((init) =>
      world.newParagraph({ ...init, user } as Partial<StoredParagraph>),
    );
    if (paragraphs.length === 0 || body.addingEmptyParagraph)
      paragraphs.push(world.newParagraph({ user }));
    const note = world.add(
      world.newNote(body.name?.trim() ? world.path(body.name) : '', paragraphs),
      user,
    );
    world.tellLists();
    return note.id;
  },
  importNote: ({ body, query, session }, parts) => {
    const path = query.get('notePath');
    const note = parts.world.add(
      noteOfFile(path ? { ...body, path } : body, parts),
      session.principal,
    );
    parts.world.tellLists();
    return note.id;
  },
  exportNote: (request, parts) => {
    const { bindings: _bindings, ...note } = noteOf(request, 'reader', parts);
    return JSON.stringify(note, null, 2);
  },
  getNote: (request, parts) => parts.world.wire(noteOf(request, 'reader', parts)),
  deleteNote: async (request, parts) => {
    await removeNote(noteOf(request, 'owner', parts), parts);
    parts.world.tellLists();
  },
  cloneNote: (request, parts) => {
    const note = parts.world.add(
      copyOf(noteOf(request, 'reader', parts), request.body?.name, parts),
      request.session.principal,
    );
    parts.world.tellLists();
    return note.id;
  },
  renameNote: (request, parts) => {
    parts.editor.rename(noteOf(request, 'owner', parts), request.body.name);
    parts.world.tellLists();
  },
  clearNote: (request, parts) => clearNote(noteOf(request, 'writer', parts), parts),
  getTrust: (request, parts) => ({
    trusted: !distrust.get(noteOf(request, 'reader', parts))?.has(request.session.principal),
  }),
  setTrust: (request, parts) => {
    const note = noteOf(request, 'reader', parts);
    const names = distrust.get(note) ?? new Set();
    if ((request.body as { trusted: boolean }).trusted) names.delete(request.session.principal);
    else names.add(request.session.principal);
    distrust.set(note, names);
    return { trusted: !names.has(request.session.principal) };
  },
  getPermissions: (request, parts) =>
    parts.world.permissions.get(noteOf(request, 'reader', parts).id) ?? {
      owners: [],
      writers: [],
      runners: [],
      readers: [],
    },
  setPermissions: (request, parts) => {
    const note = noteOf(request, 'owner', parts);
    const { principal } = request.session;
    if (principal === 'anonymous')
      throw new Refusal(403, 'Only authenticated user can set the permission.');
    parts.world.setPermissions(note.id, request.body, principal);
    parts.world.tellWhole(note);
    parts.world.tellLists();
  },
  listJobs: ({ session }, { world }) => ({
    lastResponseUnixTime: Date.now(),
    jobs: [...world.notes.values()]
      .filter(({ id }) => world.has(session, id, 'reader'))
      .map((note) => world.job(note)),
  }),
  jobHistory: (request, parts) => [...parts.runs.history(noteOf(request, 'reader', parts))],
  runNote: (request, parts) =>
    void parts.runs.startNote(
      noteOf(request, 'runner', parts),
      new Map(),
      request.session.principal,
    ),
  stopNote: (request, parts) => parts.runs.cancelNote(noteOf(request, 'runner', parts)),
  noteJob: (request, parts) =>
    noteOf(request, 'reader', parts).paragraphs.map((paragraph) => jobState(paragraph, parts)),
  paragraphJob: (request, parts) =>
    jobState(paragraphOf(request, 'reader', parts).paragraph, parts),
  startParagraph: (request, parts) => {
    const { note, paragraph } = paragraphOf(request, 'runner', parts);
    parts.runs.start(
      note,
      paragraph.id,
      request.body?.params ? { params: request.body.params } : {},
      request.session.principal,
    );
  },
  stopParagraph: (request, parts) =>
    parts.runs.cancel(paragraphOf(request, 'runner', parts).paragraph),
  runParagraph: async (request, parts) => {
    const { note, paragraph } = paragraphOf(request, 'runner', parts);
    await parts.runs.start(
      note,
      paragraph.id,
      request.body?.params ? { params: request.body.params } : {},
      request.session.principal,
    ).end;
    if (paragraph.status === 'ERROR') request.setStatus(500);
    return paragraph.results ?? { code: 'SUCCESS', msg: [] };
  },
  insertParagraph: (request, parts) => {
    const note = noteOf(request, 'writer', parts);
    const { index = note.paragraphs.length, text = '', title, config } = request.body;
    return parts.editor.insert(note, index, {
      user: request.session.principal,
      text,
      ...(title ? { title } : {}),
      ...(config ? { config } : {}),
    }).id;
  },
  getParagraph: (request, parts) => paragraphOf(request, 'reader', parts).paragraph,
  updateParagraph: (request, parts) => {
    const { note, paragraph } = paragraphOf(request, 'writer', parts);
    parts.editor.apply(
      paragraph,
      { paragraph: request.body.text, title: request.body.title },
      request.session.principal,
    );
    parts.world.tellParagraph(note, paragraph);
  },
  configureParagraph: (request, parts) => {
    const { note, paragraph } = paragraphOf(request, 'writer', parts);
    if (Object.keys(request.body).length === 0)
      throw new Refusal(400, 'paragraph config cannot be empty');
    parts.editor.apply(paragraph, { config: request.body }, request.session.principal);
    parts.world.tellParagraph(note, paragraph);
    return paragraph;
  },
  moveParagraph: (request, parts) => {
    const { note, paragraph } = paragraphOf(request, 'writer', parts);
    parts.editor.move(note, paragraph.id, Number(request.params['index']));
  },
  deleteParagraph: (request, parts) => {
    const { note, paragraph } = paragraphOf(request, 'writer', parts);
    return removeParagraph(note, paragraph.id, parts);
  },
  getBindings: (request, parts) => parts.world.bindings(noteOf(request, 'reader', parts)),
  setBindings: (request, parts) =>
    bind(noteOf(request, 'writer', parts), request.body, parts.world),
  listSettings: (_, { world }) => world.settings(),
};

/** The call that a method and a path below `/api` mean. */
export function routeOf(
  method: string,
  path: string,
): { name: EndpointName; params: Record<string, string> } | undefined {
  const segments = path.replace(/\/$/, '').split('/');
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    if (endpoints[name].method !== method) continue;
    const wanted = endpoints[name].path.replace(/\/$/, '').split('/');
    if (wanted.length !== segments.length) continue;
    const params: Record<string, string> = {};
    const same = wanted.every((part, at) => {
      if (!part.startsWith(':')) return part === segments[at];
      params[part.slice(1)] = decodeURIComponent(segments[at]!);
      return segments[at] !== '';
    });
    if (same) return { name, params };
  }
  return undefined;
}
