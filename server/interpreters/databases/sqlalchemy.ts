/** The interpreter of settings of the group `sqlalchemy`: databases with a driver for Python. */
import type { SqlDialect } from '../sql/script.ts';
import { tokenize } from '../sql/script.ts';
import { databaseInterpreter } from './database-spec.ts';
import { mySqlPowers } from './mysql/catalogue.ts';
import { postgresPowers } from './postgresql/catalogue.ts';
import { readOnlyRefusal } from './read-only.ts';
import { connect, fileOf } from './sqlalchemy/connection.ts';
import { installPackages } from './sqlalchemy/environment.ts';
import { explain } from './sqlalchemy/explain.ts';
import { dialectOf, parseUrl } from './sqlalchemy/url.ts';

/** Dialects with names in backticks and comments after `#`. */
const likeMySql = new Set([
  ...['mysql', 'mariadb', 'tidb', 'starrocks', 'doris', 'bigquery', 'databricks', 'hive', 'impala'],
]);

/** Rights of the login, in databases whose transactions only read. */
const powersOf: ReadonlyMap<string, string | undefined> = new Map([
  ['postgresql', postgresPowers],
  ['cockroachdb', undefined],
  ['mysql', mySqlPowers],
  ['mariadb', mySqlPowers],
]);

/** Statements of drivers that read or write files of the server, such as PUT of Snowflake. */
const files = /^(?:put|get)$/i;
const fileFunctions = /\{fn\s+teradata_(?:read|write)_csv/i;

const tokensOf = (url: string | undefined): SqlDialect =>
  likeMySql.has(dialectOf(parseUrl(url ?? '') ?? { drivername: '' })) ? 'mysql' : 'standard';

/** Any database that SQLAlchemy reaches. */
export const sqlalchemy = databaseInterpreter('sqlalchemy', {
  title: 'SQLAlchemy',
  isUrl: true,
  protocols: ['postgresql+psycopg:'],
  defaultPort: 0,
  dialect: ({ url }) => tokensOf(url),
  connect,
  async install(target, signal, progress) {
    // Nothing is installed for a file that is not opened.
    await fileOf(target);
    await installPackages(target.packages ?? [], signal, progress);
  },
  powers: ({ url }) => powersOf.get(dialectOf(parseUrl(url ?? '') ?? { drivername: '' })),
  refuse(statement, { readOnly, url }) {
    if (files.test(tokenize(statement)[0]?.text ?? '') || fileFunctions.test(statement))
      return (
        'The statement would use files of the server. Use %sql or %python for files of the ' +
        'note.'
      );
    const parts = parseUrl(url ?? '');
    return readOnly && parts && powersOf.has(dialectOf(parts))
      ? readOnlyRefusal(statement, tokensOf(url))
      : undefined;
  },
  explain,
});
