/**
 * `%magpie` end to end: the sample note, jobs that run, fail, are cancelled and survive a restart,
 * schedules, exports and errors.
 */

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, createClient, outputText, type RunResult } from '@tiding/client';
import { afterAll, describe, expect, it } from 'vitest';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import { Users } from '../server/auth/users.ts';
import { preparePython } from '../server/interpreters/python/environment.ts';
import { isAlive } from '../server/interpreters/test-support.ts';
import { startEmbedded } from './support/embedded.ts';
import { bodyOf } from './support/people.ts';
import { type ApiCall, callApi, type Login, login, request } from './support/raw.ts';
import { temporaryFolder, untilEnd } from './support/until-end.ts';

type Widget = { readonly widget: string; readonly data: Record<string, unknown> };
interface TaskRunShown {
  readonly taskName: string;
  readonly state: string;
  readonly attempt: number;
  readonly logs: readonly { readonly eventType: string; readonly message?: string }[];
}
interface JobRunShown {
  readonly jobRunId: string;
  readonly state: string;
  readonly endTime?: string;
  readonly taskRuns: readonly TaskRunShown[];
  readonly scheduleName?: string;
  readonly parentJobRunId?: string;
}
let embedded: Awaited<ReturnType<typeof startEmbedded>>;
let url: string;
let admin: Login;
let client: Client;
const noteIds: string[] = [];

async function begin(): Promise<void> {
  embedded = await startEmbedded({ data, logLevel: 'silent' });
  ({ url } = embedded.server);
  admin = await login(url);
  client = createClient({
    server: url,
    auth: { token: (await new AccessTokenStore(data).create('admin')).token! },
  });
}
async function end(): Promise<void> {
  client.close();
  await embedded.stop();
}

const data = temporaryFolder();
// Creates the Python environment if the machine has none yet.
await preparePython({
  folder: data,
  signal: new AbortController().signal,
  onBuild: () => undefined,
  tell: () => undefined,
});
await begin();

afterAll(() => end());

const call = (...args: ApiCall) => callApi(url, admin, ...args);
async function paragraph(text: string, by = client) {
  const noteId = await bodyOf<string>(
    call('POST', '/notebook', {
      name: `platform ${noteIds.length}`,
      paragraphs: [{ text: `%magpie\n${text}` }],
    }),
  );
  noteIds.push(noteId);
  return (await by.open(noteId)).paragraphs[0]!;
}
const run = async (text: string): Promise<RunResult> => (await paragraph(text)).run();
const shown = (result: RunResult): string =>
  result.outputs.map((output) => outputText(output)).join('\n');
const widgetsOf = (text: string): Widget[] =>
  [
    ...text.matchAll(
      /<tiding-widget><script type="application\/json">([^<]*)<\/script><\/tiding-widget>/g,
    ),
  ].map(([, json]) => JSON.parse(json!) as Widget);
async function ok(text: string): Promise<RunResult> {
  const result = await run(text);
  expect(result.status, shown(result)).toBe('FINISHED');
  return result;
}
const widgets = async (text: string): Promise<Widget[]> => widgetsOf(shown(await ok(text)));
const failure = async (text: string): Promise<string> => {
  const result = await run(text);
  expect(result.status).toBe('ERROR');
  return result.error ?? '';
};
const history = async (job: string) =>
  ((await widgets(`show history of job ${job}`))[0]!.data as unknown as { history: JobRunShown[] })
    .history;
const stateNow = async (): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(join(data, 'magpie', 'catalogue.json'), 'utf8')) as Record<
    string,
    unknown
  >;

