/** What Node alone can give the client. Everything else is in `tiding/client`, which works in Node as it is. */
export { fileJournal } from './file-journal.ts';
