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
  paragraphOf,
  postedNote,
  Refusal,
  type StoredNote,
  type StoredParagraph,
} from '../notebook/index.ts';
import { type EndpointBody, type EndpointName, endpoints } from '../protocol/index.ts';
import { removeMemoryNotes } from './folders.ts';
import { bind, type Parts, removeMemoryParagraph, renameMemoryNote } from './live.ts';
import type { MemorySession } from './world.ts';

/** A validated REST request. */
export interface MemoryRestRequest<Name extends EndpointName = EndpointName> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: EndpointBody<Name>;
  readonly session: MemorySession;
  /** Ends the session, or starts another. */
  signIn(name: string | undefined): MemorySession;
  setStatus(status: number): void;
}

type Handlers = {
  [Name in EndpointName]?: (request: MemoryRestRequest<Name>, parts: Parts) => unknown;
};
type Right = 'reader' | 'runner' | 'writer' | 'owner';

function noteOf(
  { params, session }: MemoryRestRequest,
  right: Right,
  { world }: Parts,
): StoredNote {
  const note = world.note(params['noteId'] ?? '');
  world.require(session, note.id, right);
  return note;
}

function named(
  request: MemoryRestRequest,
  right: Right,
  parts: Parts,
): { note: StoredNote; paragraph: StoredParagraph } {
  const note = noteOf(request, right, parts);
  return { note, paragraph: paragraphOf(note, request.params['paragraphId'] ?? '') };
}

const jobState = (paragraph: StoredParagraph, { runs }: Parts) =>
  paragraphJob(paragraph, runs.progress(paragraph));

/** Saves an edit. */
function commit(
  request: MemoryRestRequest,
  content: ParagraphContent,
  parts: Parts,
): StoredParagraph {
  const { note, paragraph } = named(request, 'writer', parts);
  const { principal } = request.session;
  const { world } = parts;
  world.make(note, paragraphCommit(note, paragraph.id, content, principal, world.rules));
  return paragraph;
}

/** Users who do not trust a note; all others do. */
const distrust = new WeakMap<StoredNote, Set<string>>();

/** Handlers by endpoint; others answer 404 with the endpoint's name. */
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
    const { principal } = session;
    const note = world.add(postedNote(body, principal, world.rules), principal);
    world.tellLists();
    return note.id;
  },
  importNote: ({ body, query, session }, { world }) => {
    const path = query.get('notePath');
    const given = path ? { ...body, path } : body;
    const note = world.add(importedNote(given, 'Imported note', world.rules), session.principal);
    world.tellLists();
    return note.id;
  },
  exportNote: (request, parts) => exportedNote(noteOf(request, 'reader', parts)),
  getNote: (request, parts) => parts.world.wire(noteOf(request, 'reader', parts)),
  deleteNote: (request, parts) => removeMemoryNotes([noteOf(request, 'owner', parts)], parts),
  cloneNote: (request, parts) => {
    const { world } = parts;
    const source = noteOf(request, 'reader', parts);
    const copy = copiedNote(source, request.body?.name ?? request.body?.notePath, world.rules);
    const note = world.add(copy, request.session.principal);
    world.tellLists();
    return note.id;
  },
  renameNote: (request, parts) => {
    renameMemoryNote(noteOf(request, 'owner', parts), request.body.name, parts);
    parts.world.tellLists();
  },
  clearNote: (request, parts) => {
    const note = noteOf(request, 'writer', parts);
    parts.world.make(note, noteClearing(note, parts.runs.isSequential(note)));
  },
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
    parts.world.permissions.get(noteOf(request, 'reader', parts).id) ?? openPermissions(),
  setPermissions: (request, parts) => {
    const note = noteOf(request, 'owner', parts);
    const { principal } = request.session;
    if (principal === 'anonymous')
      throw new Refusal(403, 'Only authenticated user can set the permission.');
    parts.world.setPermissions(note.id, request.body, principal);
    parts.world.tellNote(note.id, 'NOTE', { note: parts.world.wire(note) });
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
  paragraphJob: (request, parts) => jobState(named(request, 'reader', parts).paragraph, parts),
  startParagraph: (request, parts) => {
    const { note, paragraph } = named(request, 'runner', parts);
    parts.runs.start(
      note,
      paragraph.id,
      request.body?.params ? { params: request.body.params } : {},
      request.session.principal,
    );
  },
  stopParagraph: (request, parts) => parts.runs.cancel(named(request, 'runner', parts).paragraph),
  runParagraph: async (request, parts) => {
    const { note, paragraph } = named(request, 'runner', parts);
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
    const insertion = paragraphInsertion(
      note,
      index,
      {
        user: request.session.principal,
        text,
        ...(title ? { title } : {}),
        ...(config ? { config } : {}),
      },
      parts.world.rules,
    );
    parts.world.make(note, insertion);
    return insertion.paragraph.id;
  },
  getParagraph: (request, parts) => named(request, 'reader', parts).paragraph,
  updateParagraph: (request, parts) => {
    const { text, title } = request.body;
    commit(request, { paragraph: text, title }, parts);
  },
  configureParagraph: (request, parts) => {
    if (Object.keys(request.body).length === 0)
      throw new Refusal(400, 'paragraph config cannot be empty');
    return commit(request, { config: request.body }, parts);
  },
  moveParagraph: (request, parts) => {
    const { note, paragraph } = named(request, 'writer', parts);
    parts.world.make(note, paragraphMove(note, paragraph.id, Number(request.params['index'])));
  },
  deleteParagraph: (request, parts) => {
    const { note, paragraph } = named(request, 'writer', parts);
    return removeMemoryParagraph(note, paragraph.id, parts);
  },
  getBindings: (request, parts) => parts.world.bindings(noteOf(request, 'reader', parts)),
  setBindings: (request, parts) =>
    bind(noteOf(request, 'writer', parts), request.body, parts.world),
  listSettings: (_, { world }) => world.settings(),
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
