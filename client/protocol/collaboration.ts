/**
 * Live operations that only the Tiding server has, for several people on one note. The answer to
 * `GET /version` says whether a server supports them.
 */
import * as z from 'zod/mini';
import { maybe, open, received, sent } from './define.ts';
import { paragraph } from './objects.ts';

const id = z.string().check(z.maxLength(64));
const offset = z.number().check(z.int(), z.minimum(0), z.maximum(2 ** 24));
/**
 * A cursor. Offsets are UTF-16 units; `rev` is the version of the text they were counted in, if it
 * is one of the server's.
 */
const place = {
  paragraphId: maybe(id),
  anchor: maybe(offset),
  head: maybe(offset),
  rev: maybe(z.number()),
};

/**
 * A person on a note. `connection` identifies the page, `color` is 0 to 7. Without `paragraphId`
 * the cursor is not in the note.
 */
export const presence = open({
  connection: id,
  name: z.string(),
  color: z.number(),
  gone: maybe(z.boolean()),
  ...place,
});
/** A person on a note. */
export type Presence = z.infer<typeof presence>;

/** Operations on presence, and on restoring what an undo brings back. */
export const presenceOperations = {
  sent: {
    /**
     * Announces the cursor of this page. The server notifies the other pages on the note, and
     * answers the first announcement with everybody who has the note open. Not stored.
     */
    TIDING_PRESENCE: sent(open({ noteId: id, ...place }), {
      right: 'reader',
      idempotent: true,
      since: 'none',
      sample: { noteId: '$note' },
    }),
    /**
     * Restores a removed paragraph under its id at `index`, counted from 0. If the paragraph still
     * exists, restores its cleared output. Answered like an insertion, or with the paragraph.
     */
    TIDING_RESTORE_PARAGRAPH: sent(
      open({ noteId: z.string(), index: z.number().check(z.int()), paragraph }),
      {
        right: 'writer',
        since: 'none',
        embed: ['edit', 'note'],
        sample: { noteId: '$note', index: 0, paragraph: { id: '$paragraph', text: 'back' } },
      },
    ),
  },
  received: {
    /** People who arrived, moved or left (`gone`). */
    TIDING_PRESENCE: received(open({ noteId: id, people: z.array(presence) })),
    /**
     * The comments on the note have changed; `open` is the number of open threads. Also sent when a
     * note that has had comments is opened.
     */
    TIDING_COMMENTS: received(open({ open: z.number() })),
  },
};
