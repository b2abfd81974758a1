/** The rules of comments on a note: who may change them, and who is mentioned. */
import { COMMENT_LIMITS } from '../model/notes/comment-limits.ts';
import type { CommentThread, NoteComment } from '../protocol/index.ts';
import { Refusal } from './refusal.ts';

/** The user who changes comments. */
export interface Commenter {
  /** Name of the user. */
  readonly principal: string;
  /** Whether they own the note. */
  readonly owns: boolean;
}

/** What a change of comments returns. */
export interface CommentChange {
  /** All threads after the change. */
  readonly threads: readonly CommentThread[];
  /** The thread that was changed; `undefined` if it was deleted. */
  readonly thread: CommentThread | undefined;
}

/** Returns the number of threads that are not resolved. */
export const openThreads = (threads: readonly CommentThread[]): number =>
  threads.filter(({ resolvedBy }) => resolvedBy === undefined).length;

/** Throws unless the user is signed in: a comment needs an author. */
export function checkCommenter(principal: string): void {
  if (principal === 'anonymous') throw new Refusal(403, 'Sign in to comment on this note.');
}

/** Returns the text of a comment without spaces at its ends. Throws if it is empty or too long. */
function checkedText(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new Refusal(400, 'A comment needs a text.');
  const { characters } = COMMENT_LIMITS;
  if (trimmed.length > characters)
    throw new Refusal(
      400,
      `A comment may have at most ${characters.toLocaleString('en')} characters. ` +
        `This one has ${trimmed.length.toLocaleString('en')}.`,
    );
  return trimmed;
}

function threadOf(threads: readonly CommentThread[], id: string): CommentThread {
  const thread = threads.find((each) => each.id === id);
  if (!thread) throw new Refusal(404, `No such thread: ${id}`);
  return thread;
}

function commentOf({ comments }: CommentThread, id: string): NoteComment {
  const comment = comments.find((each) => each.id === id);
  if (!comment) throw new Refusal(404, `No such comment: ${id}`);
  return comment;
}

const replaced = (threads: readonly CommentThread[], thread: CommentThread): CommentChange => ({
  threads: threads.map((each) => (each.id === thread.id ? thread : each)),
  thread,
});

/** Throws if the threads have become too large to be stored as this text. */
export function checkCommentBytes(bytes: number): void {
  if (bytes > COMMENT_LIMITS.bytes)
    throw new Refusal(
      409,
      `The comments on this note may have at most ${COMMENT_LIMITS.bytes / 2 ** 20} MB. ` +
        'Delete threads that are no longer needed.',
    );
}

/** Adds a thread with its first comment. */
export function addedThread(
  threads: readonly CommentThread[],
  { paragraphId, text, quote }: { paragraphId: string; text: string; quote?: string | undefined },
  { id, author, createdAt }: Pick<NoteComment, 'id' | 'author' | 'createdAt'>,
): CommentChange {
  const { threads: most, quoteCharacters } = COMMENT_LIMITS;
  if (threads.length >= most)
    throw new Refusal(
      409,
      `A note may have at most ${most.toLocaleString('en')} threads. ` +
        'Delete threads that are no longer needed.',
    );
  if (quote !== undefined && quote.length > quoteCharacters)
    throw new Refusal(
      400,
      `A quote may have at most ${quoteCharacters.toLocaleString('en')} characters. Select less.`,
    );
  const thread = {
    id,
    paragraphId,
    ...(quote?.trim() ? { quote } : {}),
    comments: [{ id, author, text: checkedText(text), createdAt }],
  };
  return { threads: [...threads, thread], thread };
}

/** Adds a reply. A reply to a resolved thread opens it again. */
export function addedReply(
  threads: readonly CommentThread[],
  threadId: string,
  { text, ...reply }: NoteComment,
): CommentChange {
  const { resolvedBy: _resolved, ...thread } = threadOf(threads, threadId);
  const { replies } = COMMENT_LIMITS;
  if (thread.comments.length > replies)
    throw new Refusal(409, `A thread may have at most ${replies} replies. Start another one.`);
  return replaced(threads, {
    ...thread,
    comments: [...thread.comments, { ...reply, text: checkedText(text) }],
  });
}

/** Resolves a thread, or opens it again. */
export function resolvedThread(
  threads: readonly CommentThread[],
  threadId: string,
  resolvedBy: string | undefined,
): CommentChange {
  const { resolvedBy: _before, ...thread } = threadOf(threads, threadId);
  return replaced(threads, resolvedBy === undefined ? thread : { ...thread, resolvedBy });
}

