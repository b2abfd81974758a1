import { textArea } from '../text/areas.ts';

/** Screen reader announcements of runs, and the status texts. */
export const announceTexts = textArea('announce', {
  started: '{name}: running',
  noteStarted: 'Running the note, starting with {name}',
  finished: '{name}: finished',
  finishedAfter: '{name}: finished after {duration}',
  failed: '{name}: failed',
  failedAfter: '{name}: failed after {duration}',
  aborted: '{name}: stopped',
  batchStarted: '{count} paragraphs are running',
  batchEnd: 'Run ended: {finished} finished, {failed} failed, {aborted} stopped.',
  batchEndAfter:
    'Run ended after {duration}: {finished} finished, {failed} failed, {aborted} stopped.',
  online: 'Reconnected.',
  firstFailed: 'First failure: {name}.',
});

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
