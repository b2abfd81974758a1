/**
 * Syntax and description of every statement, for `help` and for error messages that suggest the
 * nearest statement.
 */

import { wordDistance } from '../../base/edit-distance.ts';

interface StatementForm {
  /** The words that it starts with. */
  readonly head: string;
  readonly form: string;
  /** What it does, in one sentence. */
  readonly does: string;
}

const of = (head: string, rest: string, does: string): StatementForm => ({
  head,
  form: rest === '' ? head : `${head} ${rest}`,
  does,
});

export const forms: readonly StatementForm[] = [
  of(
    'create repository',
    '{"name": …}',
    'Creates a repository, which contains data sources, schemas, projects and validation suites.',
  ),
  of(
    'create data source',
    '{"name": …, "sourceType": "file", "rootPath": …} [in repository R]',
    'Creates a data source, from which files or tables are read.',
  ),
  of(
    'create schema',
    '{"name": …} [in repository R]',
    'Creates a schema, which contains tables, streams and sinks.',
  ),
  of(
    'create table',
    '[S.]NAME {…} | [S.]NAME from file "PATH" [{…}] [in data source D] | ' +
      'from url "URL" [{…}] | from sql (QUERY) [{…}] | from result',
    'Creates a table from fields, a file, a URL, a query or the last result. ' +
      'A query with {"dataSourceName": …, "file": {…}, "partitionOptions": {…}} is written to ' +
      'files; {"saveMode": …} determines what it replaces.',
  ),
  of('create temp table', 'NAME from …', 'Creates a table that exists until the session ends.'),
  of(
    'create or replace',
    'table | schema | … …',
    'Creates an object and replaces the one with the same name.',
  ),
  of(
    'create stream',
    '{"name": …, "dataSourceName": …} [in schema S]',
    'Defines a stream. Streams do not run on this server.',
  ),
  of(
    'create sink',
    '{"name": …, "dataSourceName": …} [in schema S]',
    'Defines a sink. Sinks do not run on this server.',
  ),
  of('create project', '{"name": …} [in repository R]', 'Creates a project, which contains jobs.'),
  of(
    'create job',
    '{"name": …, "allowConcurrentRuns": …} [in project P]',
    'Creates a job. Add tasks with "alter job".',
  ),
  of('create cluster', '{"name": …}', 'Not available on this server: its only cluster is local.'),
  of(
    'create organization',
    '{"name": …}',
    'Not available on this server: it has one organization.',
  ),
  of(
    'create role',
    '{"name": …, "description": …}',
    'Creates a role. Grant permissions to the role, and the role to users.',
  ),
  of(
    'create user',
    '{"userName": …, "firstName": …, "lastName": …}',
    'Creates a user of the server. Set the first password with "alter user".',
  ),
  of('create secret', '{"name": …, "value": …}', 'Stores a secret. Its value cannot be read back.'),
  of(
    'create validation suite',
    '{"name": …} [in repository R]',
    'Creates a validation suite. Add validators with "alter validation suite".',
  ),
  of('alter', 'TYPE NAME set {…}', 'Changes an object.'),
  of(
    'alter job',
    'J add [magpie | scala | python | r | script] task {…} with script { … } | ' +
      'sql task {…} with { … } | job task {…} with job K',
    'Adds a task to a job. $$ … $$ can be used instead of { … }.',
  ),
  of(
    'alter job',
    'J add schedule {…} | add subscription {…}',
    'Starts a job on a schedule, or notifies people of its events.',
  ),
  of(
    'alter job',
    'J remove task | schedule | subscription NAME',
    'Removes a task, schedule or subscription from a job.',
  ),
  of(
    'alter cluster',
    'C add schedule {…} | remove schedule NAME',
    'Starts, stops or restarts a cluster on a schedule.',
  ),
  of('alter table', 'T add field {…} | remove field NAME | set {…}', 'Changes a table.'),
  of('alter validation suite', 'S add validator {…} | remove validator NAME', 'Changes a suite.'),
  of('alter user', 'U reset password', 'Sends a link for setting a new password.'),
  of(
    'drop',
    'TYPE [if exists] NAME [cascade] [with delete]',
    'Drops an object; with cascade also the objects in it, with delete also the files behind ' +
      'a table.',
  ),
  of('drop user', '[if exists] U', 'Deletes a user permanently.'),
  of(
    'enable',
    'user U | job J | schedule NAME of J',
    'Allows a user to sign in, a job to start, or a schedule to run.',
  ),
  of('disable', 'user U | job J | schedule NAME of J', 'The opposite of enable.'),
  of('describe', 'TYPE NAME', 'Shows the details of an object.'),
  of('describe task', '[P.]J.T', 'Shows a task.'),
  of('describe schedule', 'NAME of J', 'Shows a schedule of a job or cluster.'),
  of('describe result', '"ID"', 'Shows an exported result.'),
  of('describe lineage', 'of TYPE NAME', 'Shows what an object was made from.'),
  of('list', 'TYPES [in TYPE NAME] [recursive]', 'Lists objects: tables, schemas, jobs, users, …'),
  of(
    'list files',
    '[in data source D] [path "…"] [recursive]',
    'Lists the files of a data source.',
  ),
  of(
    'profile table',
    'T [{"sample": ROWS, "fields": […], "topValues": 10}]',
    'Counts the values of every field.',
  ),
  of('profile schema', 'S', 'Counts the rows of every table.'),
  of('profile sql', '(QUERY) [{…}]', 'Profiles the rows of a query.'),
  of('profile result', '[{…}]', 'Profiles the last result.'),
  of(
    'discover relationships',
    'in schema S | between T and U | from T',
    'Finds fields that refer to fields of other tables. The score is a heuristic.',
  ),
  of(
    'use',
    'repository | schema | project | cluster | data source NAME',
    'Sets where unqualified names are looked up.',
  ),
  of('exec job', 'J [from task T] [blocking]', 'Starts a job. With blocking, waits for its end.'),
  of('exec task', '[P.]J.T', 'Runs one task.'),
  of('exec script', '"PATH"', 'Runs a .magpie file of the current data source.'),
  of('execute', 'job | task | script …', 'The same as exec.'),
  of('cancel job execution', '"ID"', 'Cancels a run.'),
  of('start', 'cluster | stream | sink NAME', 'Starts a cluster.'),
  of('stop', 'cluster | stream | sink NAME', 'Stops a cluster.'),
  of('restart', 'cluster | stream | sink NAME', 'Stops and starts a cluster.'),
  of(
    'validate',
    'table T | schema S with suite V',
    'Checks rows against the validators of a suite.',
  ),
  of('cache table', 'T', 'Stores the rows of a table over files or a query in the engine.'),
  of('uncache table', 'T', 'Reads a cached table from its source again.'),
  of('save result', 'as [temp] table T [{…}]', 'Saves the last result as a table.'),
  of(
    'copy file',
    '"PATH" from url "URL" | data source D to data source E',
    'Copies a file into a data source.',
  ),
  of(
    'export result',
    '[{"format": "DelimitedText" | "JSON" | "Parquet"}]',
    'Exports the last result to a file for download.',
  ),
  of('export table', 'T [{…}]', 'Exports a table to a file for download.'),
  of('export sql', '(QUERY) [{…}]', 'Exports the rows of a query to a file for download.'),
  of('export file', '"PATH" from data source D', 'Offers a file of a data source for download.'),
  of('show result', '["ID"]', 'Shows the last result again, or an exported one.'),
  of('show metrics', 'of job J', 'Shows how long the runs of a job took.'),
  of('show history', 'of job J | of task J.T', 'Shows the runs of a job or task.'),
  of('show state', 'of job J | of cluster C', 'Shows whether a job or cluster is running.'),
  of('show usage', '[of TYPE NAME]', 'Shows who used what.'),
  of('show activity', 'of TYPE NAME', 'Shows the changes made to an object.'),
  of('show subscriptions', 'of job J', 'Shows who is notified about a job.'),
  of('show schedules', 'of job J', 'Shows when a job starts.'),
  of('show permissions', '[of user U | of role R | of organization O]', 'Shows permissions.'),
  of('show runs', 'of suite S', 'Shows the runs of a validation suite.'),
  of('print', '"TEXT"', 'Prints a text.'),
  of(
    'grant',
    'PERMISSION on TYPE NAME to user U | role R | organization O',
    'Grants a permission: admin, developer, execute, create, write, read, use, lineage.',
  ),
  of('grant role', 'R to user U', 'Gives a user the permissions of a role.'),
  of('grant accesstoken', 'on organization O to user U', 'Allows a user to create access tokens.'),
  of(
    'revoke',
    'PERMISSION on TYPE NAME from user U | role R | organization O',
    'Revokes a permission.',
  ),
  of('revoke role', 'R from user U', 'Revokes a role from a user.'),
  of('help', '[WORDS]', 'Shows the syntax of statements.'),
  of('about', '', 'Describes the command language.'),
  of('select', '…', 'Runs a query. Queries may also start with "with" or "values".'),
  of('insert into', 'T …', 'Inserts rows into a table.'),
  of('update', 'T set … where …', 'Updates rows of a table.'),
  of('delete from', 'T where …', 'Deletes rows of a table.'),
];

