import { textArea } from '../text/areas.ts';

/** Texts of the home page beside the list of notes. */
export const homeTexts = textArea('home', {
  start: 'Get started',
  dropTitle: 'Drop files here',
  dropHint:
    'CSV, TSV, JSON, Parquet, Arrow, Excel and SQLite open in a new note. Notes of Jupyter and ' +
    'Zeppelin, and .py, .md and .sql files are imported.',
  drop: 'Drop files to open or import them',
  choose: 'Choose files…',
  newNote: 'New note in',
  languages: {
    python: 'Python',
    sql: 'SQL',
    md: 'Markdown',
    js: 'JavaScript',
    sh: 'Shell',
    spark: 'Spark',
    jdbc: 'JDBC',
  } as Record<string, string>,
  samples: 'Sample notes',
  lastRun: '{status} {when}',
  dataNote: 'Data',
});
