/**
 * Live operations of Jupyter widgets: messages between a kernel and the pages that show its
 * widgets. Only the Tiding server has them.
 */
import * as z from 'zod/mini';
import { MAX_COMM_BUFFERS, MAX_COMM_LENGTH } from './constants.ts';
import { jsonObject, maybe, open, received, sent } from './define.ts';

const id = z.string().check(z.minLength(1), z.maxLength(100));
/** The binary parts of a message as base64; `buffer_paths` in its data says where they belong. */
const buffers = maybe(
  z.array(z.string().check(z.maxLength(MAX_COMM_LENGTH))).check(z.maxLength(MAX_COMM_BUFFERS)),
);
const commType = z.enum(['comm_open', 'comm_msg', 'comm_close']);

/**
 * A widget model: the id of its comm, and as `data` what a `comm_open` would contain now, with the
 * current `state` and `buffer_paths`.
 */
export const commModel = open({ comm: z.string(), data: jsonObject, buffers });
/** The state of a widget model; see {@link commModel}. */
export type CommModel = z.infer<typeof commModel>;

/**
 * Whether a kernel can still be used: `live`; `closed`: it runs, but its code has closed the
 * widget; `ended`: it has ended, and `models` are the last state, if it is known.
 */
const status = z.enum(['live', 'closed', 'ended']);
/** Whether the kernel of a widget can still be used. */
export type CommStatus = z.infer<typeof status>;

/** Operations on the widgets of a kernel. `kernel` and `model` are those in the output. */
export const commOperations = {
  sent: {
    /** Asks for the models that belong to a widget. They are read without the kernel. */
    TIDING_COMM_STATE: sent(open({ id: z.string(), noteId: z.string(), kernel: id, model: id }), {
      right: 'reader',
      idempotent: true,
      since: 'none',
      embed: ['results', 'id'],
      sample: { id: '$paragraph', noteId: '$note', kernel: 'k', model: 'm' },
    }),
    /**
     * Sends a message of a widget to its kernel. `message` is a new id, which the messages that it
     * causes have as their `parent`. Whoever changes a widget runs code, so this needs the right to
     * run the paragraph. Answered with the type `accepted`.
     */
    TIDING_COMM: sent(
      open({
        id: z.string(),
        noteId: z.string(),
        kernel: id,
        message: id,
        type: commType,
        comm: id,
        data: jsonObject,
        buffers,
      }),
      {
        right: 'runner',
        since: 'none',
        embed: ['run', 'id'],
        sample: {
          id: '$paragraph',
          noteId: '$note',
          kernel: 'k',
          message: 'one',
          type: 'comm_msg',
          comm: 'm',
          data: { method: 'update', state: { value: 1 }, buffer_paths: [] },
        },
      },
    ),
  },
  received: {
    /** Answers {@link commOperations.sent.TIDING_COMM_STATE}. */
    TIDING_COMM_STATE: received(
      open({ id: z.string(), kernel: z.string(), status, models: z.array(commModel) }),
      { embed: ['results', 'id'] },
    ),
    /**
     * A message of a kernel about one of its comms. `paragraphId` is the paragraph whose code
     * opened the comm. `parent` is the page's message that caused it. Apart from the types of
     * Jupyter: `accepted`, the server has passed on the message `parent`; `idle`, the kernel has
     * handled it, both for its sender only; `ended`, the kernel has ended.
     */
    TIDING_COMM: received(
      open({
        noteId: z.string(),
        paragraphId: z.string(),
        kernel: z.string(),
        type: z.enum([...commType.options, 'accepted', 'idle', 'ended']),
        comm: maybe(z.string()),
        data: maybe(jsonObject),
        buffers,
        parent: maybe(z.string()),
      }),
      { embed: ['results', 'paragraphId'] },
    ),
  },
};
