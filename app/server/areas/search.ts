/** Search over notes. */
import type { RestHandlers } from '../context.ts';
import { Refusal } from '../errors.ts';

const notYet = (): never => {
  throw new Refusal(501, 'not served yet');
};

/** REST calls. */
export const searchRest = {
  searchNotes: notYet,
} satisfies Partial<RestHandlers>;
