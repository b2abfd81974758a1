/** Limits, times and names of the protocol: they need no schema, and so nothing but themselves. */

/** Largest text frame in bytes a server of this family takes when nothing else is configured (0.9 and later). */
export const DEFAULT_MAX_MESSAGE_BYTES = 10_240_000;
/** A client sends PING this often while the channel is open, in ms. The server never answers it. */
export const PING_INTERVAL_MS = 10_000;
/** Folder that holds trashed notes. */
export const TRASH_FOLDER_ID = '~Trash';
/** Operations that no server answers, and that change nothing: a reply is not waited for, and a replay passes over them. */
export const UNANSWERED: ReadonlySet<string> = new Set(['PING', 'TIDING_PRESENCE']);