/** Changes the text of a comment, and returns the text before. Only its author may. */
export function editedComment(
  threads: readonly CommentThread[],
  { threadId, commentId }: { threadId: string; commentId: string },
  { text, editedAt }: { text: string; editedAt: string },
  principal: string,
): CommentChange & { readonly before: string } {
  const thread = threadOf(threads, threadId);
  const comment = commentOf(thread, commentId);
  if (comment.author !== principal)
    throw new Refusal(403, 'Only the author of a comment can edit it.');
  const edited = { ...comment, text: checkedText(text), editedAt };
  return {
    ...replaced(threads, {
      ...thread,
      comments: thread.comments.map((each) => (each === comment ? edited : each)),
    }),
    before: comment.text,
  };
}

/**
 * Deletes a comment. Deleting the first one deletes the thread, which only owners may do once
 * others have replied.
 */
export function removedComment(
  threads: readonly CommentThread[],
  { threadId, commentId }: { threadId: string; commentId: string },
  { principal, owns }: Commenter,
): CommentChange {
  const thread = threadOf(threads, threadId);
  const comment = commentOf(thread, commentId);
  if (comment.author !== principal && !owns)
    throw new Refusal(403, 'Only the author of a comment and owners of the note can delete it.');
  const rest = thread.comments.filter((each) => each !== comment);
  if (comment !== thread.comments[0]) return replaced(threads, { ...thread, comments: rest });
  if (!owns && rest.some(({ author }) => author !== principal))
    throw new Refusal(
      403,
      'Others have replied to this comment. Resolve the thread instead, or ask an owner of the ' +
        'note to delete it.',
    );
  return { threads: threads.filter((each) => each !== thread), thread: undefined };
}

/** A request that changes comments. */
export interface CommentRequest<Body = unknown> {
  /** `threadId` and `commentId`, for calls whose path has them. */
  readonly params: Readonly<Record<string, string>>;
  /** The checked body of the call. */
  readonly body: Body;
  /** The user who sent it. */
  readonly commenter: Commenter;
  /** Returns the id of a new thread or comment. */
  readonly newId: () => string;
}

const address = ({ params }: CommentRequest) => ({
  threadId: params['threadId'] ?? '',
  commentId: params['commentId'] ?? '',
});

const newComment = ({ commenter, newId }: CommentRequest) => ({
  id: newId(),
  author: commenter.principal,
  createdAt: new Date().toISOString(),
});

/** The changes that the REST calls for comments make, by the name of the call. */
export const commentChanges = {
  addComment:
    (request: CommentRequest<Parameters<typeof addedThread>[1]>) =>
    (threads: readonly CommentThread[]) =>
      addedThread(threads, request.body, newComment(request)),
  replyToComment:
    (request: CommentRequest<{ readonly text: string }>) => (threads: readonly CommentThread[]) =>
      addedReply(threads, address(request).threadId, {
        ...newComment(request),
        text: request.body.text,
      }),
  resolveComment:
    (request: CommentRequest<{ readonly resolved: boolean }>) =>
    (threads: readonly CommentThread[]) =>
      resolvedThread(
        threads,
        address(request).threadId,
        request.body.resolved ? request.commenter.principal : undefined,
      ),
  editComment:
    (request: CommentRequest<{ readonly text: string }>) => (threads: readonly CommentThread[]) =>
      editedComment(
        threads,
        address(request),
        { text: request.body.text, editedAt: new Date().toISOString() },
        request.commenter.principal,
      ),
  removeComment: (request: CommentRequest) => (threads: readonly CommentThread[]) =>
    removedComment(threads, address(request), request.commenter),
};

/** A name after `@` that is not part of a word. Names may contain `@`, as addresses do. */
const MENTION = /(?<![\p{L}\p{N}._@+-])@([\p{L}\p{N}][\p{L}\p{N}._@+-]{0,127})/gu;

/**
 * Returns the users that a comment mentions as `@name`. Punctuation after a name does not belong to
 * it. Throws if there are too many.
 */
export function mentionedUsers(text: string, isUser: (name: string) => boolean): string[] {
  const found = new Set<string>();
  for (const [, written = ''] of text.matchAll(MENTION)) {
    let name = written;
    while (!isUser(name) && /[._@+-]$/.test(name)) name = name.slice(0, -1);
    if (isUser(name)) found.add(name);
  }
  const { mentions } = COMMENT_LIMITS;
  if (found.size > mentions)
    throw new Refusal(400, `A comment may mention at most ${mentions} users.`);
  return [...found];
}
