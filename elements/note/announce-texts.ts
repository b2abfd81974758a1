import { textArea } from '../text/areas.ts';

/** Screen reader announcements of runs. */
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
