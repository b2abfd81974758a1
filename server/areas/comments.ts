/** Comments on paragraphs. */
import { randomBytes } from 'node:crypto';
import {
  addedReply,
  addedThread,
  type CommentChange,
  checkCommenter,
  editedComment,
  mentionedUsers,
  removedComment,
  resolvedThread,
} from '@tiding/client/notebook';
import type { CommentThread, SavedComment } from '@tiding/client/protocol';
import type { ActingUser } from '../auth/permissions.ts';
import type { RestHandlers, ServerContext } from '../context.ts';
import { noSuchParagraph } from '../errors.ts';
import type { StoredNote } from '../notes/note.ts';
import { withRight } from './notes/notes.ts';

interface Request {
  readonly params: Readonly<Record<string, string>>;
  readonly person: ActingUser;
}

/** Returns the note of a change. Throws unless the user may comment on it. */
function noteToComment({ params, person }: Request, context: ServerContext): StoredNote {
  const note = withRight(params, person, 'reader', context);
  checkCommenter(person.principal);
  return note;
}

const address = ({ params }: Request) => ({
  threadId: params['threadId'] ?? '',
  commentId: params['commentId'] ?? '',
});

const newComment = ({ person }: Request) => ({
  id: randomBytes(9).toString('base64url'),
  author: person.principal,
  createdAt: new Date().toISOString(),
});

/** Stores a change and notifies the pages that have the note open. */
async function change<T extends CommentChange>(
  { id }: StoredNote,
  { comments, hub }: ServerContext,
  make: (threads: readonly CommentThread[]) => T,
): Promise<T> {
  const result = await comments.change(id, make);
  hub.broadcastToNote(id, 'TIDING_COMMENTS', { open: (await comments.openCount(id)) ?? 0 });
  return result;
}

/** Like {@link change}; sends the text to the users whom it mentions and who may read the note. */
async function save(
  text: string,
  { person }: Request,
  note: StoredNote,
  context: ServerContext,
  make: (threads: readonly CommentThread[]) => CommentChange & { readonly before?: string },
): Promise<SavedComment> {
  const { mentionMails, permissions, users } = context;
  await users.refresh();
  const isUser = (name: string) => users.get(name) !== undefined;
  const mentioned = mentionedUsers(text, isUser);
  const { before = '', thread } = await change(note, context, make);
  const mayRead = (principal: string) =>
    permissions.has({ principal, roles: users.get(principal)?.roles ?? [] }, note.id, 'reader');
  // Those who were mentioned before an edit know of the comment.
  const known = new Set(mentionedUsers(before, isUser));
  mentionMails.send(
    mentioned.filter(
      (name) => mayRead(name) && !known.has(name) && users.get(name)?.disabled !== true,
    ),
    { author: person.principal, note, paragraphId: thread!.paragraphId, text: text.trim() },
  );
  return { thread: thread!, cannotRead: mentioned.filter((name) => !mayRead(name)) };
}

/** REST handlers for comments. */
export const commentsRest = {
  listComments: async ({ params, person }, context) => [
    ...(await context.comments.of(withRight(params, person, 'reader', context).id)),
  ],
  addComment: (request, context) => {
    const { body } = request;
    const note = noteToComment(request, context);
    if (!note.paragraphs.some(({ id }) => id === body.paragraphId))
      throw noSuchParagraph(body.paragraphId);
    return save(body.text, request, note, context, (threads) =>
      addedThread(threads, body, newComment(request)),
    );
  },
  replyToComment: (request, context) => {
    const { text } = request.body;
    const { threadId } = address(request);
    return save(text, request, noteToComment(request, context), context, (threads) =>
      addedReply(threads, threadId, { ...newComment(request), text }),
    );
  },
  resolveComment: async (request, context) => {
    const by = request.body.resolved ? request.person.principal : undefined;
    const { thread } = await change(noteToComment(request, context), context, (threads) =>
      resolvedThread(threads, address(request).threadId, by),
    );
    return thread!;
  },
  editComment: (request, context) => {
    const { text } = request.body;
    const { principal } = request.person;
    return save(text, request, noteToComment(request, context), context, (threads) =>
      editedComment(
        threads,
        address(request),
        { text, editedAt: new Date().toISOString() },
        principal,
      ),
    );
  },
  removeComment: async (request, context) => {
    const note = noteToComment(request, context);
    const { person } = request;
    const owns = context.permissions.has(person, note.id, 'owner');
    await change(note, context, (threads) =>
      removedComment(threads, address(request), { principal: person.principal, owns }),
    );
    return {};
  },
} satisfies Partial<RestHandlers>;
