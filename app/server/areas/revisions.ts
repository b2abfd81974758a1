/** Checkpoints of notes, and the remote they go to. */
import type { LiveHandlers, RestHandlers } from '../context.ts';
import { Refusal } from '../errors.ts';

const notYet = (): never => {
  throw new Refusal(501, 'not served yet');
};

/** Live operations. */
export const revisionsLive = {
  CHECKPOINT_NOTE: notYet,
  LIST_REVISION_HISTORY: notYet,
  NOTE_REVISION: notYet,
  NOTE_REVISION_FOR_COMPARE: notYet,
  SET_NOTE_REVISION: notYet,
  CONVERT_NOTE_NBFORMAT: notYet,
} satisfies Partial<LiveHandlers>;

/** REST calls. */
export const revisionsRest = {
  listRevisions: notYet,
  checkpointNote: notYet,
  getRevision: notYet,
  setRevision: notYet,
  getRevisionControl: notYet,
  setRevisionControl: notYet,
} satisfies Partial<RestHandlers>;
