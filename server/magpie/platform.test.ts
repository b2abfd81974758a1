/** Jobs together with everything that supports them: renaming, SQL tasks, and notifications. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MailServer, startMailServer } from '../../test/support/smtp.ts';
import { type SendEmail, smtpSender } from '../auth/mail.ts';
import { scriptSteps, type TestPlatform, testPlatform, widgetsOf } from './test-support.ts';

let on: TestPlatform;
let logged: string[];
const begin = (sendEmail?: SendEmail): Promise<TestPlatform> =>
  testPlatform({
    sendEmail,
    log: pino({ level: 'info' }, { write: (line) => void logged.push(line) }),
  });
const { ok, refuses, printed, rows, dataOf } = scriptSteps(() => on);
type Run = {
  readonly jobRunId: string;
  readonly projectName: string;
  readonly jobName: string;
  readonly state: string;
};
const history = async (job: string): Promise<readonly Run[]> =>
  (await dataOf(`show history of job ${job}`))['history'] as Run[];

beforeEach(() => void (logged = []));
afterEach(() => on.close());

describe('a renamed job', () => {
  beforeEach(async () => {
    on = await begin();
    await ok(
      'create project {"name": "flights"}; create job {"name": "inner"} in project flights; ' +
        'create job {"name": "daily"} in project flights; ' +
        'alter job flights.inner add task {"name": "say"} with script { print "x" }; ' +
        'alter job flights.daily add job task {"name": "in"} with job flights.inner; ' +
        'exec job flights.daily blocking',
    );
  });

  it('keeps its history and callers in a renamed project and after a restart', async () => {
    const [before] = await history('flights.daily');
    await ok(
      'alter job flights.daily set {"name": "nightly"}; ' +
        'alter job flights.inner set {"name": "core"}; ' +
        'alter project flights set {"name": "Travel"}',
    );
    await ok('exec job travel.nightly blocking');
    const check = async () => {
      const after = await history('travel.nightly');
      const renamed = { projectName: 'Travel', jobName: 'nightly', state: 'Succeeded' };
      expect(after).toMatchObject([renamed, renamed]);
      expect(after[1]!.jobRunId).toBe(before!.jobRunId);
      expect(await history('travel.core')).toMatchObject([
        { jobName: 'core' },
        { jobName: 'core' },
      ]);
      expect(await dataOf('show metrics of job travel.nightly')).toMatchObject({
        summary: { runCount: 2, succeededCount: 2 },
      });
      expect(await printed('show state of job travel.nightly')).toContain(after[0]!.jobRunId);
    };
    await check();
    expect((await on.platform.jobRun(before!.jobRunId, 'root'))?.jobName).toBe('nightly');
    await on.reopen();
    await check();
    // A new job with the old name starts without history. A dropped job is forgotten.
    await ok('create project {"name": "flights"}; create job {"name": "daily"} in project flights');
    expect(await history('flights.daily')).toEqual([]);
    await ok('drop job travel.nightly; create job {"name": "nightly"} in project travel');
    expect(await history('travel.nightly')).toEqual([]);
  });

  it('can be renamed while it runs', async () => {
    const started = on.run(
      'alter job flights.inner add task {"name": "slow", "predecessorName": "say"} with ' +
        'script { select count(*) from range(30000000) t(i) where hash(i) % 7 = 1 }; ' +
        'alter job flights.inner add task {"name": "last", "predecessorName": "slow"} with ' +
        'script { print "done" }; exec job flights.inner blocking',
    );
    await on.people.setRole('ada', 'global.SuperAdmin', true);
    await expect.poll(() => renamed('flights.inner', 'core')).toBe(true);
    const { end } = await started;
    expect(end).toEqual({ code: 'SUCCESS' });
    expect((await history('flights.core'))[0]).toMatchObject({
      jobName: 'core',
      state: 'Succeeded',
      taskRuns: [
        { taskName: 'say' },
        { taskName: 'slow' },
        { taskName: 'last', state: 'Succeeded' },
      ],
    });
  });

  /** Renames the job as soon as it runs. Returns whether it did. */
  async function renamed(job: string, name: string): Promise<boolean> {
    const [run] = (widgetsOf(await on.run(`show history of job ${job}`, 'ada'))[0]?.data[
      'history'
    ] ?? []) as Run[];
    if (run?.state !== 'Running') return false;
    expect((await on.run(`alter job ${job} set {"name": "${name}"}`, 'ada')).end).toEqual({
      code: 'SUCCESS',
    });
    return true;
  }

  it('finds runs that an earlier version stored by name', async () => {
    const [before] = await history('flights.daily');
    await on.platform.catalogue.flush();
    const runs = join(on.root, 'magpie', 'jobs', 'runs');
    const stored = readdirSync(runs)
      .flatMap((key) => readdirSync(join(runs, key)).map((file) => join(runs, key, file)))
      .find((file) => file.endsWith(`${before!.jobRunId}.json`))!;
    const { jobId: _, ...run } = JSON.parse(readFileSync(stored, 'utf8')) as Run & {
      jobId: number;
    };
    const old = `${createHash('sha256')
      .update(JSON.stringify(['flights', 'daily']))
      .digest('hex')
      .slice(0, 32)}-flights.daily`;
    mkdirSync(join(runs, old));
    writeFileSync(
      join(runs, old, 'r000000001aaaaaa.json'),
      JSON.stringify({ ...run, jobRunId: 'r000000001aaaaaa', startTime: new Date().toISOString() }),
    );
    await on.reopen();
    expect((await history('flights.daily')).map(({ jobRunId }) => jobRunId)).toEqual([
      before!.jobRunId,
      'r000000001aaaaaa',
    ]);
    expect(existsSync(join(runs, old))).toBe(false);
  });
});

