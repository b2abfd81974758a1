/**
 * Additions for Node.js. `@tiding/client` itself works in Node.js without them.
 *
 * @example
 * import { createClient } from '@tiding/client';
 * import { fileJournal } from '@tiding/client/node';
 *
 * const client = createClient({ server, journal: fileJournal('.tiding-journal') });
 *
 * @module @tiding/client/node
 */
export { fileJournal } from './file-journal.ts';
