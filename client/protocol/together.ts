/** Live operations of ours alone, for several people on one note. No upstream server has them; the version answer says who does. */
import * as z from 'zod/mini';
import { maybe, open, received, sent } from './define.ts';
import { paragraph } from './objects.ts';

const id = z.string().check(z.maxLength(64));
const offset = z.number().check(z.int(), z.minimum(0), z.maximum(2 ** 24));
/** Offsets in UTF-16 units; `rev` numbers the text they were counted in, where that is one of the server's. */
const place = {
  paragraphId: maybe(id),
  anchor: maybe(offset),
  head: maybe(offset),
  rev: maybe(z.number()),
};

/** Somebody on a note. `connection` is of one page, `color` from 0 to 7; without `paragraphId` no cursor is in the note. */
export const presence = open({
  connection: id,
  name: z.string(),
  color: z.number(),
  gone: maybe(z.boolean()),
  ...place,
});
/** Somebody on a note. */
export type Presence = z.infer<typeof presence>;

/** Presence, and what an undo puts back. */
export const togetherOperations = {
  sent: {
    /** Where the cursor of this page is. The others on the note are told; who says it first is told of the others. Not stored. */
    TIDING_PRESENCE: sent(open({ noteId: id, ...place }), {
      right: 'reader',
      idempotent: true,
      since: 'none',
    }),
    /**
     * Puts a removed paragraph back, whole and under its id, at a place from 0; of one that is there, the output that was
     * cleared. Answered as an insertion, or by the paragraph.
     */
    TIDING_RESTORE_PARAGRAPH: sent(
      open({ noteId: z.string(), index: z.number().check(z.int()), paragraph }),
      { right: 'writer', since: 'none' },
    ),
  },
  received: {
    /** Who came, moved or went (`gone`). */
    TIDING_PRESENCE: received(open({ noteId: id, people: z.array(presence) })),
  },
};
