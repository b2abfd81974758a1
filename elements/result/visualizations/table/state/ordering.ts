/** The code that sorts and filters a table, loaded when one is sorted or filtered. */
export { pushedArrangement } from '../../../rows/pushed-query.ts';
export { orderRows } from '../../../rows/row-order.ts';
