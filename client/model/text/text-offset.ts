import { commonLength } from './text-lines.ts';

/**
 * Converts an offset in `from` to the same place in `to`, assuming that one change separates the
 * two. An offset after the change moves with the text; one inside it moves to its end. In UTF-16
 * code units.
 */
export function rebaseOffset(from: string, to: string, offset: number): number {
  if (from === to) return Math.max(0, Math.min(offset, to.length));
  const most = Math.min(from.length, to.length);
  const start = commonLength(from, to, most);
  const kept = commonLength(from, to, most - start, true);
  if (offset <= start) return Math.max(0, offset);
  if (offset >= from.length - kept) return Math.min(to.length, offset + to.length - from.length);
  return to.length - kept;
}