/**
 * Statements that start with these words. If there are none, statements that contain all of them.
 * All statements if there are no words.
 */
export function findForms(words: string): readonly StatementForm[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return forms;
  const begins = forms.filter(({ head }) =>
    wanted.every((word, index) => head.split(' ')[index] === word),
  );
  if (begins.length > 0) return begins;
  return forms.filter(({ form }) =>
    wanted.every((word) =>
      form
        .toLowerCase()
        .split(/[^\p{L}]+/u)
        .includes(word),
    ),
  );
}

/** The statement most similar to these words. Compares its first words, then the others. */
export function nearestForm(words: readonly string[]): StatementForm {
  const cost = ({ head, form }: StatementForm): number => {
    const own = head.split(' ');
    const inside = form.toLowerCase().split(/[^\p{L}]+/u);
    const begin = own
      .slice(0, 3)
      .reduce(
        (sum, word, index) =>
          sum + (wordDistance(words[index] ?? '', word) - 0.5) * (index === 0 ? 10 : 1),
        0,
      );
    return begin - words.slice(own.length).filter((word) => inside.includes(word)).length / 10;
  };
  return forms.reduce((best, form) => (cost(form) < cost(best) ? form : best));
}

/** Whether a statement starts with a similar word, so that it may be meant. */
export const isSimilar = ([first = '']: readonly string[]): boolean =>
  forms.some(({ head }) => wordDistance(first, head.split(' ')[0]!) <= 0.5);
