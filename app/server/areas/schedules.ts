/** Schedules of notes. */
import type { LiveHandlers, RestHandlers } from '../context.ts';
import { Refusal } from '../errors.ts';

const notYet = (): never => {
  throw new Refusal(501, 'not served yet');
};

/** Live operations. */
export const schedulesLive = {
  LIST_UPDATE_NOTE_JOBS: notYet,
  CANCEL_ALL_PARAGRAPHS: notYet,
} satisfies Partial<LiveHandlers>;

/** REST calls. */
export const schedulesRest = {
  listJobs: notYet,
  listJobsSince: notYet,
  setCron: notYet,
  getCron: notYet,
  deleteCron: notYet,
  capabilities: notYet,
  getNoteByPath: notYet,
  nextParagraph: notYet,
} satisfies Partial<RestHandlers>;
