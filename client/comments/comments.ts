import type { CallOptions } from '../core/abort.ts';
import type { CommentThread, SavedComment } from '../protocol/index.ts';
import { ClientArea } from '../session/client-area.ts';

/**
 * Comments on the paragraphs of a note, in threads. Tiding servers only; others reject with
 * `unsupported`.
 *
 * Users who may read a note may comment on it if they are signed in. A comment may mention users as
 * `@name`: they get an e-mail if the server sends any and they may read the note. The event
 * `TIDING_COMMENTS` of an open note says that its comments have changed; the number of open threads
 * is in `note.state.openThreads`.
 *
 * @example
 * const { thread } = await client.comments.add(noteId, { paragraphId, text: 'Why not 2026?' });
 * await client.comments.reply(noteId, thread.id, '@ann, do you know?');
 * await client.comments.resolve(noteId, thread.id);
 */
export class CommentsApi extends ClientArea {
  /** Lists all threads on a note, oldest first. */
  list(noteId: string, options: CallOptions = {}): Promise<CommentThread[]> {
    return this.context.call('listComments', { ...options, params: { noteId } });
  }

  /**
   * Starts a thread on a paragraph. `quote` is the code that it is about. The result also has the
   * mentioned users who may not read the note. Rejects with status 400 for an empty text or one of
   * more than 10,000 characters, 403 if nobody is signed in, 404 for an unknown paragraph, and 409
   * if the note has 1,000 threads.
   */
  add(
    noteId: string,
    comment: { readonly paragraphId: string; readonly text: string; readonly quote?: string },
    options: CallOptions = {},
  ): Promise<SavedComment> {
    return this.context.call('addComment', { ...options, params: { noteId }, body: comment });
  }

  /**
   * Replies to a thread, and opens it again if it was resolved. Rejects like {@link add}, with
   * status 404 for an unknown thread, and 409 if it has 200 replies.
   */
  reply(
    noteId: string,
    threadId: string,
    text: string,
    options: CallOptions = {},
  ): Promise<SavedComment> {
    return this.context.call('replyToComment', {
      ...options,
      params: { noteId, threadId },
      body: { text },
    });
  }

  /** Changes the text of one's own comment. Rejects with status 403 for those of others. */
  edit(
    noteId: string,
    threadId: string,
    commentId: string,
    text: string,
    options: CallOptions = {},
  ): Promise<SavedComment> {
    return this.context.call('editComment', {
      ...options,
      params: { noteId, threadId, commentId },
      body: { text },
    });
  }

  /**
   * Deletes one's own comment; owners of the note may delete any. Deleting the first comment
   * deletes the thread. Rejects with status 403 for comments of others, and for a first comment to
   * which others have replied, unless the user owns the note.
   */
  async remove(
    noteId: string,
    threadId: string,
    commentId: string,
    options: CallOptions = {},
  ): Promise<void> {
    await this.context.call('removeComment', {
      ...options,
      params: { noteId, threadId, commentId },
    });
  }

  /** Marks a thread as resolved. */
  resolve(noteId: string, threadId: string, options?: CallOptions): Promise<CommentThread> {
    return this.#resolve(noteId, threadId, true, options);
  }

  /** Opens a resolved thread again. */
  reopen(noteId: string, threadId: string, options?: CallOptions): Promise<CommentThread> {
    return this.#resolve(noteId, threadId, false, options);
  }

  #resolve(noteId: string, threadId: string, resolved: boolean, options: CallOptions = {}) {
    return this.context.call('resolveComment', {
      ...options,
      params: { noteId, threadId },
      body: { resolved },
    });
  }
}
