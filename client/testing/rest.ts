/** REST handlers of the memory server. */

import {
  checkChosenName,
  copiedNote,
  exportedNote,
  importedNote,
  noteClearing,
  openPermissions,
  type ParagraphContent,
  paragraphCommit,
  paragraphInsertion,
  paragraphJob,
  paragraphMove,
  paragraphOf,
  postedNote,
  Refusal,
  type StoredNote,
  type StoredParagraph,
} from '../notebook/index.ts';
import { type EndpointName, endpoints } from '../protocol/index.ts';
import { commentHandlers } from './comments.ts';
import { removeMemoryNotes } from './folders.ts';
import type { MemoryRestHandlers, MemoryRestRequest, MemoryServices } from './handlers.ts';
import { bind, removeMemoryParagraph, renameMemoryNote } from './live.ts';

type Right = 'reader' | 'runner' | 'writer' | 'owner';

function noteOf(
  { params, session }: MemoryRestRequest,
  right: Right,
  { world }: MemoryServices,
): StoredNote {
  const note = world.note(params['noteId'] ?? '');
  world.require(session, note.id, right);
  return note;
}

function named(
  request: MemoryRestRequest,
  right: Right,
  services: MemoryServices,
): { note: StoredNote; paragraph: StoredParagraph } {
  const note = noteOf(request, right, services);
  return { note, paragraph: paragraphOf(note, request.params['paragraphId'] ?? '') };
}

const jobState = (paragraph: StoredParagraph, { runs }: MemoryServices) =>
  paragraphJob(paragraph, runs.progress(paragraph));

/** Saves an edit. */
function commit(
  request: MemoryRestRequest,
  content: ParagraphContent,
  services: MemoryServices,
): StoredParagraph {
  const { note, paragraph } = named(request, 'writer', services);
  const { principal } = request.session;
  const { world } = services;
  world.make(note, paragraphCommit(note, paragraph.id, content, principal, world.rules));
  return paragraph;
}

/** Users who do not trust a note; all others do. */
const distrust = new WeakMap<StoredNote, Set<string>>();

