/** Limits, intervals and names of the protocol that need no schema. */

/** Default limit for a text frame on Zeppelin servers since 0.9, in bytes. */
export const DEFAULT_MAX_MESSAGE_BYTES = 10_240_000;
/**
 * Interval between two PING messages while the channel is open, in ms. The server never answers
 * them.
 */
export const PING_INTERVAL_MS = 10_000;
/**
 * Id of the pseudo-revision for the current content of the note; first in every list
 * (specification).
 */
export const HEAD_REVISION_ID = 'Head';
/** Time limit of a synchronization with a Git remote, in ms (specification). */
export const SYNC_TIMEOUT_MS = 300_000;
/** Maximum length of one input to a terminal, in characters. */
export const MAX_TERMINAL_INPUT = 65_536;
/** Maximum length of an answer to code that asks for input, in characters. */
export const MAX_ANSWER = 65_536;
/** Maximum length of a widget message's data, and of all its buffers in base64, in characters. */
export const MAX_COMM_LENGTH = 4 * 2 ** 20;
/** Maximum number of buffers in a widget message. */
export const MAX_COMM_BUFFERS = 100;
/** Close code of a connection beyond the number that a user or an issuer may have open. */
export const TOO_MANY_CONNECTIONS = 4029;
/** Folder that holds trashed notes. */
export const TRASH_FOLDER_ID = '~Trash';
/**
 * Operations that no server answers and that change nothing. The client does not wait for a reply,
 * and a replay skips them.
 */
export const UNANSWERED: ReadonlySet<string> = new Set(['PING', 'TIDING_PRESENCE']);
