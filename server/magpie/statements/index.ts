/** Executes parsed statements one at a time. */
import { MetadataError, StatementError } from '../contract.ts';
import { findForms } from '../language/forms.ts';
import { locateSubject } from '../language/locate.ts';
import { parseScript } from '../language/parser.ts';
import type { Statement, StatementOf } from '../language/statements.ts';
import { runDiscover, runProfile, runValidate, showRuns } from './analyse.ts';
import type { StatementContext } from './context.ts';
import {
  execJob,
  execTask,
  runCancel,
  runControl,
  scriptOf,
  showHistory,
  showMetrics,
  showSchedules,
  showState,
  showSubscriptions,
} from './jobs/job-statements.ts';
import { alterSet, runToggle, toggleSchedule } from './objects/alter.ts';
import { alterAdd, alterRemove } from './objects/alter-parts.ts';
import { runCreate } from './objects/create.ts';
import { describeSchedule, describeTask, runDescribe } from './objects/describe.ts';
import { runDrop } from './objects/drop.ts';
import { describeLineage } from './objects/lineage.ts';
import { listFiles, runList, useObject } from './objects/list.ts';
import { logUses } from './resolve-and-record.ts';
import {
  grantRole,
  runGrant,
  showActivity,
  showPermissions,
  showUsage,
} from './security/grants.ts';
import { resetPassword } from './security/users.ts';
import { createTable } from './tables/create-table.ts';
import {
  copyFileStatement,
  exportFile,
  runCacheTable,
  runExport,
  runShowResult,
  saveResult,
} from './tables/results.ts';
import { runSqlStatement, setEngineSchema } from './tables/sql.ts';

/** Maximum depth of scripts that run other scripts. */
const MAX_NESTED = 8;

/**
 * Executes one statement of a script. On failure, throws {@link StatementError} with the location
 * of what is wrong and leaves the engine and catalogue unchanged. Object uses are logged even if
 * the statement fails.
 */
export async function carryOut(
  given: StatementContext,
  script: string,
  statement: Statement,
  depth = 0,
): Promise<void> {
  // The previous statement may have switched to another repository.
  const context: StatementContext = { ...given, engine: await given.session.engine() };
  context.uses.length = 0;
  try {
    const run = runners[statement.kind] as Runner<Statement['kind']>;
    await run(context, statement, depth);
    logUses(context, true);
  } catch (error) {
    if (!context.run.signal.aborted) logUses(context, false);
    if (!(error instanceof StatementError) || error.location) throw error;
    const { code, message, subject } = error;
    const at = subject && locateSubject(script, statement.location, subject);
    throw new StatementError(code, message, at ?? statement.location);
  } finally {
    await context.session.release();
  }
}

type Runner<Kind extends Statement['kind']> = (
  context: StatementContext,
  statement: StatementOf<Kind>,
  depth: number,
) => Promise<void> | void;

/** What executes the statements of each kind, in a script at a depth among nested ones. */
const runners: { readonly [Kind in Statement['kind']]: Runner<Kind> } = {
  sql: runSqlStatement,
  create: runCreate,
  createTable: (context, statement) =>
    setEngineSchema(context).then(() => createTable(context, statement)),
  alterSet,
  alterAdd,
  alterRemove,
  resetPassword,
  drop: runDrop,
  toggle: runToggle,
  toggleSchedule,
  describe: runDescribe,
  describeTask,
  describeSchedule,
  describeResult: runShowResult,
  describeLineage,
  list: runList,
  listFiles,
  profile: runProfile,
  discover: runDiscover,
  use: useObject,
  execJob,
  execTask,
  execScript: (context, { path }, depth) => execScript(context, path, depth),
  cancel: runCancel,
  control: runControl,
  validate: runValidate,
  cache: runCacheTable,
  save: saveResult,
  copy: copyFileStatement,
  export: runExport,
  exportFile,
  showResult: runShowResult,
  showMetrics,
  showHistory,
  showState,
  showUsage,
  showActivity,
  showSubscriptions,
  showSchedules,
  showPermissions,
  showRuns,
  print: (context, { text }) => context.emit.text(`${text}\n`),
  grant: runGrant,
  revoke: runGrant,
  grantRole,
  revokeRole: grantRole,
  help: (context, { words }) => help(context, words),
  about: (context) => context.emit.text(about),
};

async function execScript(context: StatementContext, path: string, depth: number): Promise<void> {
  if (depth >= MAX_NESTED)
    throw new MetadataError(`Scripts can be nested at most ${MAX_NESTED} levels deep.`);
  const text = await scriptOf(context, path);
  logUses(context, true);
  try {
    for (const statement of parseScript(text)) {
      context.run.signal.throwIfAborted();
      await carryOut(context, text, statement, depth + 1);
    }
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    const { code, location, message } = error;
    const at = location ? `, line ${location.line}, column ${location.column}` : '';
    throw new StatementError(code, `In ${path}${at}: ${message}`);
  } finally {
    context.uses.length = 0;
  }
}

function help(context: StatementContext, words: string): void {
  const found = findForms(words);
  if (found.length === 0)
    throw new MetadataError(
      `No statement contains "${words}". Run "help" for a list of all statements.`,
    );
  if (found.length === 1) return context.emit.text(`${found[0]!.form}\n  ${found[0]!.does}\n`);
  context.emit.table(
    ['statement', 'what it does'],
    found.map(({ form, does }) => [form, does]),
  );
}

const about = [
  '%magpie: the command language of this server, on an embedded engine (DuckDB, whose SQL it ' +
    "speaks) and a catalogue that is stored with the server's data.",
  'These are not available on this server: more clusters and organizations, running streams and ' +
    'sinks, JDBC databases, ORC files and S3.',
  '"help" lists all statements; "help create table" explains one.',
  '',
].join('\n');
