/** Sentences of logs. */
export const logsTexts = {
  log: 'Log',
  logOf: 'Log of {name}',
  filter: 'Filter the log',
  type: 'Type',
  all: 'All types',
  time: 'Time',
  task: 'Task',
  message: 'Message',
  empty: 'The log is empty.',
  none: 'No entry of the log fits.',
  shown: '{shown} of {all} entries',
  earlier: 'Show {n} earlier entries',
};
