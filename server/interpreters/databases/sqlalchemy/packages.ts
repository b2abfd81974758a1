/** Python packages that a connection needs: what may be named, and which one a dialect needs. */
import * as z from 'zod/mini';

const MAX_PACKAGES = 50;
const NAME = '[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?';
const VERSION = '(?:~=|={2,3}|!=|<=|>=|<|>)\\s*[A-Za-z0-9.*+!_-]+';
const VERSIONS = `${VERSION}(?:\\s*,\\s*${VERSION})*`;
const EXTRAS = `\\[\\s*${NAME}(?:\\s*,\\s*${NAME})*\\s*\\]`;
/** Installers take such a name for a file in their folder. */
const ARCHIVE = /\.(?:whl|zip|egg|tar|tgz|tbz2?|txz|gz|bz2|xz)$/i;

/**
 * A requirement of PEP 508 from an index. Addresses and paths (`name @ url`, `./folder`) and
 * options of the installer are refused.
 */
export const requirement = z.string().check(
  z.maxLength(200),
  z.regex(
    new RegExp(
      `^${NAME}\\s*(?:${EXTRAS})?\\s*(?:${VERSIONS}|\\(\\s*${VERSIONS}\\s*\\))?` +
        `(?:\\s*;[\\w\\s.'"<>=!~()-]+)?$`,
    ),
  ),
  z.refine((text) => !ARCHIVE.test(text.split(/[\s[(<>=~!;]/)[0]!)),
);
const requirements = z.array(requirement).check(z.maxLength(MAX_PACKAGES));

/** Returns the requirements of a text, one per line; empty lines are skipped. */
export const packagesOf = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Returns why a text is no list of packages, or undefined. */
export function packagesProblem(text: string): string | undefined {
  const names = packagesOf(text);
  if (names.length > MAX_PACKAGES) return `may have at most ${MAX_PACKAGES} lines`;
  const { error } = requirements.safeParse(names);
  const at = error?.issues[0]?.path[0];
  return typeof at === 'number'
    ? 'must have one package of PyPI per line, such as psycopg[binary]>=3. Not: ' +
        names[at]!.slice(0, 100)
    : undefined;
}

/** Packages with the dialects that SQLAlchemy does not have. */
const dialects: Readonly<Record<string, string>> = {
  access: 'sqlalchemy-access',
  awsathena: 'PyAthena[SQLAlchemy]',
  bigquery: 'sqlalchemy-bigquery',
  clickhouse: 'clickhouse-sqlalchemy',
  clickhousedb: 'clickhouse-connect',
  cockroachdb: 'sqlalchemy-cockroachdb',
  crate: 'sqlalchemy-cratedb',
  databricks: 'databricks-sqlalchemy',
  db2: 'ibm_db_sa',
  dremio: 'sqlalchemy-dremio',
  druid: 'pydruid[sqlalchemy]',
  duckdb: 'duckdb-engine',
  exa: 'sqlalchemy-exasol',
  firebird: 'sqlalchemy-firebird',
  hana: 'sqlalchemy-hana',
  hive: 'pyhive[hive]',
  ibm_db_sa: 'ibm_db_sa',
  impala: 'impyla',
  kylin: 'kylinpy',
  monetdb: 'sqlalchemy-monetdb',
  pinot: 'pinotdb',
  presto: 'pyhive[presto]',
  redshift: 'sqlalchemy-redshift',
  risingwave: 'sqlalchemy-risingwave',
  snowflake: 'snowflake-sqlalchemy',
  starrocks: 'starrocks',
  teradatasql: 'teradatasqlalchemy',
  trino: 'trino[sqlalchemy]',
  vertica: 'vertica-sqlalchemy-dialect',
};

/** Packages with modules of another name. */
const modules: Readonly<Record<string, string>> = {
  psycopg: 'psycopg[binary]',
  psycopg2: 'psycopg2-binary',
  MySQLdb: 'mysqlclient',
  pymysql: 'PyMySQL',
  mysql: 'mysql-connector-python',
  'mysql.connector': 'mysql-connector-python',
  cx_Oracle: 'oracledb',
};

/** Returns the package with a dialect such as `snowflake`; undefined if it is not known. */
export const packageOfDialect = (name: string): string | undefined =>
  Object.hasOwn(dialects, name) ? dialects[name] : undefined;

/** Returns the package with a Python module. */
export const packageOfModule = (name: string): string =>
  (Object.hasOwn(modules, name) ? modules[name] : undefined) ?? name.split('.')[0]!;
