/**
 * `npm run test:engines`: tests interpreters on the real servers of this machine, and prints a
 * table of what ran and what was skipped. Arguments choose some, such as
 * `npm run test:engines -- postgresql`. The tests of pages need a build (`npm run build`).
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { install } from './install.mjs';
import { downloads, folderOf, mariadb, postgres, pyspark } from './test/engine-programs.mjs';
import { endAll, endOnSignals, runNode } from './test/processes.mjs';
import { pythonWith } from './test/python-packages.mjs';
import { namesToRun, printRows, secondsSince } from './test/rows.mjs';

/** Time limit of each row, in ms, unless it has its own. */
const LIMIT_MS = 300_000;
const root = join(import.meta.dirname, '..');
process.chdir(root);

const hasBuild = existsSync('server/dist/web');
const openssl = folderOf('openssl', '');

/** A Jupyter server and a kernel of bash, from PyPI. */
const jupyter = {
  ...downloads,
  variable: 'TIDING_TEST_JUPYTER',
  prepare: () =>
    pythonWith(
      'jupyter',
      ['jupyter-server>=2,<3', 'ipykernel>=6.29,<8', 'bash_kernel>=0.9,<1'],
      'import jupyter_server, ipykernel, bash_kernel',
    ).python,
};

/** The notes are not part of the sources. */
const zeppelinNotes = {
  folder: process.env.TIDING_TEST_ZEPPELIN_NOTES,
  variable: 'TIDING_TEST_ZEPPELIN_NOTES',
  missing: 'no notes: set TIDING_TEST_ZEPPELIN_NOTES to the folder notebook of a Zeppelin',
};

/** Folders of Jupyter with the kernel of R. */
const r = {
  folder: [
    process.env.TIDING_TEST_R,
    '/usr/share/jupyter',
    '/usr/local/share/jupyter',
    join(homedir(), '.local/share/jupyter'),
  ].find((folder) => folder && existsSync(join(folder, 'kernels/ir'))),
  variable: 'TIDING_TEST_R',
  missing: 'no kernel of R: install r-cran-irkernel, or set TIDING_TEST_R to a folder of Jupyter',
};

/** Maven downloads the interpreters at the first time. */
const zeppelinInterpreters = {
  folder: folderOf('mvn', 'TIDING_TEST_MAVEN'),
  variable: 'TIDING_TEST_MAVEN',
  missing: "no mvn: install Java and Maven, which download Zeppelin's interpreters",
};

/**
 * Each row: what it does, its file (default: that of its name), the server that it needs, others
 * that it uses, and whether it needs a build.
 */