describe('a SQL task', () => {
  beforeEach(async () => {
    on = await begin();
    await ok('create project {"name": "p"}; create job {"name": "j"} in project p');
  });

  it('writes partitioned files of a data source, replacing previous files on request', async () => {
    await ok(
      'create schema {"name": "core"}; alter job p.j add sql task {"name": "write", ' +
        '"targetSchemaName": "core", "targetTableName": "t", "dataSourceName": "files", ' +
        '"partitionOptions": {"count": 2, "partitionBy": ["b"]}, "saveMode": ' +
        '"ReplaceWithDelete"} with { select range as a, (range >= 4)::int as b from range(8) }',
    );
    const files = () =>
      readdirSync(join(on.files, 'core', 't'), { recursive: true, withFileTypes: true }).filter(
        (entry) => entry.isFile(),
      ).length;
    await ok('exec job p.j blocking');
    expect(files()).toBe(4);
    await ok('exec job p.j blocking');
    expect(files()).toBe(4);
    expect(await rows('select count(*) as n, sum(a) as a from core.t where b = 1')).toEqual([
      ['4', '22'],
    ]);
    await ok('alter data source files set {"name": "disk"}; exec job p.j blocking');
    expect(await rows('select count(*) as n from core.t')).toEqual([['8']]);
    expect(files()).toBe(4);
  });

  it('with UseExisting, appends to a stored table but not to files', async () => {
    await ok(
      'alter job p.j add sql task {"name": "add", "targetTableName": "t", "createMode": ' +
        '"UseExisting", "writeMode": "append"} with { select 1 as a }; exec job p.j blocking; ' +
        'exec job p.j blocking',
    );
    expect(await rows('select count(*) as n from t')).toEqual([['2']]);
    await ok(
      'alter job p.j remove task add; alter job p.j add sql task {"name": "add", ' +
        '"targetTableName": "t", "createMode": "UseExisting", "dataSourceName": "files"} with ' +
        '{ select 1 as a }',
    );
    await refuses('exec job p.j blocking', 'ended as Failed');
    expect(JSON.stringify(await history('p.j'))).toContain(
      'Appending rows to files is not available on this server',
    );
    expect(await rows('select count(*) as n from t')).toEqual([['2']]);
  });
});

