/** Offsets that are carried from one text to another. */
import { shared } from './lines.ts';

/**
 * Where an offset into `from` stands in `to`, when the one was made of the other by one change: what is behind the change
 * moves with it, what was in it stands at its end. In UTF-16 units.
 */
export function carryOffset(from: string, to: string, offset: number): number {
  if (from === to) return Math.max(0, Math.min(offset, to.length));
  const most = Math.min(from.length, to.length);
  const start = shared(from, to, most);
  const kept = shared(from, to, most - start, true);
  if (offset <= start) return Math.max(0, offset);
  if (offset >= from.length - kept) return Math.min(to.length, offset + to.length - from.length);
  return to.length - kept;
}
