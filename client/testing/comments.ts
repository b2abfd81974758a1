/** Comments of the memory server. Nobody gets an e-mail. */
import {
  type CommentChange,
  type CommentRequest,
  checkCommenter,
  commentChanges,
  mentionedUsers,
  openThreads,
  paragraphOf,
  type StoredNote,
} from '../notebook/index.ts';
import type { CommentThread } from '../protocol/index.ts';
import type { MemoryRestHandlers, MemoryRestRequest, MemoryServices } from './handlers.ts';
import type { MemoryConnection, World } from './world.ts';

/** Sends the number of open threads to a connection that has opened a note with comments. */
export function sendMemoryComments(
  world: World,
  connection: MemoryConnection,
  noteId: string,
): void {
  const threads = world.comments.get(noteId);
  if (threads) world.send(connection, 'TIDING_COMMENTS', { open: openThreads(threads) });
}

function change(
  { id }: StoredNote,
  { world }: MemoryServices,
  make: (threads: readonly CommentThread[]) => CommentChange,
): CommentThread | undefined {
  const { thread, threads } = make(world.comments.get(id) ?? []);
  world.comments.set(id, threads);
  world.sendToViewers(id, 'TIDING_COMMENTS', { open: openThreads(threads) });
  return thread;
}

function save(
  text: string,
  note: StoredNote,
  services: MemoryServices,
  make: (threads: readonly CommentThread[]) => CommentChange,
) {
  const { world } = services;
  const mentioned = mentionedUsers(text, (name) => world.users.has(name));
  const thread = change(note, services, make);
  const mayRead = (principal: string) =>
    world.has({ principal, roles: world.users.get(principal)?.roles ?? [] }, note.id, 'reader');
  return { thread, cannotRead: mentioned.filter((name) => !mayRead(name)) };
}

function requestOf<Body>(
  {
    params,
    body,
    session,
    note,
  }: Pick<MemoryRestRequest, 'params' | 'session' | 'note'> & {
    body: Body;
  },
  { world }: MemoryServices,
): CommentRequest<Body> {
  const { principal } = session;
  checkCommenter(principal);
  return {
    params,
    body,
    commenter: { principal, owns: world.has(session, note.id, 'owner') },
    newId: () => `comment_${world.next()}`,
  };
}

/** REST handlers for comments. */
export const commentHandlers: MemoryRestHandlers = {
  listComments: ({ note }, { world }) => world.comments.get(note.id) ?? [],
  addComment: (request, services) => {
    const { note, body } = request;
    const given = requestOf(request, services);
    paragraphOf(note, body.paragraphId);
    return save(body.text, note, services, commentChanges.addComment(given));
  },
  replyToComment: (request, services) => {
    const make = commentChanges.replyToComment(requestOf(request, services));
    return save(request.body.text, request.note, services, make);
  },
  resolveComment: (request, services) =>
    change(request.note, services, commentChanges.resolveComment(requestOf(request, services))),
  editComment: (request, services) => {
    const make = commentChanges.editComment(requestOf(request, services));
    return save(request.body.text, request.note, services, make);
  },
  removeComment: (request, services) => {
    change(request.note, services, commentChanges.removeComment(requestOf(request, services)));
    return {};
  },
};
