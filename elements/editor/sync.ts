import type { ChangeSpec } from '@codemirror/state';

/** The smallest single replacement that turns one text into another; null when they are equal. */
export function changedRange(from: string, to: string): ChangeSpec | null {
  if (from === to) return null;
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from.charCodeAt(start) === to.charCodeAt(start)) start++;
  let end = 0;
  while (
    end < shorter - start &&
    from.charCodeAt(from.length - 1 - end) === to.charCodeAt(to.length - 1 - end)
  )
    end++;
  return { from: start, to: from.length - end, insert: to.slice(start, to.length - end) };
}

/** How many reported texts may wait for their way back; an owner further behind than this is not answering. */
const patience = 64;

/**
 * Tells an owner's new text from the echo of what the editor reported: an owner that stores text a frame later hands
 * back what the user has typed past already, and taking that would undo the typing.
 */
export function createEcho(): { reported(text: string): void; isEcho(value: string): boolean } {
  let waiting: string[] = [];
  return {
    reported(text) {
      waiting.push(text);
      if (waiting.length > patience) waiting.shift();
    },
    isEcho(value) {
      const at = waiting.lastIndexOf(value);
      if (at < 0) return false;
      waiting = waiting.slice(at + 1);
      return true;
    },
  };
}