describe('completion', () => {
  it("uses the note's session on the live channel, and respects permissions", async () => {
    await ok(
      'create or replace schema {"name": "seen"}; ' +
        'create or replace table seen.trips from sql (select 1 as origin); ' +
        'drop project if exists going cascade; create project {"name": "going"}; ' +
        'create job {"name": "daily"} in project going',
    );
    const asked = await paragraph('use schema seen');
    expect((await asked.run()).status).toBe('FINISHED');
    const at = async (text: string, by = asked): Promise<string[]> =>
      (await by.complete(`%magpie\n${text}`, `%magpie\n${text}`.length)).map(({ value }) => value);
    expect(await at('describe table tr')).toEqual(['trips']);
    expect(await at('exec job going.')).toEqual(['daily']);
    expect(await at('select * from trips where ori')).toContain('origin');
    expect(await at('drop table trips ')).toEqual(
      expect.arrayContaining(['cascade', 'with delete']),
    );
    await new Users(data).set('carl', { password: 'a long enough password' });
    const carl = untilEnd(
      createClient({
        server: url,
        auth: { token: (await new AccessTokenStore(data).create('carl')).token! },
      }),
    );
    const id = await carl.notes.create({ path: 'completion of carl' });
    noteIds.push(id);
    const open = (await carl.open(id)).paragraphs[0]!;
    expect(await at('describe table ', open)).not.toContain('seen');
    expect(await at('use project g', open)).toEqual([]);
    expect(await at('use project ', open)).toEqual(['main']);
  });
});

describe('the sample note', () => {
  it('runs to the end, twice', async () => {
    const entry = (await client.notes.list()).find(
      ({ path }) => path === 'Samples/Command language',
    )!;
    const note = await client.open(entry.id);
    for (const turn of [1, 2]) {
      const results = await note.run();
      expect(
        results.map(({ status, error }) => [status, error]),
        `turn ${turn}`,
      ).toEqual(results.map(() => ['FINISHED', undefined]));
      const all = results.flatMap((result) => widgetsOf(shown(result)));
      expect(all.map(({ widget }) => widget)).toEqual(
        (
          'data-set-profile relationships suite-run job job-graph job-history job-run ' +
          'job-history exported-result'
        ).split(' '),
      );
      const of = (name: string) => all.filter(({ widget }) => widget === name).at(-1)!.data;
      expect(of('data-set-profile')).toMatchObject({
        tableName: 'weather.observations',
        rowCount: 1461,
      });
      expect(of('suite-run')).toMatchObject({
        state: 'Failed',
        validatorRuns: expect.arrayContaining([
          expect.objectContaining({
            validatorName: 'known_weather',
            state: 'Succeeded',
            failedValidationRowCount: 0,
          }),
        ]) as unknown,
      });
      const { state, taskRuns } = of('job-run') as unknown as JobRunShown;
      expect([state, taskRuns.map(({ taskName, state: of }) => [taskName, of])]).toEqual([
        'Succeeded',
        [
          ['rain_by_month', 'Succeeded'],
          ['announce', 'Succeeded'],
          ['check', 'Succeeded'],
        ],
      ]);
      expect(taskRuns[1]!.logs).toContainEqual(
        expect.objectContaining({ eventType: 'TaskOutput', message: 'rain by month is ready' }),
      );
      // The job is described before it runs; replacing it keeps its history.
      const { nodes } = of('job-graph') as unknown as { nodes: { lastRun?: object }[] };
      expect(nodes.map(({ lastRun }) => lastRun)).toEqual(
        nodes.map(() => (turn === 1 ? undefined : expect.objectContaining({ state: 'Succeeded' }))),
      );
      expect((of('job-history') as unknown as { history: JobRunShown[] }).history.length).toBe(
        turn,
      );
      const { resultId, rowCount } = of('exported-result') as {
        resultId: string;
        rowCount: number;
      };
      const answer = await call('GET', `/magpie/result/${resultId}`);
      expect([
        answer.status,
        answer.text.split('\n').length - 2,
        answer.text.split('\n')[0],
      ]).toEqual([200, rowCount, 'month,rain_mm']);
    }
  });
});