/** Handlers by endpoint; others answer 404 with the endpoint's name. */
export const restHandlers: MemoryRestHandlers = {
  version: () => ({
    version: '0.13.0',
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
    const { principal } = session;
    const note = postedNote(body, principal, [...world.interpreters.keys()], world.rules);
    checkChosenName(body.name ?? body.notePath, note, [...world.notes.values()]);
    world.add(note, principal);
    world.broadcastLists();
    return note.id;
  },
  importNote: ({ body, query, session }, { world }) => {
    const path = query.get('notePath');
    const given = path ? { ...body, path } : body;
    const note = importedNote(given, 'Imported note', world.rules);
    checkChosenName(given['path'] || given['name'], note, [...world.notes.values()]);
    world.add(note, session.principal);
    world.broadcastLists();
    return note.id;
  },
  exportNote: (request, services) =>
    JSON.stringify(exportedNote(noteOf(request, 'reader', services)), null, 2),
  getNote: (request, services) => services.world.wire(noteOf(request, 'reader', services)),
  deleteNote: (request, services) =>
    removeMemoryNotes([noteOf(request, 'owner', services)], services),
  cloneNote: (request, services) => {
    const { world } = services;
    const source = noteOf(request, 'reader', services);
    const name = request.body?.name ?? request.body?.notePath;
    const copy = copiedNote(source, name, world.rules);
    checkChosenName(name, copy, [...world.notes.values()]);
    world.add(copy, request.session.principal);
    world.broadcastLists();
    return copy.id;
  },
  createRunCopy: (request, services) => {
    const { world } = services;
    const source = noteOf(request, 'runner', services);
    const copy = copiedNote(source, `${source.name} run`, world.rules);
    for (const [at, paragraph] of copy.paragraphs.entries())
      paragraph.id = source.paragraphs[at]!.id;
    world.add(copy, request.session.principal);
    return { id: copy.id, path: source.name };
  },
  renameNote: (request, services) => {
    renameMemoryNote(noteOf(request, 'owner', services), request.body.name, services);
    services.world.broadcastLists();
  },
  clearNote: (request, services) => {
    const note = noteOf(request, 'writer', services);
    services.world.make(note, noteClearing(note, services.runs.isSequential(note)));
  },
  getTrust: (request, services) => ({
    trusted: !distrust.get(noteOf(request, 'reader', services))?.has(request.session.principal),
  }),
  setTrust: (request, services) => {
    const note = noteOf(request, 'reader', services);
    const names = distrust.get(note) ?? new Set();
    if ((request.body as { trusted: boolean }).trusted) names.delete(request.session.principal);
    else names.add(request.session.principal);
    distrust.set(note, names);
    return { trusted: !names.has(request.session.principal) };
  },
  getPermissions: (request, services) =>
    services.world.permissions.get(noteOf(request, 'reader', services).id) ?? openPermissions(),
  setPermissions: (request, services) => {
    const note = noteOf(request, 'owner', services);
    const { principal } = request.session;
    if (principal === 'anonymous')
      throw new Refusal(403, 'Only authenticated user can set the permission.');
    services.world.setPermissions(note.id, request.body, principal);
    services.world.sendToViewers(note.id, 'NOTE', { note: services.world.wire(note) });
    services.world.broadcastLists();
  },
  listJobs: ({ session }, { world }) => ({
    lastResponseUnixTime: Date.now(),
    jobs: [...world.notes.values()]
      .filter(({ id }) => world.has(session, id, 'reader'))
      .map((note) => world.job(note)),
  }),
  jobHistory: (request, services) => [
    ...services.runs.history(noteOf(request, 'reader', services)),
  ],
  // Scripted results have no variables.
  noteVariables: (request, services) => {
    noteOf(request, 'runner', services);
    return [];
  },
  runNote: (request, services) =>
    void services.runs.startNote(
      noteOf(request, 'runner', services),
      new Map(),
      request.session.principal,
    ),
  stopNote: (request, services) => services.runs.cancelNote(noteOf(request, 'runner', services)),
  noteJob: (request, services) =>
    noteOf(request, 'reader', services).paragraphs.map((paragraph) =>
      jobState(paragraph, services),
    ),
  paragraphJob: (request, services) =>
    jobState(named(request, 'reader', services).paragraph, services),
  startParagraph: (request, services) => {
    const { note, paragraph } = named(request, 'runner', services);
    services.runs.start(
      note,
      paragraph.id,
      request.body?.params ? { params: request.body.params } : {},
      request.session.principal,
    );
  },
  stopParagraph: (request, services) =>
    services.runs.cancel(named(request, 'runner', services).paragraph),
  runParagraph: async (request, services) => {
    const { note, paragraph } = named(request, 'runner', services);
    await services.runs.start(
      note,
      paragraph.id,
      request.body?.params ? { params: request.body.params } : {},
      request.session.principal,
    ).end;
    return paragraph.results ?? { code: 'SUCCESS', msg: [] };
  },
  insertParagraph: (request, services) => {
    const note = noteOf(request, 'writer', services);
    const { index = note.paragraphs.length, text = '', title, config } = request.body;
    const insertion = paragraphInsertion(
      note,
      index,
      {
        user: request.session.principal,
        text,
        ...(title ? { title } : {}),
        ...(config ? { config } : {}),
      },
      services.world.rules,
    );
    services.world.make(note, insertion);
    return insertion.paragraph.id;
  },
  getParagraph: (request, services) => named(request, 'reader', services).paragraph,
  updateParagraph: (request, services) => {
    const { text, title } = request.body;
    commit(request, { paragraph: text, title }, services);
  },
  configureParagraph: (request, services) => {
    if (Object.keys(request.body).length === 0)
      throw new Refusal(400, 'paragraph config cannot be empty');
    return commit(request, { config: request.body }, services);
  },
  moveParagraph: (request, services) => {
    const { note, paragraph } = named(request, 'writer', services);
    services.world.make(note, paragraphMove(note, paragraph.id, Number(request.params['index'])));
  },
  deleteParagraph: (request, services) => {
    const { note, paragraph } = named(request, 'writer', services);
    return removeMemoryParagraph(note, paragraph.id, services);
  },
  getBindings: (request, services) => services.world.bindings(noteOf(request, 'reader', services)),
  setBindings: (request, services) =>
    bind(noteOf(request, 'writer', services), request.body, services.world),
  listSettings: (_, { world }) => world.settings(),
  listKernels: () => ({ kernels: [], problems: [], folders: [] }),
  ...commentHandlers,
};

/** Returns the endpoint for a method and a path below `/api`. */
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
