import { textArea } from '../text/areas.ts';

/**
 * Displayed and announced statuses. They are the protocol's values, which the sheet displays in
 * sentence case.
 */
export const statusTexts = textArea<Record<string, string>>('status', {
  READY: 'READY',
  PENDING: 'PENDING',
  RUNNING: 'RUNNING',
  FINISHED: 'FINISHED',
  ABORT: 'ABORT',
  ERROR: 'ERROR',
});