describe('jobs', () => {
  it('run Python with a finalizer, send updates, and end when cancelled', async () => {
    const file = join(data, 'files/shared', 'pid.txt');
    await ok(`create project {"name": "p"}; create job {"name": "long"} in project p;
      alter job p.long add python task {"name": "sleep"} with script $$
import os, time
open("pid.txt", "w").write(str(os.getpid()))
print("asleep", flush=True)
time.sleep(600)
$$;
      alter job p.long add magpie task {"name": "tidy", "isFinalizer": true}
        with script { print "tidied" };
      alter job p.long add magpie task {"name": "never", "predecessorName": "sleep"}
        with script { print "no" }`);
    const states: string[] = [];
    const stop = new AbortController();
    const going = (await paragraph('exec job p.long blocking')).run({ signal: stop.signal });
    const ended = going.then<unknown, unknown>(
      ({ status }) => status,
      (error: unknown) => String(error),
    );
    for await (const event of going) {
      if (event.type !== 'output' && event.type !== 'append') continue;
      for (const { widget, data: row } of widgetsOf(event.data))
        if (widget === 'job-run') {
          const { taskRuns } = row as unknown as JobRunShown;
          states.push(taskRuns.map(({ taskName, state }) => `${taskName} ${state}`).join());
          if (taskRuns.some(({ logs }) => logs.some(({ message }) => message === 'asleep')))
            stop.abort();
        }
      if (stop.signal.aborted) break;
    }
    await ended;
    // All updates were shown in one place, each with the state at that time.
    expect(states.length).toBeGreaterThan(1);
    expect(states.at(-1)).toBe('sleep Running');
    let last = (await history('p.long'))[0]!;
    while (last.endTime === undefined) [last] = (await history('p.long')) as [JobRunShown];
    expect([last.state, last.taskRuns.map(({ taskName, state }) => [taskName, state])]).toEqual([
      'Cancelled',
      [
        ['sleep', 'Cancelled'],
        ['tidy', 'Succeeded'],
      ],
    ]);
    expect(isAlive(Number(await readFile(file, 'utf8')))).toBe(false);
  });

  it('retry tasks, kill tasks that time out, and fail the statement alone', async () => {
    await ok(`create job {"name": "again"} in project p;
      alter job p.again add python task {"name": "second", "maxRetries": 2}
        with script $$
import os, sys
seen = os.path.exists("seen.txt")
open("seen.txt", "w").write("x")
sys.exit(0 if seen else 3)
$$; create job {"name": "slow"} in project p;
      alter job p.slow add python task {"name": "stuck", "timeout": "1s", "maxRetries": 1}
        with script $$
import time
time.sleep(600)
$$; alter job p.slow add sql task {"name": "after", "predecessorName": "stuck",
        "targetTableName": "after_stuck"}
        with { select 1 as a };
      create job {"name": "outer"} in project p;
      alter job p.outer add job task {"name": "inner"} with job p.again;
      alter job p.outer add job task {"name": "broken", "predecessorName": "inner"}
        with job p.slow`);
    expect(
      ((await widgets('exec job p.again blocking'))[0]!.data as unknown as JobRunShown).taskRuns[0],
    ).toMatchObject({ state: 'Succeeded', attempt: 2 });
    const before = await stateNow();
    const result = await run('exec job p.outer blocking');
    expect([result.status, result.error]).toEqual([
      'ERROR',
      'ExecutionError at line 1, column 1: The job p.outer ended as Failed.',
    ]);
    expect(widgetsOf(shown(result)).at(-1)!.data).toMatchObject({
      state: 'Failed',
      taskRuns: [
        { taskName: 'inner', state: 'Succeeded' },
        { taskName: 'broken', state: 'Failed' },
      ],
    });
    const [slow] = await history('p.slow');
    expect(slow).toMatchObject({
      state: 'Failed',
      parentJobRunId: (await history('p.outer'))[0]!.jobRunId,
      taskRuns: [{ taskName: 'stuck', state: 'Failed', attempt: 2 }],
    });
    expect(JSON.stringify(slow!.taskRuns[0]!.logs)).toMatch(/timeout|longer|1s/i);
    expect(await stateNow()).toEqual(before);
    expect(await failure('select * from after_stuck')).toContain('There is no table after_stuck');
  });

  it('may start other jobs but never themselves, and do not deadlock', async () => {
    const wide = (at: number): string =>
      `alter job p.wide add magpie task {"name": "t${at}"}
        with script { exec job p.leaf blocking };`;
    await ok(`create job {"name": "leaf"} in project p;
      alter job p.leaf add magpie task {"name": "t"} with script { select 1 };
      create job {"name": "wide"} in project p;
      ${Array.from({ length: 9 }, (_, at) => wide(at)).join(' ')}
      create job {"name": "round"} in project p; create job {"name": "back"} in project p;
      alter job p.round add magpie task {"name": "t"} with script { exec job p.back };
      alter job p.back add magpie task {"name": "t"} with script { exec job p.round };`);
    await ok('exec job p.wide blocking');
    expect((await history('p.leaf')).length).toBe(9);
    await ok('exec job p.round blocking');
    let back = (await history('p.back'))[0]!;
    while (back.endTime === undefined) [back] = (await history('p.back')) as [JobRunShown];
    expect(back.taskRuns[0]!.logs).toContainEqual(
      expect.objectContaining({
        eventType: 'MetadataError',
        message: expect.stringContaining('contains itself') as unknown,
      }),
    );
    expect((await history('p.round')).length).toBe(1);
  });

  it('do not give users who may change them the rights of those who run them', async () => {
    const users = new Users(data);
    await users.set('bob', { password: 'a-password-for-tests' });
    const ofBob = untilEnd(
      createClient({
        server: url,
        auth: { token: (await new AccessTokenStore(data).create('bob')).token! },
      }),
    );
    const bob = async (text: string): Promise<RunResult> => (await paragraph(text, ofBob)).run();
    await ok(
      "create table hidden from sql (select 'mark-4711' as who); " +
        'create job {"name": "shared", "failureMode": "Continue"} in project p; ' +
        'grant write on job p.shared to user bob',
    );
    const scripts = [
      'grant admin on organization local to user bob',
      'grant read on table hidden to user bob',
      'select * from hidden',
      'create role {"name": "x"}',
      'alter job p.again add task {"name": "x"} with script { select 1 }',
      'alter job p.shared add task {"name": "x"} with script { select 1 }',
      'exec job p.again',
      'create table mine from sql (from hidden)',
    ];
    const added = await bob(
      scripts
        .map(
          (script, at) =>
            `alter job p.shared add task {"name": "t${at}"} with script { ${script} };`,
        )
        .join(' '),
    );
    expect(added.status, shown(added)).toBe('FINISHED');
    expect(
      shown(await bob('alter job p.shared add python task {"name": "p"} with script { print(1) }')),
    ).toContain('You need Developer on repository main.');
    await ok('alter job p.shared add task {"name": "own"} with script { select * from hidden }');
    expect(await failure('exec job p.shared blocking')).toContain('ended as Failed');
    const [last] = await history('p.shared');
    expect(last!.taskRuns.map(({ taskName, state }) => [taskName, state]).sort()).toEqual([
      ['own', 'Succeeded'],
      ...scripts.map((_, at) => [`t${at}`, 'Failed']),
    ]);
    for (const { taskName, logs } of last!.taskRuns)
      if (taskName !== 'own') expect(JSON.stringify(logs)).toMatch(/MetadataError/);
    await users.refresh();
    expect(users.get('bob')?.roles ?? []).toEqual([]);
    // The task that the administrator added has only bob's rights in a run of bob's.
    expect((await bob('exec task p.shared.own')).status).toBe('ERROR');
  });

  it('are started by schedules, and keep their history after a restart', async () => {
    await ok(
      'create job {"name": "often"} in project p; ' +
        'alter job p.often add magpie task {"name": "t"} with script { ' +
        'select 7 as seven }; alter job p.often add schedule {"name": "each_second", ' +
        '"expression": "* * * * * ?"}',
    );
    let runs = await history('p.often');
    while (!runs.some(({ endTime }) => endTime !== undefined)) {
      await wait(100);
      runs = await history('p.often');
    }
    expect(runs.at(-1)).toMatchObject({ state: 'Succeeded', scheduleName: 'each_second' });
    await ok('disable schedule each_second of p.often');
    const [before] = await widgets('show history of job p.again');
    await end();
    await begin();
    expect((await widgets('show history of job p.again'))[0]).toEqual(before);
    expect((await widgets('describe schedule each_second of p.often'))[0]!.data).toMatchObject({
      schedule: { state: 'Disabled', nextRunTime: null },
    });
    expect((await widgets('show metrics of job p.slow'))[0]!.data).toMatchObject({
      summary: { runCount: 1, succeededCount: 0 },
    });
    await ok(
      'drop job p.often; create job {"name": "often"} in project p; show metrics of job p.often',
    );
    expect(await history('p.often')).toEqual([]);
  });
});

