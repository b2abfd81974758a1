/** Carries statements out, one after another. */
import { MetadataError, StatementError } from '../contract.ts';
import { formsOf } from '../language/forms.ts';
import { parse } from '../language/parser.ts';
import type { Statement } from '../language/statements.ts';
import { alterSet, toggle, toggleSchedule } from './alter.ts';
import { discover, profile, showRuns, validate } from './analyse.ts';
import type { Context } from './context.ts';
import { create } from './create.ts';
import { describe, describeSchedule, describeTask } from './describe.ts';
import { drop } from './drop.ts';
import { grant, grantRole, showActivity, showPermissions, showUsage } from './grants.ts';
import {
  cancel,
  control,
  execJob,
  execTask,
  scriptOf,
  showHistory,
  showMetrics,
  showParts,
  showState,
} from './job-statements.ts';
import { describeLineage } from './lineage.ts';
import { list, listFiles, useObject } from './look.ts';
import { createTable } from './make-table.ts';
import { alterAdd, alterRemove } from './parts.ts';
import { cache, copy, exportFile, exportSource, save, showResult } from './results.ts';
import { lookIn, sql } from './sql.ts';
import { logUses } from './uses.ts';
import { resetPassword } from './users.ts';

/** Scripts that scripts run. */
const MAX_NESTED = 8;

/**
 * Carries out one statement. Throws {@link StatementError} with the statement's place; engine and catalogue are then as before it.
 * Whatever it used is logged, also where it failed.
 */
export async function carryOut(given: Context, statement: Statement, depth = 0): Promise<void> {
  // The statement before may have gone to another repository.
  const context: Context = { ...given, engine: await given.session.engine() };
  context.uses.length = 0;
  try {
    await perform(context, statement, depth);
    logUses(context, true);
  } catch (error) {
    if (!context.run.signal.aborted) logUses(context, false);
    if (error instanceof StatementError && !error.place)
      throw new StatementError(error.code, error.message, statement.place);
    throw error;
  } finally {
    await context.session.release();
  }
}

async function perform(context: Context, statement: Statement, depth: number): Promise<void> {
  switch (statement.kind) {
    case 'sql':
      return sql(context, statement);
    case 'create':
      return create(context, statement);
    case 'createTable':
      return lookIn(context).then(() => createTable(context, statement));
    case 'alterSet':
      return alterSet(context, statement);
    case 'alterAdd':
      return alterAdd(context, statement);
    case 'alterRemove':
      return alterRemove(context, statement);
    case 'resetPassword':
      return resetPassword(context, statement);
    case 'drop':
      return drop(context, statement);
    case 'toggle':
      return toggle(context, statement);
    case 'toggleSchedule':
      return toggleSchedule(context, statement);
    case 'describe':
      return describe(context, statement);
    case 'describeTask':
      return describeTask(context, statement);
    case 'describeSchedule':
      return describeSchedule(context, statement);
    case 'describeResult':
      return showResult(context, statement.resultId);
    case 'describeLineage':
      return describeLineage(context, statement);
    case 'list':
      return list(context, statement);
    case 'listFiles':
      return listFiles(context, statement);
    case 'profile':
      return profile(context, statement);
    case 'discover':
      return discover(context, statement);
    case 'use':
      return useObject(context, statement);
    case 'execJob':
      return execJob(context, statement);
    case 'execTask':
      return execTask(context, statement);
    case 'execScript':
      return execScript(context, statement.path, depth);
    case 'cancel':
      return cancel(context, statement);
    case 'control':
      return control(context, statement);
    case 'validate':
      return validate(context, statement);
    case 'cache':
      return cache(context, statement);
    case 'save':
      return save(context, statement);
    case 'copy':
      return copy(context, statement);
    case 'export':
      return exportSource(context, statement);
    case 'exportFile':
      return exportFile(context, statement);
    case 'showResult':
      return showResult(context, statement.resultId);
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
      return grant(context, statement);
    case 'grantRole':
    case 'revokeRole':
      return grantRole(context, statement);
    case 'help':
      return help(context, statement.words);
    case 'about':
      return context.emit.text(about);
  }
}

async function execScript(context: Context, path: string, depth: number): Promise<void> {
  if (depth >= MAX_NESTED)
    throw new MetadataError(`Scripts run scripts at most ${MAX_NESTED} levels deep.`);
  const text = await scriptOf(context, path);
  logUses(context, true);
  try {
    for (const statement of parse(text)) {
      context.run.signal.throwIfAborted();
      await carryOut(context, statement, depth + 1);
    }
  } catch (error) {
    if (error instanceof StatementError)
      throw new StatementError(
        error.code,
        `In ${path}${error.place ? `, line ${error.place.line}, column ${error.place.column}` : ''}: ${error.message}`,
      );
    throw error;
  } finally {
    context.uses.length = 0;
  }
}

function help(context: Context, words: string): void {
  const found = formsOf(words);
  if (found.length === 0)
    throw new MetadataError(`No statement has "${words}"; "help" alone shows all of them.`);
  if (found.length === 1) return context.emit.text(`${found[0]!.form}\n  ${found[0]!.does}\n`);
  context.emit.table(
    ['statement', 'what it does'],
    found.map(({ form, does }) => [form, does]),
  );
}

const about = `%magpie: the command language of this server, on an embedded engine (DuckDB, whose SQL it speaks) and a catalogue that is stored with the server's data.
What one machine cannot do - other clusters and organizations, streams and sinks that run, databases over JDBC, files of ORC and S3 - answers that it is not available on this server.
"help" shows all statements, "help create table" one of them.
`;
