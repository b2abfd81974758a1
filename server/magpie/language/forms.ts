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

/** What each statement does, by its form. A colon ends the words that the statement starts with. */
const descriptions: Readonly<Record<string, string>> = {
  'create repository: {"name": …}':
    'Creates a repository, which contains data sources, schemas, projects and validation suites.',
  'create data source: {"name": …, "sourceType": "file", "rootPath": …} [in repository R]':
    'Creates a data source, from which files or tables are read.',
  'create schema: {"name": …} [in repository R]':
    'Creates a schema, which contains tables, streams and sinks.',
  ['create table: [S.]NAME {…} | [S.]NAME from file "PATH" [{…}] [in data source D] | from ' +
    'url "URL" [{…}] | from sql (QUERY) [{…}] | from result']:
    'Creates a table from fields, a file, a URL, a query or the last result. A query with ' +
    '{"dataSourceName": …, "file": {…}, "partitionOptions": {…}} is written to files; ' +
    '{"saveMode": …} determines what it replaces.',
  'create temp table: NAME from …': 'Creates a table that exists until the session ends.',
  'create or replace: table | schema | … …':
    'Creates an object and replaces the one with the same name.',
  'create stream: {"name": …, "dataSourceName": …} [in schema S]':
    'Defines a stream. Streams do not run on this server.',
  'create sink: {"name": …, "dataSourceName": …} [in schema S]':
    'Defines a sink. Sinks do not run on this server.',
  'create project: {"name": …} [in repository R]': 'Creates a project, which contains jobs.',
  'create job: {"name": …, "allowConcurrentRuns": …} [in project P]':
    'Creates a job. Add tasks with "alter job".',
  'create cluster: {"name": …}': 'Not available on this server: its only cluster is local.',
  'create organization: {"name": …}': 'Not available on this server: it has one organization.',
  'create role: {"name": …, "description": …}':
    'Creates a role. Grant permissions to the role, and the role to users.',
  'create user: {"userName": …, "firstName": …, "lastName": …}':
    'Creates a user of the server. Set the first password with "alter user".',
  'create secret: {"name": …, "value": …}': 'Stores a secret. Its value cannot be read back.',
  'create validation suite: {"name": …} [in repository R]':
    'Creates a validation suite. Add validators with "alter validation suite".',
  'alter: TYPE NAME set {…}': 'Changes an object.',
  ['alter job: J add [magpie | scala | python | r | script] task {…} with script { … } | sql ' +
    'task {…} with { … } | job task {…} with job K']:
    'Adds a task to a job. $$ … $$ can be used instead of { … }.',
  'alter job: J add schedule {…} | add subscription {…}':
    'Starts a job on a schedule, or notifies people of its events.',
  'alter job: J remove task | schedule | subscription NAME':
    'Removes a task, schedule or subscription from a job.',
  'alter cluster: C add schedule {…} | remove schedule NAME':
    'Starts, stops or restarts a cluster on a schedule.',
  'alter table: T add field {…} | remove field NAME | set {…}': 'Changes a table.',
  'alter validation suite: S add validator {…} | remove validator NAME': 'Changes a suite.',
  'alter user: U reset password': 'Sends a link for setting a new password.',
  'drop: TYPE [if exists] NAME [cascade] [with delete]':
    'Drops an object; with cascade also the objects in it, with delete also the files behind a ' +
    'table.',
  'drop user: [if exists] U': 'Deletes a user permanently.',
  'enable: user U | job J | schedule NAME of J':
    'Allows a user to sign in, a job to start, or a schedule to run.',
  'disable: user U | job J | schedule NAME of J': 'The opposite of enable.',
  'describe: TYPE NAME': 'Shows the details of an object.',
  'describe task: [P.]J.T': 'Shows a task.',
  'describe schedule: NAME of J': 'Shows a schedule of a job or cluster.',
  'describe result: "ID"': 'Shows an exported result.',
  'describe lineage: of TYPE NAME': 'Shows what an object was made from.',
  'list: TYPES [in TYPE NAME] [recursive]': 'Lists objects: tables, schemas, jobs, users, …',
  'list files: [in data source D] [path "…"] [recursive]': 'Lists the files of a data source.',
  'profile table: T [{"sample": ROWS, "fields": […], "topValues": 10}]':
    'Counts the values of every field.',
  'profile schema: S': 'Counts the rows of every table.',
  'profile sql: (QUERY) [{…}]': 'Profiles the rows of a query.',
  'profile result: [{…}]': 'Profiles the last result.',
  'discover relationships: in schema S | between T and U | from T':
    'Finds fields that refer to fields of other tables. The score is a heuristic.',
  'use: repository | schema | project | cluster | data source NAME':
    'Sets where unqualified names are looked up.',
  'exec job: J [from task T] [blocking]': 'Starts a job. With blocking, waits for its end.',
  'exec task: [P.]J.T': 'Runs one task.',
  'exec script: "PATH"': 'Runs a .magpie file of the current data source.',
  'execute: job | task | script …': 'The same as exec.',
  'cancel job execution: "ID"': 'Cancels a run.',
  'start: cluster | stream | sink NAME': 'Starts a cluster.',
  'stop: cluster | stream | sink NAME': 'Stops a cluster.',
  'restart: cluster | stream | sink NAME': 'Stops and starts a cluster.',
  'validate: table T | schema S with suite V': 'Checks rows against the validators of a suite.',
  'cache table: T': 'Stores the rows of a table over files or a query in the engine.',
  'uncache table: T': 'Reads a cached table from its source again.',
  'save result: as [temp] table T [{…}]': 'Saves the last result as a table.',
  'copy file: "PATH" from url "URL" | data source D to data source E':
    'Copies a file into a data source.',
  'export result: [{"format": "DelimitedText" | "JSON" | "Parquet"}]':
    'Exports the last result to a file for download.',
  'export table: T [{…}]': 'Exports a table to a file for download.',
  'export sql: (QUERY) [{…}]': 'Exports the rows of a query to a file for download.',
  'export file: "PATH" from data source D': 'Offers a file of a data source for download.',
  'show result: ["ID"]': 'Shows the last result again, or an exported one.',
  'show metrics: of job J': 'Shows how long the runs of a job took.',
  'show history: of job J | of task J.T': 'Shows the runs of a job or task.',
  'show state: of job J | of cluster C': 'Shows whether a job or cluster is running.',
  'show usage: [of TYPE NAME]': 'Shows who used what.',
  'show activity: of TYPE NAME': 'Shows the changes made to an object.',
  'show subscriptions: of job J': 'Shows who is notified about a job.',
  'show schedules: of job J': 'Shows when a job starts.',
  'show permissions: [of user U | of role R | of organization O]': 'Shows permissions.',
  'show runs: of suite S': 'Shows the runs of a validation suite.',
  'print: "TEXT"': 'Prints a text.',
  'grant: PERMISSION on TYPE NAME to user U | role R | organization O':
    'Grants a permission: admin, developer, execute, create, write, read, use, lineage.',
  'grant role: R to user U': 'Gives a user the permissions of a role.',
  'grant accesstoken: on organization O to user U': 'Allows a user to create access tokens.',
  'revoke: PERMISSION on TYPE NAME from user U | role R | organization O': 'Revokes a permission.',
  'revoke role: R from user U': 'Revokes a role from a user.',
  'help: [WORDS]': 'Shows the syntax of statements.',
  about: 'Describes the command language.',
  'select: …': 'Runs a query. Queries may also start with "with" or "values".',
  'insert into: T …': 'Inserts rows into a table.',
  'update: T set … where …': 'Updates rows of a table.',
  'delete from: T where …': 'Deletes rows of a table.',
};

export const forms: readonly StatementForm[] = Object.entries(descriptions).map(([words, does]) => {
  const [, head = words, rest] = /^([^:]*): (.*)$/.exec(words) ?? [];
  return { head, form: rest === undefined ? head : `${head} ${rest}`, does };
});

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
