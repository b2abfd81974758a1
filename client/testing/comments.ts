/** Comments of the memory server. Nobody gets an e-mail. */
import {
  addedReply,
  addedThread,
  type CommentChange,
  checkCommenter,
  editedComment,
  mentionedUsers,
  openThreads,
  paragraphOf,
  removedComment,
  resolvedThread,
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

function noteToComment(
  { params, session }: Pick<MemoryRestRequest, 'params' | 'session'>,
  { world }: MemoryServices,
): StoredNote {
  const note = world.note(params['noteId'] ?? '');
  world.require(session, note.id, 'reader');
  checkCommenter(session.principal);
  return note;
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

const address = ({ params }: Pick<MemoryRestRequest, 'params'>) => ({
  threadId: params['threadId'] ?? '',
  commentId: params['commentId'] ?? '',
});

const newComment = (
  { session }: Pick<MemoryRestRequest, 'session'>,
  { world }: MemoryServices,
) => ({
  id: `comment_${world.next()}`,
  author: session.principal,
  createdAt: new Date().toISOString(),
});

/** REST handlers for comments. */
export const commentHandlers: MemoryRestHandlers = {
  listComments: ({ params, session }, { world }) => {
    const { id } = world.note(params['noteId'] ?? '');
    world.require(session, id, 'reader');
    return world.comments.get(id) ?? [];
  },
  addComment: (request, services) => {
    const { body } = request;
    const note = noteToComment(request, services);
    paragraphOf(note, body.paragraphId);
    return save(body.text, note, services, (threads) =>
      addedThread(threads, body, newComment(request, services)),
    );
  },
  replyToComment: (request, services) => {
    const { text } = request.body;
    return save(text, noteToComment(request, services), services, (threads) =>
      addedReply(threads, address(request).threadId, { ...newComment(request, services), text }),
    );
  },
  resolveComment: (request, services) =>
    change(noteToComment(request, services), services, (threads) =>
      resolvedThread(
        threads,
        address(request).threadId,
        request.body.resolved ? request.session.principal : undefined,
      ),
    ),
  editComment: (request, services) => {
    const { text } = request.body;
    const edit = { text, editedAt: new Date().toISOString() };
    return save(text, noteToComment(request, services), services, (threads) =>
      editedComment(threads, address(request), edit, request.session.principal),
    );
  },
  removeComment: (request, services) => {
    const note = noteToComment(request, services);
    const { principal } = request.session;
    const owns = services.world.has(request.session, note.id, 'owner');
    change(note, services, (threads) =>
      removedComment(threads, address(request), { principal, owns }),
    );
    return {};
  },
};