const rows = {
  postgresql: {
    about: 'PostgreSQL: results, sessions, limits, errors, cancel, completion',
    server: postgres,
  },
  'postgresql-users': {
    about: 'PostgreSQL: several users with their own logins',
    server: postgres,
  },
  'postgresql-page': {
    about: 'PostgreSQL on the page: setting, table, cancel, large results',
    server: postgres,
    isPage: true,
  },
  'postgresql-connections': {
    about: 'PostgreSQL: tests of connections, tables, previews',
    server: postgres,
  },
  'connections-page': {
    about: 'PostgreSQL on the page of connections',
    server: postgres,
    isPage: true,
  },
  values: {
    about: 'values of databases and Spark on the page, in charts, filters, files and clients',
    file: 'test/e2e/values.test.ts',
    others: [postgres, mariadb, pyspark],
    isPage: true,
    limit: 3 * LIMIT_MS,
  },
  mariadb: {
    about: 'MariaDB: results, sessions, limits, errors, cancel, completion',
    server: mariadb,
  },
  'mariadb-connections': {
    about: 'MariaDB: tests of connections, tables, previews',
    server: mariadb,
  },
  sqlalchemy: {
    about: 'SQLAlchemy: files of SQLite and DuckDB, environments with packages from PyPI',
    file: 'test/engines/sqlalchemy/files.test.ts',
    server: downloads,
  },
  'sqlalchemy-page': {
    about: 'SQLAlchemy on the page: form, installation, tables, a paragraph',
    file: 'test/engines/sqlalchemy/page.test.ts',
    server: downloads,
    isPage: true,
  },
  'sqlalchemy-postgresql': {
    about: 'SQLAlchemy with PostgreSQL: types, sessions, limits, errors, cancel',
    file: 'test/engines/sqlalchemy/postgresql.test.ts',
    server: postgres,
  },
  'sqlalchemy-mariadb': {
    about: 'SQLAlchemy with MariaDB: types, limits, cancel, read only',
    file: 'test/engines/sqlalchemy/mariadb.test.ts',
    server: mariadb,
  },
  r: {
    about: 'R: variables of its Jupyter kernel',
    server: r,
  },
  ipywidgets: {
    about: 'ipywidgets from PyPI on the page: controls, callbacks, two pages, the end of a kernel',
    server: downloads,
    isPage: true,
  },
  'spark-page': {
    about: 'PySpark from PyPI on the page: a session, tables, progress, links, cancel',
    server: pyspark,
    isPage: true,
  },
  'spark-scala': {
    about: 'Scala in Spark: values, output, errors, classes, tables, cancel, %spark.conf',
    server: pyspark,
  },
  'spark-connect': {
    about: 'PySpark with a real server of Spark Connect: tables, errors, progress, cancel',
    server: pyspark,
  },
  jupyter: {
    about: 'kernels of a Jupyter server: output, questions, cancel, lost connections, widgets',
    file: 'server/interpreters/kernels/remote-kernel.test.ts',
    server: jupyter,
  },
  'engines-page': {
    about:
      'database files on the page, and if found: MariaDB, a Jupyter server, kernels of bash and R',
    others: [mariadb, jupyter],
    isPage: true,
  },
  'zeppelin-tutorials': {
    about: 'the notes that come with Zeppelin: each paragraph runs or says what it needs',
    server: zeppelinNotes,
  },
  'zeppelin-interpreters': {
    about: "Zeppelin's interpreters: Markdown, Kotlin, Python; JDBC with TIDING_TEST_ZEPPELIN",
    server: zeppelinInterpreters,
    others: [postgres],
  },
  'zeppelin-interpreters-page': {
    about: "Zeppelin's interpreters on the page: output, cancel, restart",
    server: zeppelinInterpreters,
    isPage: true,
  },
};

const names = namesToRun(rows, process.argv.slice(2));
endOnSignals();
install(console.log);

/** Why tests can't use a server; undefined if they can. */
const problemOf = (server) =>
  !server.folder
    ? server.missing
    : [postgres, mariadb].includes(server) && !openssl
      ? 'no openssl, which makes the certificate of the server'
      : undefined;

const table = [];
for (const name of names) {
  const { about, file = `test/engines/${name}.test.ts`, limit = LIMIT_MS } = rows[name];
  const { isPage, server, others = [] } = rows[name];
  const reason =
    (server && problemOf(server)) ??
    (isPage && !hasBuild ? 'no build: run npm run build' : undefined);
  if (reason !== undefined) {
    table.push([name, 'skipped', '', reason]);
    continue;
  }
  console.log(`\n— ${name}: ${about}`);
  const servers = [server, ...others].filter((each) => each && problemOf(each) === undefined);
  let env;
  try {
    env = Object.fromEntries(
      servers.map(({ folder, prepare, variable }) => [variable, prepare?.() ?? folder]),
    );
  } catch (error) {
    table.push([name, 'FAILED', '', error.message]);
    continue;
  }
  const startedAt = Date.now();
  const program = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', file, '--retry=0'];
  let ending;
  const late = setTimeout(() => {
    console.error(`test:engines: ${name} takes longer than ${limit / 1_000} s.`);
    ending = endAll();
  }, limit);
  const { code } = await runNode(program, { cwd: root, env });
  clearTimeout(late);
  // It would end the next one as well.
  await ending;
  table.push([name, code === 0 ? 'passed' : 'FAILED', secondsSince(startedAt), about]);
}
await endAll();
process.exit(printRows(table));
