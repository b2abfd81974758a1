/** Exported results and files. */
import type { RestHandlers } from '../context.ts';
import { Refusal } from '../errors.ts';

const notYet = (): never => {
  throw new Refusal(501, 'not served yet');
};

/** REST calls. */
export const resultsRest = {
  checkResult: notYet,
  getResult: notYet,
  getFile: notYet,
} satisfies Partial<RestHandlers>;
