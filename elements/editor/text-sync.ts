import type { ChangeSet, ChangeSpec } from '@codemirror/state';
import { diffTexts, type TextChange } from '@tiding/client/changes';

/**
 * Returns the changes that turn one text into another. Text between them stays as it is, so that a
 * cursor there does not move when others edit before and after it.
 */
export function changesBetween(from: string, to: string): readonly ChangeSpec[] {
  let at = 0;
  return diffTexts(from, to).flatMap((section) => {
    if (typeof section === 'number') {
      at += section;
      return [];
    }
    const [deleted, insert] = section;
    const start = at;
    at += deleted;
    return [{ from: start, to: at, insert }];
  });
}

/** Returns the changes of an editor in the client's form. */
export function textChangeOf(changes: ChangeSet): TextChange {
  const sections = changes.toJSON() as (number | [number, ...string[]])[];
  return sections.map((section) => {
    if (typeof section === 'number') return section;
    const [deleted, ...lines] = section;
    return [deleted, lines.join('\n')];
  });
}

/**
 * Maximum number of reported texts that may still come back as `value`. An owner further behind is
 * not responding.
 */
const MAX_PENDING_ECHOES = 64;

/**
 * Distinguishes a new text of the owner from the echo of what the editor reported. An owner that
 * stores text a frame later passes back text that the user has already typed past; applying it
 * would undo the typing.
 */
export function createEcho(): { reported(text: string): void; isEcho(value: string): boolean } {
  let waiting: string[] = [];
  return {
    reported(text) {
      waiting.push(text);
      if (waiting.length > MAX_PENDING_ECHOES) waiting.shift();
    },
    isEcho(value) {
      const at = waiting.lastIndexOf(value);
      if (at < 0) return false;
      waiting = waiting.slice(at + 1);
      return true;
    },
  };
}
