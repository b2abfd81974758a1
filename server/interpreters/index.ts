/** The interpreters of the server, in the order of the default bindings. */

import type { Logger } from '../logging/log.ts';
import { angular } from './angular.ts';
import type { InterpreterSpec } from './contract.ts';
import { duckdb } from './databases/duckdb.ts';
import { mysql } from './databases/mysql.ts';
import { postgresql } from './databases/postgresql.ts';
import { sqlalchemy } from './databases/sqlalchemy.ts';
import { sqlite } from './databases/sqlite.ts';
import { javascript } from './javascript.ts';
import { jupyter } from './kernels/jupyter.ts';
import { kernelInterpreters } from './kernels/kernel-interpreter.ts';
import { findKernelspecs, jupyterFolders } from './kernels/kernelspecs.ts';
import { magpie } from './magpie.ts';
import { markdown } from './markdown.ts';
import { pyspark } from './python/pyspark.ts';
import { python } from './python/python.ts';
import { shell } from './shell.ts';
import { sql } from './sql/sql.ts';

/** All built-in interpreters. Add new ones here. */
export const interpreters: readonly InterpreterSpec[] = [
  sql,
  python,
  markdown,
  javascript,
  angular,
  magpie,
  shell,
  jupyter,
  postgresql,
  mysql,
  sqlite,
  duckdb,
  sqlalchemy,
  pyspark,
];

/**
 * Returns the built-in interpreters, those of the installed Jupyter kernels and those of Zeppelin.
 * @param kernels whether to search for kernels; a list contains further folders to search first
 * @param zeppelin folders with interpreters of Zeppelin
 */
export async function installedInterpreters(
  kernels: boolean | readonly string[],
  zeppelin: readonly string[],
  log: Logger,
): Promise<readonly InterpreterSpec[]> {
  const own = [...interpreters];
  if (kernels !== false) {
    const folders = jupyterFolders(kernels === true ? [] : kernels, process.env);
    const found = await findKernelspecs(folders);
    for (const { folder, reason } of found.broken)
      log.warn({ folder, reason }, 'a Jupyter kernel cannot be used');
    own.push(...kernelInterpreters(found.kernels, interpreters));
  }
  if (zeppelin.length === 0) return own;
  const { findZeppelinGroups } = await import('./zeppelin/catalogue.ts');
  const { zeppelinInterpreters } = await import('./zeppelin/zeppelin-interpreters.ts');
  const { groups, broken } = await findZeppelinGroups(zeppelin);
  for (const { folder, reason } of broken)
    log.warn({ folder, reason }, 'interpreters of Zeppelin cannot be used');
  return [...own, ...zeppelinInterpreters(groups, own)];
}
