import { textArea } from '../text/areas.ts';

/** Texts of logs. */
export const logsTexts = textArea('widgets.logs', {
  log: 'Log',
  logOf: 'Log of {name}',
  filter: 'Filter the log',
  type: 'Type',
  all: 'All types',
  time: 'Time',
  task: 'Task',
  message: 'Message',
  empty: 'The log is empty.',
  none: 'No log entries match.',
  shown: '{shown} of {all} entries',
  earlier: 'Show {n} earlier entries',
});
