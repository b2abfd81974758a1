/** Executes parsed statements one at a time. */
import { MetadataError, StatementError } from '../contract.ts';
import { findForms } from '../language/forms.ts';
import { locateSubject } from '../language/locate.ts';
import { parseScript } from '../language/parser.ts';
import type { Statement } from '../language/statements.ts';
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
  showParts,
  showState,
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
    await perform(context, statement, depth);
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

async function perform(
  context: StatementContext,
  statement: Statement,
  depth: number,
): Promise<void> {
  switch (statement.kind) {
    case 'sql':
      return runSqlStatement(context, statement);
    case 'create':
      return runCreate(context, statement);
    case 'createTable':
      return setEngineSchema(context).then(() => createTable(context, statement));
    case 'alterSet':
      return alterSet(context, statement);
    case 'alterAdd':
      return alterAdd(context, statement);
    case 'alterRemove':
      return alterRemove(context, statement);
    case 'resetPassword':
      return resetPassword(context, statement);
    case 'drop':
      return runDrop(context, statement);
    case 'toggle':
      return runToggle(context, statement);
    case 'toggleSchedule':
      return toggleSchedule(context, statement);
    case 'describe':
      return runDescribe(context, statement);
    case 'describeTask':
      return describeTask(context, statement);
    case 'describeSchedule':
      return describeSchedule(context, statement);
    case 'describeResult':
      return runShowResult(context, statement.resultId);
    case 'describeLineage':
      return describeLineage(context, statement);
    case 'list':
      return runList(context, statement);
    case 'listFiles':
      return listFiles(context, statement);
    case 'profile':
      return runProfile(context, statement);
    case 'discover':
      return runDiscover(context, statement);
    case 'use':
      return useObject(context, statement);
    case 'execJob':
      return execJob(context, statement);
    case 'execTask':
      return execTask(context, statement);
    case 'execScript':
      return execScript(context, statement.path, depth);
    case 'cancel':
      return runCancel(context, statement);
    case 'control':
      return runControl(context, statement);
    case 'validate':
      return runValidate(context, statement);
    case 'cache':
      return runCacheTable(context, statement);
    case 'save':
      return saveResult(context, statement);
    case 'copy':
      return copyFileStatement(context, statement);
    case 'export':
      return runExport(context, statement);
    case 'exportFile':
      return exportFile(context, statement);
    case 'showResult':
      return runShowResult(context, statement.resultId);
    case 'showMetrics':
      return showMetrics(context, statement);
    case 'showHistory':
      return showHistory(context, statement);
    case 'showState':
      return showState(context, statement);
    case 'showUsage':
      return showUsage(context, statement);
    case 'showActivity':
      return showActivity(context, statement);
    case 'showSubscriptions':
      return showParts(context, 'subscriptions', statement.job);
    case 'showSchedules':
      return showParts(context, 'schedules', statement.job);
    case 'showPermissions':
      return showPermissions(context, statement);
    case 'showRuns':
      return showRuns(context, statement);
    case 'print':
      return context.emit.text(`${statement.text}\n`);
    case 'grant':
    case 'revoke':
      return runGrant(context, statement);
    case 'grantRole':
    case 'revokeRole':
      return grantRole(context, statement);
    case 'help':
      return help(context, statement.words);
    case 'about':
      return context.emit.text(about);
  }
}

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