describe('subscriptions', () => {
  let mail: MailServer;
  beforeEach(async () => {
    mail = await startMailServer();
    on = await begin(smtpSender({ smtpUrl: mail.url, mailFrom: 'Notes <notes@acme.org>' }));
    await on.people.create('ann@acme.org');
    await on.people.create('eve@acme.org');
    await ok(
      'create project {"name": "flights"}; create job {"name": "daily"} in project flights; ' +
        'alter job flights.daily add task {"name": "build"} with script { select * from ' +
        'nope_secret }; alter job flights.daily add task {"name": "ok", "state": "Enabled"} ' +
        'with script { print "x" }; grant read on job flights.daily to user ann@acme.org',
    );
  });
  afterEach(() => mail.stop());
  const told = async (name: string) =>
    (widgetsOf(await ok('show subscriptions of job flights.daily')).find(
      ({ widget, data }) =>
        widget === 'subscription' && (data['subscription'] as { name: string }).name === name,
    )?.data['history'] ?? []) as readonly { eventType: string; state: string; message?: string }[];

  it('send messages about start, end and failure of a job to users who may read it', async () => {
    expect(
      await printed(
        'alter job flights.daily add subscription {"name": "all", "eventTypes": ' +
          '["JobStart", "jobfinish", "JobFailed"], "recipients": ["ann@acme.org", ' +
          '"eve@acme.org", "ops@example.net", "bo"]}',
      ),
    ).toBe(
      'Added subscription all to job flights.daily. No mail can be sent to bo: the user name ' +
        'is not an email address.\n',
    );
    await ok(
      'alter job flights.daily add subscription {"name": "off", "state": "Disabled", ' +
        '"eventTypes": ["JobStart"], "recipients": ["ops@example.net"]}',
    );
    await refuses('exec job flights.daily blocking', 'ended as Failed');
    await expect.poll(async () => (await told('all')).length).toBe(2);
    expect(
      mail.letters.map(({ to, headers }) => [
        to,
        headers.find(([name]) => name.toLowerCase() === 'subject')?.[1],
      ]),
    ).toEqual([
      [['ann@acme.org'], 'flights.daily: JobStart'],
      [['ops@example.net'], 'flights.daily: JobStart'],
      [['ann@acme.org'], 'flights.daily: JobFailed'],
      [['ops@example.net'], 'flights.daily: JobFailed'],
    ]);
    const [run] = await history('flights.daily');
    expect(mail.letters[2]!.text).toContain(`Job flights.daily has failed.`);
    expect(mail.letters[2]!.text).toContain(`Execution: ${run!.jobRunId}, started by root`);
    expect(mail.letters[2]!.text).toContain('Failed: build');
    // Messages must not contain what statements and scripts print.
    expect(mail.letters.map(({ text }) => text).join('')).not.toContain('nope_secret');
    expect(await told('all')).toMatchObject([
      {
        eventType: 'JobFailed',
        state: 'Failed',
        message: 'eve@acme.org: may not read the job; bo: may not read the job',
      },
      { eventType: 'JobStart' },
    ]);
    await ok(
      'alter job flights.daily remove task build; ' +
        'alter job flights.daily remove subscription all; ' +
        'alter job flights.daily add subscription {"name": "end", "eventTypes": ["JobFinish", ' +
        '"TaskFinish"], "recipients": ["ann@acme.org"]}; exec job flights.daily blocking',
    );
    await expect
      .poll(async () => (await told('end')).map(({ eventType, state }) => [eventType, state]))
      .toEqual([
        ['JobFinish', 'Succeeded'],
        ['TaskFinish', 'Succeeded'],
      ]);
    expect(mail.letters.slice(4).map(({ to, text }) => [to[0], text.split(/\r?\n/)[0]])).toEqual([
      ['ann@acme.org', 'Job flights.daily has finished a task (ok).'],
      ['ann@acme.org', 'Job flights.daily has finished.'],
    ]);
    await on.reopen();
    expect(await told('end')).toHaveLength(2);
  });

  it('send nothing to users without access to the job, and report mail refusals', async () => {
    await ok('grant admin on project flights to user ada');
    await ok(
      'alter job flights.daily add subscription {"name": "mine", "eventTypes": ["JobStart"], ' +
        '"recipients": ["ops@example.net"]}',
      'ada',
    );
    await ok('revoke admin on project flights from user ada; exec task flights.daily.ok');
    await expect
      .poll(() => told('mine'))
      .toMatchObject([
        {
          state: 'Failed',
          message: 'ops@example.net: ada, who made the subscription, may not read the job',
        },
      ]);
    await ok(
      'alter job flights.daily remove subscription mine; ' +
        'alter job flights.daily add subscription {"name": "ours", "eventTypes": ["JobStart"], ' +
        '"recipients": ["ops@example.net"]}',
    );
    mail.recipients = '550 no such user';
    await ok('exec task flights.daily.ok');
    await expect
      .poll(() => told('ours'))
      .toMatchObject([{ state: 'Failed', message: expect.stringContaining('550') }]);
    expect(mail.letters).toEqual([]);
    expect(logged.join('')).toContain('mail of a subscription was not sent');
    expect(logged.join('')).not.toContain('ops@example.net: ');
  });

  it('are refused, or warn, if they could never notify anybody', async () => {
    const add = (body: string, of = 'job flights.daily') =>
      `alter ${of} add subscription {"name": "s", ${body}}`;
    const isNobody = 'is neither a user nor an email address';
    for (const [body, message, of] of [
      [
        '"eventTypes": ["TaskOutput"], "recipients": ["ann@acme.org"]',
        'Notifications about TaskOutput are not available on this server',
      ],
      ['"eventTypes": ["JobStart"], "recipients": ["nobody"]', `nobody ${isNobody}.`],
      ['"eventTypes": ["ClusterStarted"]', 'not available on this server', 'cluster local'],
      ...['a@b.org, c@d.org', 'x <a@b.org>', 'a@b.org\\nBcc: c@d.org'].map(
        (address) =>
          [`"eventTypes": ["JobStart"], "recipients": ["${address}"]`, isNobody] as const,
      ),
    ] as const)
      await refuses(add(body, of), message);
    expect(await printed(add('"description": "x"'))).toContain(
      'It has no "eventTypes", so it never notifies anybody. ' +
        'It has no "recipients", so nobody is notified.',
    );
  });
});

it('without a mail server, subscriptions warn on creation and log their events', async () => {
  on = await begin();
  await ok(
    'create project {"name": "p"}; create job {"name": "j"} in project p; ' +
      'alter job p.j add task {"name": "ok"} with script { print "x" }',
  );
  expect(
    await printed(
      'alter job p.j add subscription {"name": "s", "eventTypes": ["JobFinish"], ' +
        '"recipients": ["a@b.org"]}',
    ),
  ).toBe(
    'Added subscription s to job p.j. This server has no mail server (TIDING_SMTP_URL), ' +
      'so no mail is sent. "show subscriptions" lists the events.\n',
  );
  await ok('exec job p.j blocking');
  await expect
    .poll(async () => widgetsOf(await ok('show subscriptions of job p.j'))[1]?.data['history'])
    .toMatchObject([
      { eventType: 'JobFinish', state: 'Recorded', message: 'This server has no mail server.' },
    ]);
  expect(logged.join('')).toContain('this server has no mail server (TIDING_SMTP_URL)');
});
