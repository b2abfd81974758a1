import { type CallOptions, deferred } from '../../core/abort.ts';
import { type ErrorCode, isTidingError } from '../../core/errors.ts';
import { eventsUntil } from '../../core/event-bus.ts';
import { paragraphOf } from '../../core/state.ts';
import type { ParagraphHandle } from './paragraph-handle.ts';

/** Attempts to remove a paragraph that other users are editing. */
const REMOVE_TRIES = 20;

/** The server has answered, and the paragraph may be gone or changed. */
const REFUSALS: readonly ErrorCode[] = ['server', 'not-found', 'conflict', 'busy'];

/**
 * Resolves when the paragraph is gone here as well. Until then, undoing the removal would take it
 * for a paragraph that somebody has restored.
 */
async function whenGone({ note, id }: ParagraphHandle, options: CallOptions): Promise<void> {
  const limit = deferred<void>('PARAGRAPH_REMOVE', { timeout: note.context.timeout, ...options });
  const isGone = () => paragraphOf(note.context.store.get().open[note.id], id)?.removed !== false;
  await eventsUntil(note.context, isGone, limit.promise).finally(() => limit.resolve());
}

/**
 * Removes only the revision seen here. If another user edits it meanwhile, the edit is received
 * first and the removal is requested again.
 */
export async function removeFromServer(
  paragraph: ParagraphHandle,
  options: CallOptions,
): Promise<void> {
  const { note, id } = paragraph;
  for (let tries = 1; ; tries += 1) {
    const { rev } = paragraph.state.server;
    try {
      return void (await note.request(
        'PARAGRAPH_REMOVE',
        { id, noteId: note.id, ...(rev === undefined ? {} : { rev }) },
        (message) => message.op === 'PARAGRAPH_REMOVED' && message.data.id === id,
        options,
      ));
    } catch (error) {
      const there = paragraphOf(note.state, id);
      // It is gone: another user removed it, or the reply to an earlier attempt was lost with the
      // connection.
      if (!isTidingError(error) || !REFUSALS.includes(error.code)) throw error;
      if (!there || there.removed || error.code === 'not-found')
        return whenGone(paragraph, options);
      const now = there?.server.rev;
      if (tries >= REMOVE_TRIES || now === undefined || rev === undefined || now <= rev)
        throw error;
    }
  }
}
