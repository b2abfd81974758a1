/**
 * Rows as a server sends them to pages that draw results themselves, and pivots of them. It is part
 * of `@tiding/client/model`, and an entry of its own so that such pages load nothing else.
 *
 * @module @tiding/client/pivot
 */

export { isRunning } from './notes/paragraph-status.ts';
export { asCell, plainText } from './rows/cell-text.ts';
export { rowsFromJson } from './rows/row-transfer.ts';
export { runNow } from './rows/run-now.ts';
export { pivot } from './tables/pivot.ts';
