/** The interpreter of settings of the group `postgresql`. */
import { tokenize } from '../sql/script.ts';
import { databaseInterpreter } from './database-spec.ts';
import type { DatabaseDriver } from './driver.ts';
import { postgresCatalogue, postgresPowers } from './postgresql/catalogue.ts';
import { explain } from './postgresql/explain.ts';
import { readOnlyRefusal } from './read-only.ts';

const driver: DatabaseDriver = {
  title: 'PostgreSQL',
  protocols: ['postgresql:', 'postgres:'],
  defaultPort: 5_432,
  dialect: 'standard',
  catalogue: postgresCatalogue,
  async connect(target, signal) {
    return (await import('./postgresql/connection.ts')).connect(target, signal);
  },
  powers: () => postgresPowers,
  refuse(statement, { readOnly }) {
    const refusal = readOnly ? readOnlyRefusal(statement, 'standard') : undefined;
    if (refusal !== undefined) return refusal;
    const words = tokenize(statement).map(({ text }) => text.toLowerCase());
    if (words[0] !== 'copy' || !(words.includes('stdin') || words.includes('stdout')))
      return undefined;
    return words.includes('stdin')
      ? 'COPY … FROM STDIN needs a program that sends the data. Use INSERT, or psql.'
      : 'COPY … TO STDOUT is not shown here. Use SELECT, and download its table.';
  },
  explain,
};

/** PostgreSQL and databases with its protocol. */
export const postgresql = databaseInterpreter('postgresql', driver);
