/** Viewers of a note: their colors, and the message about them. */
import type { Receives } from '../protocol/index.ts';

/** Number of colors for telling viewers apart. */
const COLORS = 8;

/** Returns the color that is used least, given those in use. */
export function freeColor(used: readonly number[]): number {
  const counts = Array.from(
    { length: COLORS },
    (_, color) => used.filter((each) => each === color).length,
  );
  return counts.indexOf(Math.min(...counts));
}

/**
 * Returns the message that tells the viewers of a note whether there are several of them, and who.
 * `names` has an entry per connection.
 */
export const viewersStatus = (names: readonly string[]): Receives['COLLABORATIVE_MODE_STATUS'] =>
  names.length > 1 ? { status: true, users: [...new Set(names)] } : { status: false };
