/** Typing together: patches of a text, and what spells printed. */
import type { LiveHandlers } from '../context.ts';
import { Refusal } from '../errors.ts';

const notYet = (): never => {
  throw new Refusal(501, 'not served yet');
};

/** Live operations. */
export const collaborationLive = {
  PATCH_PARAGRAPH: notYet,
  PARAGRAPH_EXECUTED_BY_SPELL: notYet,
} satisfies Partial<LiveHandlers>;
