/** The interpreters of the server, in the order of the default bindings. */

import { angular } from './angular.ts';
import type { InterpreterSpec } from './contract.ts';
import { javascript } from './javascript.ts';
import { magpie } from './magpie.ts';
import { markdown } from './markdown.ts';
import { python } from './python/python.ts';
import { shell } from './shell.ts';
import { sql } from './sql/sql.ts';

/** All interpreters. Add new ones here. */
export const interpreters: readonly InterpreterSpec[] = [
  sql,
  python,
  markdown,
  javascript,
  angular,
  magpie,
  shell,
];
