/** The interpreters of the server, in the order of the default bindings. */
import type { InterpreterSpec } from './contract.ts';
import { angular } from './angular.ts';
import { javascript } from './javascript.ts';
import { magpie } from './magpie.ts';
import { markdown } from './markdown.ts';
import { python } from './python.ts';
import { shell } from './shell.ts';
import { sql } from './sql.ts';

/** All interpreters; a new one is a file of its own and an entry here. */
export const interpreters: readonly InterpreterSpec[] = [
  sql,
  python,
  markdown,
  javascript,
  angular,
  magpie,
  shell,
];
