/** How every statement looks and what it does: for help, and for errors that name the nearest one. */

/** A statement as it is written. */
export interface Form {
  /** What it begins with. */
  readonly head: string;
  readonly form: string;
  /** What it does, in a sentence. */
  readonly does: string;
}

const of = (head: string, rest: string, does: string): Form => ({
  head,
  form: rest === '' ? head : `${head} ${rest}`,
  does,
});

/** All statements. */
export const forms: readonly Form[] = [
  of(
    'create repository',
    '{"name": …}',
    'Makes a repository; its parts are data sources, schemas, projects and validation suites.',
  ),
  of(
    'create data source',
    '{"name": …, "sourceType": "file", "rootPath": …} [in repository R]',
    'Makes a place that files or tables are read from.',
  ),
  of(
    'create schema',
    '{"name": …} [in repository R]',
    'Makes a schema, which holds tables, streams and sinks.',
  ),
  of(
    'create table',
    '[S.]NAME {…} | [S.]NAME from file "PATH" [{…}] [in data source D] | from url "URL" [{…}] | from sql (QUERY) [{…}] | from result',
    'Makes a table, of fields or from a file, an address, a query or the last result. A query with {"dataSourceName": …, "file": {…}, "partitionOptions": {…}} is written to files, {"saveMode": …} says what it replaces.',
  ),
  of('create temp table', 'NAME from …', 'Makes a table that lasts as long as the session.'),
  of(
    'create or replace',
    'table | schema | … …',
    'Makes an object, in the place of the one that has its name.',
  ),
  of(
    'create stream',
    '{"name": …, "dataSourceName": …} [in schema S]',
    'Describes a stream. Streams do not run on this server.',
  ),
  of(
    'create sink',
    '{"name": …, "dataSourceName": …} [in schema S]',
    'Describes a sink. Sinks do not run on this server.',
  ),
  of('create project', '{"name": …} [in repository R]', 'Makes a project, which holds jobs.'),
  of(
    'create job',
    '{"name": …, "allowConcurrentRuns": …} [in project P]',
    'Makes a job; tasks are added to it.',
  ),
  of(
    'create cluster',
    '{"name": …}',
    'Not available on this server: it has the one cluster local.',
  ),
  of(
    'create organization',
    '{"name": …}',
    'Not available on this server: it has one organization.',
  ),
  of(
    'create role',
    '{"name": …, "description": …}',
    'Makes a role, which is granted permissions and is granted to users.',
  ),
  of(
    'create user',
    '{"userName": …, "firstName": …, "lastName": …}',
    'Makes a user of the server; a first password comes by a reset.',
  ),
  of('create secret', '{"name": …, "value": …}', 'Stores a secret, which nobody reads back.'),
  of(
    'create validation suite',
    '{"name": …} [in repository R]',
    'Makes a suite; validators are added to it.',
  ),
  of('alter', 'TYPE NAME set {…}', 'Changes an object.'),
  of(
    'alter job',
    'J add [magpie | scala | python | r | script] task {…} with script { … } | sql task {…} with { … } | job task {…} with job K',
    'Adds a task to a job. $$ … $$ may stand for { … }.',
  ),
  of(
    'alter job',
    'J add schedule {…} | add subscription {…}',
    'Starts a job by time, or tells people of its end.',
  ),
  of('alter job', 'J remove task | schedule | subscription NAME', 'Takes a part away from a job.'),
  of(
    'alter cluster',
    'C add schedule {…} | remove schedule NAME',
    'Starts, stops or restarts a cluster by time.',
  ),
  of('alter table', 'T add field {…} | remove field NAME | set {…}', 'Changes a table.'),
  of('alter validation suite', 'S add validator {…} | remove validator NAME', 'Changes a suite.'),
  of('alter user', 'U reset password', 'Sends a link that sets a new password.'),
  of(
    'drop',
    'TYPE [if exists] NAME [cascade] [with delete]',
    'Removes an object; with cascade also what it holds, with delete also the file behind a table.',
  ),
  of('drop user', '[if exists] U', 'Removes a user for good.'),
  of(
    'enable',
    'user U | job J | schedule NAME of J',
    'Lets a user sign in, a job start, a schedule act.',
  ),
  of('disable', 'user U | job J | schedule NAME of J', 'The opposite of enable.'),
  of('describe', 'TYPE NAME', 'Shows all there is to know of an object.'),
  of('describe task', '[P.]J.T', 'Shows a task.'),
  of('describe schedule', 'NAME of J', 'Shows a schedule of a job or cluster.'),
  of('describe result', '"ID"', 'Shows an exported result.'),
  of('describe lineage', 'of TYPE NAME', 'Shows what an object was made of.'),
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
  of('profile sql', '(QUERY) [{…}]', 'Profiles what a query answers.'),
  of('profile result', '[{…}]', 'Profiles the last result.'),
  of(
    'discover relationships',
    'in schema S | between T and U | from T',
    'Looks for fields that refer to fields of other tables. The score is a heuristic.',
  ),
  of(
    'use',
    'repository | schema | project | cluster | data source NAME',
    'Sets what names are looked up in.',
  ),
  of('exec job', 'J [from task T] [blocking]', 'Starts a job; blocking waits for its end.'),
  of('exec task', '[P.]J.T', 'Runs one task.'),
  of('exec script', '"PATH"', 'Runs a .magpie file of the current data source.'),
  of('execute', 'job | task | script …', 'The same as exec.'),
  of('cancel job execution', '"ID"', 'Ends a run.'),
  of('start', 'cluster | stream | sink NAME', 'Starts a cluster.'),
  of('stop', 'cluster | stream | sink NAME', 'Stops a cluster.'),
  of('restart', 'cluster | stream | sink NAME', 'Stops a cluster and starts it.'),
  of(
    'validate',
    'table T | schema S with suite V',
    'Checks rows against the validators of a suite.',
  ),
  of('cache table', 'T', 'Holds the rows of a table over a file in the engine.'),
  of('uncache table', 'T', 'Reads a table from its file again.'),
  of('save result', 'as [temp] table T [{…}]', 'Makes a table of the last result.'),
  of(
    'copy file',
    '"PATH" from url "URL" | data source D to data source E',
    'Copies a file into a data source.',
  ),
  of(
    'export result',
    '[{"format": "DelimitedText" | "JSON"}]',
    'Makes a file of the last result for download.',
  ),
  of('export table', 'T [{…}]', 'Makes a file of a table for download.'),
  of('export sql', '(QUERY) [{…}]', 'Makes a file of what a query answers.'),
  of('export file', '"PATH" from data source D', 'Offers a file of a data source for download.'),
  of('show result', '["ID"]', 'Shows the last result again, or an exported one.'),
  of('show metrics', 'of job J', 'Shows how long the runs of a job took.'),
  of('show history', 'of job J | of task J.T', 'Shows the runs of a job or task.'),
  of('show state', 'of job J | of cluster C', 'Says whether it runs.'),
  of('show usage', '[of TYPE NAME]', 'Shows who used what.'),
  of('show activity', 'of TYPE NAME', 'Shows the changes made to an object.'),
  of('show subscriptions', 'of job J', 'Shows who is told of a job.'),
  of('show schedules', 'of job J', 'Shows when a job starts.'),
  of(
    'show permissions',
    '[of user U | of role R | of organization O]',
    'Shows what somebody may do.',
  ),
  of('show runs', 'of suite S', 'Shows the runs of a validation suite.'),
  of('print', '"TEXT"', 'Puts out a text.'),
  of(
    'grant',
    'PERMISSION on TYPE NAME to user U | role R | organization O',
    'Gives a permission: admin, developer, execute, create, write, read, use, lineage.',
  ),
  of('grant role', 'R to user U', 'Gives a user the permissions of a role.'),
  of('grant accesstoken', 'on organization O to user U', 'Lets a user make access tokens.'),
  of(
    'revoke',
    'PERMISSION on TYPE NAME from user U | role R | organization O',
    'Takes a permission back.',
  ),
  of('revoke role', 'R from user U', 'Takes a role from a user.'),
  of('help', '[WORDS]', 'Shows how statements are written.'),
  of('about', '', 'Says what this is.'),
  of('select', '…', 'Asks the engine; so do with and values.'),
  of('insert into', 'T …', 'Puts rows into a table.'),
  of('update', 'T set … where …', 'Changes rows of a table.'),
  of('delete from', 'T where …', 'Removes rows of a table.'),
];

/** The forms whose beginning has these words in order, or any of which has; all of them for no words. */
export function formsOf(words: string): readonly Form[] {
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

/** The statement that these words come nearest to: by what it begins with, then by what else is in it. */
export function nearestForm(words: readonly string[]): Form {
  const cost = ({ head, form }: Form): number => {
    const own = head.split(' ');
    const inside = form.toLowerCase().split(/[^\p{L}]+/u);
    const begin = own
      .slice(0, 3)
      .reduce(
        (sum, word, index) =>
          sum + (distance(words[index] ?? '', word) - 0.5) * (index === 0 ? 10 : 1),
        0,
      );
    return begin - words.slice(own.length).filter((word) => inside.includes(word)).length / 10;
  };
  return forms.reduce((best, form) => (cost(form) < cost(best) ? form : best));
}

/** Letters to change between two words, as a part of the longer one. */
function distance(left: string, right: string): number {
  const longest = Math.max(left.length, right.length);
  if (longest === 0) return 0;
  if (longest > 40) return 1;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1)
      next.push(
        Math.min(
          row[j]! + 1,
          next[j - 1]! + 1,
          row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[right.length]! / longest;
}
