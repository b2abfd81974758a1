/** Comments on the paragraphs of a note. Tiding only. */
import * as z from 'zod/mini';
import { endpoint, maybe, open } from '../define.ts';
import { names, nothing, text } from './schemas.ts';

/** A comment. Times are ISO 8601 in UTC. */
const comment = open({
  id: text,
  author: text,
  text,
  createdAt: text,
  editedAt: maybe(text),
});
/** A comment of a thread. */
export type NoteComment = z.infer<typeof comment>;

/**
 * A comment with its replies, on a paragraph that may have been removed since. `quote` is the text
 * that was selected. `resolvedBy` is absent while the thread is open.
 */
const thread = open({
  id: text,
  paragraphId: text,
  quote: maybe(text),
  resolvedBy: maybe(text),
  comments: z.array(comment),
});
/** A comment on a paragraph, with its replies. */
export type CommentThread = z.infer<typeof thread>;

/** The thread after a change. `cannotRead`: mentioned users who may not read the note. */
const saved = open({ thread, cannotRead: names });
/** A thread after a comment was added or edited. */
export type SavedComment = z.infer<typeof saved>;

const onlyText = open({ text });

/**
 * REST calls for comments. Users who may read the note may comment if they are signed in; others
 * get 403. 404 for an unknown thread or comment, 400 for a text that is empty or too long, 409 for
 * more threads or replies than fit.
 */
export const commentEndpoints = {
  /** All threads, oldest first. */
  listComments: endpoint('GET', '/magpie/comments/:noteId', {
    right: 'reader',
    answer: z.array(thread),
  }),
  addComment: endpoint('POST', '/magpie/comments/:noteId', {
    right: 'reader',
    body: open({ paragraphId: text, text, quote: maybe(text) }),
    answer: saved,
  }),
  replyToComment: endpoint('POST', '/magpie/comments/:noteId/:threadId', {
    right: 'reader',
    body: onlyText,
    answer: saved,
  }),
  /** Resolves a thread, or opens it again. */
  resolveComment: endpoint('PUT', '/magpie/comments/:noteId/:threadId', {
    right: 'reader',
    body: open({ resolved: z.boolean() }),
    answer: thread,
  }),
  /** Only its author may edit a comment. */
  editComment: endpoint('PUT', '/magpie/comments/:noteId/:threadId/:commentId', {
    right: 'reader',
    body: onlyText,
    answer: saved,
  }),
  /**
   * Its author and owners of the note may delete a comment. Deleting the first one deletes the
   * thread; its author may do so only while nobody else has replied.
   */
  removeComment: endpoint('DELETE', '/magpie/comments/:noteId/:threadId/:commentId', {
    right: 'reader',
    answer: nothing,
  }),
};
