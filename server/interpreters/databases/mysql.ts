/** The interpreter of settings of the group `mysql`. */
import { databaseInterpreter } from './database-spec.ts';
import { mySqlCatalogue, mySqlPowers } from './mysql/catalogue.ts';
import { explain } from './mysql/explain.ts';
import { readOnlyRefusal } from './read-only.ts';

/** MySQL and MariaDB. */
export const mysql = databaseInterpreter('mysql', {
  title: 'MySQL or MariaDB',
  protocols: ['mysql:', 'mariadb:'],
  defaultPort: 3_306,
  dialect: 'mysql',
  catalogue: mySqlCatalogue,
  async connect(target, signal) {
    return (await import('./mysql/connection.ts')).connect(target, signal);
  },
  powers: () => mySqlPowers,
  refuse: (statement, { readOnly }) => (readOnly ? readOnlyRefusal(statement, 'mysql') : undefined),
  explain,
});
