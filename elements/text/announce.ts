/** What screen readers hear of runs, and the words of the statuses. */
export const announceTexts = {
  started: '{name}: running',
  noteStarted: 'The note is running, first {name}',
  finished: '{name}: finished',
  finishedAfter: '{name}: finished after {duration}',
  failed: '{name}: failed',
  failedAfter: '{name}: failed after {duration}',
  aborted: '{name}: stopped',
  batchStarted: '{count} paragraphs are running',
  batchEnd: 'Run ended: {finished} finished, {failed} failed, {aborted} stopped.',
  batchEndAfter:
    'Run ended after {duration}: {finished} finished, {failed} failed, {aborted} stopped.',
  online: 'Connected again.',
  firstFailed: 'First to fail: {name}.',
};

/** As a status is shown and said. The words of the wire, which the sheet shows in sentence case. */
export const statusTexts: Record<string, string> = {
  READY: 'READY',
  PENDING: 'PENDING',
  RUNNING: 'RUNNING',
  FINISHED: 'FINISHED',
  ABORT: 'ABORT',
  ERROR: 'ERROR',
};
