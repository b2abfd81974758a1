/**
 * What Node alone can give the client. Everything else is in `tiding/client`, which works in Node as it is.
 *
 * @module tiding/node
 */
export { fileJournal } from './file-journal.ts';