describe('a failing statement', () => {
  it('reports what failed and where, and changes nothing', async () => {
    await ok(
      'create or replace table t from sql (select 1 as a); ' +
        'create or replace validation suite {"name": "v"}; export table t',
    );
    await writeFile(join(data, 'outside.csv'), 'a\n1\n');
    const before = await stateNow();
    for (const [text, expected] of [
      [
        'select 1;\n  describe table nowhere',
        /^MetadataError at line 2, column 18: There is no table nowhere in schema main/,
      ],
      [
        'create schema {"name": "x",\n  "description" "y"}',
        /^ParseError at line 2, column 17: A colon is missing after "description"/,
      ],
      [
        'create schema {"name": "x"\n  "description": "y"}',
        /^ParseError at line 1, column \d+: A comma is missing at the end of line 1/,
      ],
      [
        'create table x from file "../outside.csv"',
        /^MetadataError at line 1, column 1: The path is outside of the data source/,
      ],
      ['create table x from file "/../outside.csv"', /^MetadataError/],
      [
        'create table x from file "none.csv"',
        /^ExecutionError at line 1, column 26: There is no file none.csv/,
      ],
      [
        'alter validation suite v add validator {"validatorType": "regex", "name": "r"}',
        /^MetadataError at line 1, column 40: The validator needs/,
      ],
      [
        'alter validation suite v add validator {"validatorType": "nothing", "name": "r"}',
        /^MetadataError.* "validatorType" of the validator must be one of/,
      ],
      ['create table t from sql (select 1 as a)', /^MetadataError.* already/],
      ['select * from t where b = 1', /^ExecutionError/],
      ["create table u from sql (select 1 / a, error('no') from t)", /^ExecutionError/],
      ['insert into t values (1, 2)', /^ExecutionError/],
      ['alter table t add field {"name": "b", "fieldType": "wonder"}', /^MetadataError/],
      ['crate table x', /^ParseError at line 1, column 1: .*Did you mean: create table/],
      ['exec job p.none blocking', /^MetadataError/],
      ['grant read on table t to user nobody', /^MetadataError/],
      ['create schema {"name": "x"}; selec 1', /^ParseError at line 1, column 30/],
      ['use schema nowhere', /^MetadataError/],
      ['export table nowhere', /^MetadataError/],
      ['show result "000000000000000000000000"', /^MetadataError/],
    ] as const) {
      expect((await failure(text)).split('\n')[0], text).toMatch(expected);
      expect(await stateNow(), text).toEqual(before);
    }
    // A selector for a field that the table does not have: the definition is valid, but the check
    // of the table fails.
    await ok(
      'alter validation suite v add validator {"validatorType": "equals", ' +
        '"name": "e", "value": 1, "fields": {"fieldSelectorType": "Single", ' +
        '"fieldName": "nowhere"}}',
    );
    expect(await failure('validate table t with suite v')).toContain(
      "MetadataError at line 1, column 16: Table main.t: Validator 'e': there is no field " +
        "'nowhere' in this table.",
    );
    expect(existsSync(join(data, 'files/shared', 'x'))).toBe(false);
  });

  it('for a missing permission refuses an export by id, and its HEAD request', async () => {
    const { data: exported } = (await widgets('export sql (select 1 as a) {"format": "JSON"}'))[0]!;
    const [got, head] = [
      await call('GET', `/magpie/result/${String(exported['resultId'])}`),
      await call('HEAD', `/magpie/result/${String(exported['resultId'])}`),
    ];
    expect([got.status, got.json, head.status, head.headers['content-type'], head.text]).toEqual([
      200,
      [{ a: 1 }],
      200,
      'application/json',
      '',
    ]);
    expect(
      (await request(url, 'GET', `/api/magpie/result/${String(exported['resultId'])}`)).status,
    ).toBe(401);
    expect((await call('GET', '/magpie/result/..%2Fcatalogue')).status).toBe(404);
  });
});
