/** REST handlers of the memory server. */

import {
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
import type { MemorySession } from './world.ts';

const jobState = (paragraph: StoredParagraph, { runs }: MemoryServices) =>
  paragraphJob(paragraph, runs.progress(paragraph));

/** Saves an edit. */
function commit(
  { note, paragraph, session }: MemoryRestRequest,
  content: ParagraphContent,
  { world }: MemoryServices,
): StoredParagraph {
  world.make(note, paragraphCommit(note, paragraph.id, content, session.principal, world.rules));
  return paragraph;
}

/** Starts a run of a paragraph with the values in the request. */
const startRun = (
  { note, paragraph, body, session }: MemoryRestRequest<'startParagraph' | 'runParagraph'>,
  { runs }: MemoryServices,
) => runs.start(note, paragraph.id, body?.params ? { params: body.params } : {}, session.principal);

const identityOf = ({ principal, ticket, roles }: MemorySession) => ({
  principal,
  ticket,
  roles: JSON.stringify(roles),
});

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
  ticket: ({ session }) => identityOf(session),
  login: ({ body, signIn }, { world }) => {
    const user = world.users.get(body.userName);
    if (!user || user.password !== body.password)
      throw new Refusal(403, "The username and password that you entered don't match.");
    return identityOf(signIn(body.userName));
  },
  logout: ({ signIn }) => {
    signIn(undefined);
    throw new Refusal(401, '');
  },
  listNotes: ({ session }, { world }) => world.list(session).notes,
  createNote: ({ body, session }, { world }) => {
    const { principal } = session;
    const note = postedNote(body, principal, [...world.interpreters.keys()], world.rules);
    world.addChosen(note, body.name ?? body.notePath, principal);
    world.broadcastLists();
    return note.id;
  },
  importNote: ({ body, query, session }, { world }) => {
    const path = query.get('notePath');
    const given = path ? { ...body, path } : body;
    const note = importedNote(given, 'Imported note', world.rules);
    world.addChosen(note, given['path'] || given['name'], session.principal);
    world.broadcastLists();
    return note.id;
  },
  exportNote: ({ note }) => JSON.stringify(exportedNote(note), null, 2),
  getNote: ({ note }, { world }) => world.wire(note),
  deleteNote: ({ note }, services) => removeMemoryNotes([note], services),
  cloneNote: ({ note, body, session }, { world }) => {
    const name = body?.name ?? body?.notePath;
    const copy = copiedNote(note, name, world.rules);
    world.addChosen(copy, name, session.principal);
    world.broadcastLists();
    return copy.id;
  },
  createRunCopy: ({ note, session }, { world }) => {
    const copy = copiedNote(note, `${note.name} run`, world.rules);
    for (const [at, paragraph] of copy.paragraphs.entries()) paragraph.id = note.paragraphs[at]!.id;
    world.add(copy, session.principal);
    return { id: copy.id, path: note.name };
  },
  renameNote: ({ note, body }, services) => {
    renameMemoryNote(note, body.name, services);
    services.world.broadcastLists();
  },
  clearNote: ({ note }, { world, runs }) =>
    world.make(note, noteClearing(note, runs.isSequential(note))),
  getTrust: ({ note, session }) => ({ trusted: !distrust.get(note)?.has(session.principal) }),
  setTrust: ({ note, body, session: { principal } }) => {
    const names = distrust.get(note) ?? new Set();
    if ((body as { trusted: boolean }).trusted) names.delete(principal);
    else names.add(principal);
    distrust.set(note, names);
    return { trusted: !names.has(principal) };
  },
  getPermissions: ({ note }, { world }) => world.permissions.get(note.id) ?? openPermissions(),
  setPermissions: ({ note, body, session: { principal } }, { world }) => {
    if (principal === 'anonymous')
      throw new Refusal(403, 'Only authenticated user can set the permission.');
    world.setPermissions(note.id, body, principal);
    world.sendToViewers(note.id, 'NOTE', { note: world.wire(note) });
    world.broadcastLists();
  },
  listJobs: ({ session }, { world }) => world.jobs(session),
  jobHistory: ({ note }, { runs }) => [...runs.history(note)],
  // Scripted results have no variables, and texts no names.
  noteVariables: () => [],
  noteDependencies: () => [],
  runNote: ({ note, session }, { runs }) => void runs.startNote(note, new Map(), session.principal),
  stopNote: ({ note }, { runs }) => runs.cancelNote(note),
  noteJob: ({ note }, services) =>
    note.paragraphs.map((paragraph) => jobState(paragraph, services)),
  paragraphJob: ({ paragraph }, services) => jobState(paragraph, services),
  startParagraph: (request, services) => void startRun(request, services),
  stopParagraph: ({ paragraph }, { runs }) => runs.cancel(paragraph),
  runParagraph: async (request, services) => {
    const { paragraph } = request;
    await startRun(request, services).end;
    return paragraph.results ?? { code: 'SUCCESS', msg: [] };
  },
  insertParagraph: ({ note, body, session }, { world }) => {
    const { index = note.paragraphs.length, text = '', title, config } = body;
    const insertion = paragraphInsertion(
      note,
      index,
      { user: session.principal, text, ...(title && { title }), ...(config && { config }) },
      world.rules,
    );
    world.make(note, insertion);
    return insertion.paragraph.id;
  },
  getParagraph: ({ paragraph }) => paragraph,
  updateParagraph: (request, services) => {
    const { text, title } = request.body;
    commit(request, { paragraph: text, title }, services);
  },
  configureParagraph: (request, services) => {
    if (Object.keys(request.body).length === 0)
      throw new Refusal(400, 'paragraph config cannot be empty');
    return commit(request, { config: request.body }, services);
  },
  moveParagraph: ({ note, paragraph, params }, { world }) =>
    world.make(note, paragraphMove(note, paragraph.id, Number(params['index']))),
  deleteParagraph: ({ note, paragraph }, services) =>
    removeMemoryParagraph(note, paragraph.id, services),
  getBindings: ({ note }, { world }) => world.bindings(note),
  setBindings: ({ note, body }, { world }) => bind(note, body, world),
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
