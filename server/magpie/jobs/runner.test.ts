import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/until-end.ts';
import { ExecutionError, MetadataError } from '../contract.ts';
import { parseTimeout } from './plan.ts';
import {
  type Execute,
  type JobDefinition,
  JobRunner,
  type RecordedRun,
  type StartOptions,
  type TaskDefinition,
} from './runner.ts';

let folder: string;
let jobs: JobDefinition[];
let order: string[];
let behaviours: Record<string, Execute>;
let problems: string[];
let runner: JobRunner;

const make = (options: { maxTasks?: number; graceMs?: number; at?: string } = {}): JobRunner =>
  new JobRunner({
    folder,
    jobOf: (project, name) => jobs.find((job) => job.projectName === project && job.name === name),
    log: (message) => void problems.push(message),
    execute: async (task, context) => {
      order.push(task.name);
      await behaviours[task.name]?.(task, context);
    },
    ...(options.maxTasks === undefined ? {} : { maxTasks: options.maxTasks }),
    graceMs: options.graceMs ?? 200,
  });
const task = (name: string, more: Partial<TaskDefinition> = {}): TaskDefinition => ({
  name,
  taskType: 'Script',
  ...more,
});
const after = (name: string, predecessorName: string, more: Partial<TaskDefinition> = {}) =>
  task(name, { predecessorName, ...more });
const nested = (name: string, jobName: string, more: Partial<TaskDefinition> = {}) =>
  task(name, { taskType: 'NestedJob', nestedJobReference: { projectName: 'p', jobName }, ...more });
const job = (
  tasks: readonly TaskDefinition[],
  more: Partial<JobDefinition> = {},
): JobDefinition => {
  const made = { projectName: 'p', name: 'job', tasks, ...more };
  jobs.push(made);
  return made;
};
const start = (definition: JobDefinition, options: Partial<StartOptions> = {}) =>
  runner.start(definition, { userName: 'ana', ...options });
const run = (definition: JobDefinition, options: Partial<StartOptions> = {}) =>
  start(definition, options).done;
const fails: Execute = () => Promise.reject(new ExecutionError('column fare2 not found'));
/** Runs until aborted. */
const waits: Execute = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
const states = ({ taskRuns }: RecordedRun) =>
  Object.fromEntries(taskRuns.map(({ taskName, state }) => [taskName, state]));
const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
};

beforeEach(async () => {
  folder = temporaryFolder();
  [jobs, order, behaviours, problems] = [[], [], {}, []];
  runner = make();
});
afterEach(() => runner.close());

describe('a job run', () => {
  test('runs tasks in order and in parallel, and reports them', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    behaviours = { slow: () => gate, build: async (_, { log }) => log('TaskOutput', '500 rows') };
    const handle = start(
      job([
        after('publish', 'build'),
        task('slow'),
        task('fetch'),
        after('build', 'FETCH'),
        after('later', 'slow'),
      ]),
      { scheduleName: 'nightly' },
    );
    await until(() => order.includes('publish'));
    expect(handle.run).toMatchObject({
      state: 'Running',
      projectName: 'p',
      jobName: 'job',
      userName: 'ana',
      scheduleName: 'nightly',
    });
    expect(handle.run).not.toHaveProperty('endTime');
    expect(order).toEqual(['slow', 'fetch', 'build', 'publish']);
    open();
    const done = await handle.done;
    expect(order.at(-1)).toBe('later');
    expect(done.state).toBe('Succeeded');
    expect(Object.values(states(done))).toEqual(Array(5).fill('Succeeded'));
    const build = done.taskRuns.find(({ taskName }) => taskName === 'build')!;
    expect(build).toMatchObject({
      taskType: 'Script',
      attempt: 1,
      logs: [{ eventType: 'TaskOutput', message: '500 rows' }],
    });
    expect(new Date(build.endTime!).toISOString()).toBe(build.endTime);
    expect(done.logs[0]).toMatchObject({ eventType: 'JobStart' });
    expect(done.logs.at(-1)).toMatchObject({ eventType: 'JobFinish' });
    expect(
      done.logs.filter(({ taskName }) => taskName === 'build').map(({ eventType }) => eventType),
    ).toEqual(['TaskStart', 'TaskFinish']);
  });

  test('a job without tasks succeeds', async () => {
    expect((await run(job([]))).state).toBe('Succeeded');
  });

  test('a failure cancels parallel tasks and starts no more', async () => {
    behaviours = { bad: fails, beside: waits };
    const done = await run(
      job([task('beside'), task('bad'), after('next', 'bad'), after('other', 'beside')]),
    );
    expect(done.state).toBe('Failed');
    expect(states(done)).toEqual({ beside: 'Cancelled', bad: 'Failed' });
    expect(
      done.taskRuns.map(({ logs }) => logs.map(({ eventType, message }) => [eventType, message])),
    ).toEqual([
      [['TaskExecutionLog', "Task 'bad' has failed."]],
      [['ExecutionError', 'column fare2 not found']],
    ]);
    expect(done.logs.map(({ eventType, taskName }) => [eventType, taskName])).toEqual([
      ['JobStart', undefined],
      ['TaskStart', 'beside'],
      ['TaskStart', 'bad'],
      ['TaskFailed', 'bad'],
      ['JobFailed', undefined],
    ]);
  });

  test('with failure mode Continue, only the successors of a failed task are skipped', async () => {
    behaviours = { bad: fails };
    const done = await run(
      job([task('bad'), after('next', 'bad'), task('beside'), after('other', 'beside')], {
        failureMode: 'continue',
      }),
    );
    expect([done.state, states(done)]).toEqual([
      'Failed',
      { bad: 'Failed', beside: 'Succeeded', other: 'Succeeded' },
    ]);
  });

  test('an ignored failure does not fail the job', async () => {
    behaviours = { bad: () => Promise.reject(new MetadataError('no such table')) };
    const done = await run(job([task('bad', { failureMode: 'Ignore' }), after('next', 'bad')]));
    expect([done.state, states(done)]).toEqual(['Succeeded', { bad: 'Failed', next: 'Succeeded' }]);
    expect(done.taskRuns[0]?.logs).toMatchObject([
      { eventType: 'MetadataError', message: 'no such table' },
    ]);
  });

  test('a task is retried up to maxRetries times', async () => {
    behaviours = {
      moody: async (_, { attempt }) =>
        attempt < 3 ? fails(task('moody'), undefined as never) : undefined,
    };
    const done = await run(job([task('moody', { maxRetries: 2 })]));
    expect(done).toMatchObject({
      state: 'Succeeded',
      taskRuns: [{ attempt: 3, state: 'Succeeded' }],
    });
    expect(done.taskRuns[0]!.logs.map(({ message }) => message)).toEqual([
      'column fare2 not found',
      'Attempt 2 of 3.',
      'column fare2 not found',
      'Attempt 3 of 3.',
    ]);
    expect(await run(job([task('moody', { maxRetries: 1 })]))).toMatchObject({
      state: 'Failed',
      taskRuns: [{ attempt: 2, state: 'Failed' }],
    });
  });

  test('a task that exceeds its timeout is cancelled, and abandoned if it continues', async () => {
    behaviours = { slow: waits, deaf: () => new Promise(() => undefined) };
    for (const name of ['slow', 'deaf']) {
      const done = await run(job([task(name, { timeout: '20ms', maxRetries: 1 })]));
      expect(done).toMatchObject({ state: 'Failed', taskRuns: [{ attempt: 2, state: 'Failed' }] });
      expect(
        done.taskRuns[0]!.logs.filter(({ eventType }) => eventType === 'ExecutionError').map(
          ({ message }) => message,
        ),
      ).toEqual(Array(2).fill('The task was stopped: it took longer than 20ms.'));
    }
  });

  test('finalizers run last, in order, even after a failure', async () => {
    behaviours = { bad: fails, clean: fails };
    const done = await run(
      job([
        task('clean', { isFinalizer: true }),
        after('tell', 'bad', { isFinalizer: true }),
        after('more', 'tell', { isFinalizer: true }),
        task('bad'),
        after('never', 'clean', { isFinalizer: true }),
      ]),
    );
    expect(order).toEqual(['bad', 'clean', 'tell', 'more']);
    expect([done.state, states(done)]).toEqual([
      'Failed',
      { bad: 'Failed', clean: 'Failed', tell: 'Succeeded', more: 'Succeeded' },
    ]);
  });

  test('a cancel stops the tasks but not the finalizers; a second cancel stops those', async () => {
    behaviours = { long: waits, clean: waits };
    const handle = start(
      job([task('long'), after('next', 'long'), task('clean', { isFinalizer: true })]),
    );
    await until(() => order.includes('long'));
    handle.cancel();
    expect(handle.run.state).toBe('Stopping');
    await until(() => order.includes('clean'));
    expect(runner.cancel(handle.run.jobRunId)).toBe(true);
    const done = await handle.done;
    expect([done.state, states(done)]).toEqual([
      'Cancelled',
      { long: 'Cancelled', clean: 'Cancelled' },
    ]);
    expect(done.logs.at(-1)).toMatchObject({
      eventType: 'JobFailed',
      message: 'The run was cancelled.',
    });
    handle.cancel();
    expect(handle.run.state).toBe('Cancelled');
    expect(runner.cancel(handle.run.jobRunId)).toBe(false);
  });

  test('disabled tasks are skipped, disabled jobs do not start', async () => {
    const done = await run(job([task('off', { state: 'Disabled' }), after('next', 'off')]));
    expect([done.state, states(done), order]).toEqual([
      'Succeeded',
      { off: 'Disabled', next: 'Succeeded' },
      ['next'],
    ]);
    expect(() => start(job([], { state: 'disabled' }))).toThrow(
      new MetadataError("Job 'p.job' is disabled."),
    );
  });

  test('can start from a given task', async () => {
    const definition = job([
      task('a'),
      after('b', 'a'),
      after('c', 'b'),
      task('d'),
      task('end', { isFinalizer: true }),
    ]);
    await run(definition, { fromTask: 'B' });
    expect(order).toEqual(['b', 'c', 'end']);
    expect(() => start(definition, { fromTask: 'z' })).toThrow(
      new MetadataError("There is no task 'z' in the job."),
    );
  });

  test.each([
    [[after('a', 'z')], "Task 'a' follows 'z', which is not in the job."],
    [[after('a', 'b'), after('b', 'a')], "Task 'a' follows itself: a, b."],
    [[after('a', 'b'), after('b', 'c'), after('c', 'b')], "Task 'b' follows itself: b, c."],
    [
      [after('a', 'end'), task('end', { isFinalizer: true })],
      "Task 'a' follows the finalizer 'end', so it has to be a finalizer too.",
    ],
    [
      [task('a', { timeout: 'soon' })],
      "'soon' is not a valid timeout. Use a form such as 30m, 1h30m or PT30M, at most 24 days.",
    ],
  ])('an invalid task order is refused: %#', (tasks, message) => {
    expect(() => start(job(tasks))).toThrow(new MetadataError(message));
  });

  test('runs may overlap unless the job forbids it', async () => {
    behaviours = { long: waits };
    const [alone, shared] = [
      job([task('long')], { allowConcurrentRuns: false }),
      job([task('long')], { name: 'shared' }),
    ];
    const first = start(alone);
    expect(() => start(alone)).toThrow(
      new ExecutionError(
        `Job 'p.job' is already running (${first.run.jobRunId}) and may not run concurrently.`,
      ),
    );
    const others = [start(shared), start(shared)];
    expect(runner.running().map(({ jobName }) => jobName)).toEqual(['job', 'shared', 'shared']);
    for (const handle of [first, ...others]) handle.cancel();
    await Promise.all([first, ...others].map(({ done }) => done));
    behaviours = {};
    expect((await run(alone)).state).toBe('Succeeded');
  });

  test('limits the number of tasks that run at the same time', async () => {
    await runner.close();
    runner = make({ maxTasks: 2 });
    let [now, most] = [0, 0];
    const counts: Execute = async () => {
      most = Math.max(most, (now += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      now -= 1;
    };
    behaviours = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, counts]));
    expect((await run(job(Object.keys(behaviours).map((name) => task(name))))).state).toBe(
      'Succeeded',
    );
    expect(most).toBe(2);
  });

  test('notifies listeners of changes and of the end, with immutable copies', async () => {
    const heard: RecordedRun[] = [];
    const handle = start(job([task('a')]));
    const before = handle.run;
    handle.onChange((state) => heard.push(state));
    handle.onChange(() => {
      throw new Error('a listener');
    });
    const stopped: RecordedRun[] = [];
    handle.onChange((state) => stopped.push(state))();
    await handle.done;
    expect(heard.at(-1)?.state).toBe('Succeeded');
    expect([before.state, before.taskRuns, stopped]).toEqual(['Running', [], []]);
  });
});

test('any tree: tasks run at most once and in order, finalizers last, whatever fails', async () => {
  const anyTask = fc.record({
    parent: fc.nat(7),
    isFinalizer: fc.boolean(),
    isFailing: fc.boolean(),
    ignores: fc.boolean(),
    isOff: fc.boolean(),
    pause: fc.nat(2),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyTask, { maxLength: 8 }),
      fc.constantFrom('Abort', 'Continue'),
      async (shapes, failureMode) => {
        const isLast = (at: number): boolean => shapes[at]!.isFinalizer;
        const tasks = shapes.map(({ parent, isFinalizer, ignores, isOff }, at) =>
          task(`t${at}`, {
            isFinalizer,
            failureMode: ignores ? 'Ignore' : 'Abort',
            state: isOff ? 'Disabled' : 'Enabled',
            ...(parent < at && (isFinalizer || !isLast(parent))
              ? { predecessorName: `t${parent}` }
              : {}),
          }),
        );
        const events: string[] = [];
        behaviours = Object.fromEntries(
          shapes.map(({ isFailing, pause }, at) => [
            `t${at}`,
            async () => {
              events.push(`begin t${at}`);
              for (let turn = 0; turn < pause; turn += 1)
                await new Promise((resolve) => setImmediate(resolve));
              events.push(`end t${at}`);
              if (isFailing) throw new ExecutionError('failed');
            },
          ]),
        );
        const done = await run({ projectName: 'p', name: 'any', tasks, failureMode });
        const begun = events.filter((event) => event.startsWith('begin'));
        expect(new Set(begun).size).toBe(begun.length);
        const found = (name: string) => done.taskRuns.find(({ taskName }) => taskName === name);
        for (const { name, predecessorName, isFinalizer } of tasks) {
          const before = tasks.find((other) => other.name === predecessorName);
          if (
            !events.includes(`begin ${name}`) ||
            !before ||
            Boolean(before.isFinalizer) !== Boolean(isFinalizer)
          )
            continue;
          const state = found(before.name)!.state;
          expect(
            state === 'Succeeded' ||
              state === 'Disabled' ||
              (state === 'Failed' && before.failureMode === 'Ignore'),
          ).toBe(true);
          if (state !== 'Disabled')
            expect(events.indexOf(`end ${before.name}`)).toBeLessThan(
              events.indexOf(`begin ${name}`),
            );
        }
        const last = events.findLastIndex((event) =>
          tasks.some(({ name, isFinalizer }) => !isFinalizer && event.endsWith(` ${name}`)),
        );
        for (const { name } of tasks.filter(({ isFinalizer }) => isFinalizer))
          if (events.includes(`begin ${name}`))
            expect(events.indexOf(`begin ${name}`)).toBeGreaterThan(last);
        const hasFailed = done.taskRuns.some(
          ({ taskName, state }) =>
            state === 'Failed' &&
            tasks.find(({ name }) => name === taskName)!.failureMode === 'Abort',
        );
        expect(done.state).toBe(hasFailed ? 'Failed' : 'Succeeded');
      },
    ),
    { numRuns: 60 },
  );
});

describe('nested jobs', () => {
  test('run as separate runs, and their task ends with the same result', async () => {
    behaviours = { bad: fails };
    job([task('inside')], { name: 'good' });
    job([task('bad')], { name: 'broken' });
    const done = await run(
      job(
        [
          nested('one', 'good'),
          nested('two', 'broken', { predecessorName: 'one' }),
          nested('three', 'gone', { predecessorName: 'one' }),
        ],
        { failureMode: 'Continue' },
      ),
    );
    expect(states(done)).toEqual({ one: 'Succeeded', two: 'Failed', three: 'Failed' });
    const [good] = (await runner.history('p', 'good')).history;
    expect(good).toMatchObject({
      state: 'Succeeded',
      parentJobRunId: done.jobRunId,
      userName: 'ana',
    });
    expect(done.taskRuns[0]?.logs).toMatchObject([
      { eventType: 'TaskExecutionLog', message: `Job 'p.good' runs as ${good!.jobRunId}.` },
    ]);
    expect(done.taskRuns.find(({ taskName }) => taskName === 'two')?.logs.at(-1)?.message).toMatch(
      /^Job 'p\.broken' ended as Failed \(r\w+\)\.$/,
    );
    expect(done.taskRuns.find(({ taskName }) => taskName === 'three')?.logs).toMatchObject([
      { eventType: 'MetadataError', message: "There is no job 'p.gone'." },
    ]);
  });

  test('end with the outer job, and need no separate slot', async () => {
    await runner.close();
    runner = make({ maxTasks: 1 });
    behaviours = { long: waits };
    job([task('long')], { name: 'inner' });
    const handle = start(job([nested('n', 'inner')]));
    await until(() => order.includes('long'));
    handle.cancel();
    expect((await handle.done).state).toBe('Cancelled');
    await until(() => runner.running().length === 0);
    expect((await runner.history('p', 'inner')).history).toMatchObject([{ state: 'Cancelled' }]);
  });

  test('that contain themselves are refused, even if the cycle appears during a run', async () => {
    const outer = job([nested('x', 'inner')], { name: 'outer' });
    job([nested('y', 'outer')], { name: 'inner' });
    expect(() => start(outer)).toThrow(
      new MetadataError("Job 'p.outer' contains itself: p.outer, p.inner, p.outer."),
    );
    jobs.pop();
    behaviours = { change: async () => void job([nested('y', 'outer')], { name: 'inner' }) };
    const changed = {
      ...outer,
      tasks: [task('change'), nested('x', 'inner', { predecessorName: 'change' })],
    };
    expect((await run(changed)).state).toBe('Failed');
    expect((await runner.history('p', 'inner')).history[0]?.taskRuns[0]?.logs).toMatchObject([
      { message: "Job 'p.outer' contains itself." },
    ]);
  });
});

describe('stored runs', () => {
  test('histories and metrics are newest first and survive a restart', async () => {
    behaviours = { bad: fails };
    const [good, bad] = [job([task('a'), task('b')]), job([task('a'), task('bad')])];
    const first = await run(good);
    const second = await run(bad);
    const live = start({ ...good, tasks: [task('a')] });
    const check = async (expected: string[]) =>
      expect((await runner.history('p', 'job')).history.map((entry) => entry.jobRunId)).toEqual(
        expected,
      );
    await check([live.run.jobRunId, second.jobRunId, first.jobRunId]);
    const third = await live.done;
    await runner.close();
    runner = make();
    await check([third.jobRunId, second.jobRunId, first.jobRunId]);
    expect(await runner.find(second.jobRunId)).toEqual(second);
    expect(await runner.find('r1')).toBeUndefined();
    expect(await runner.taskHistory('p', 'job', 'BAD')).toMatchObject({
      taskName: 'BAD',
      history: [{ jobRunId: second.jobRunId, taskName: 'bad', state: 'Failed' }],
    });
    const metrics = await runner.metrics('p', 'job');
    expect(metrics).toMatchObject({
      projectName: 'p',
      jobName: 'job',
      summary: { runCount: 3, succeededCount: 2 },
      runs: [{ jobRunId: third.jobRunId, state: 'Succeeded' }, { state: 'Failed' }, {}],
    });
    expect(metrics.runs[2]?.durationMs).toBe(
      Date.parse(first.endTime!) - Date.parse(first.startTime),
    );
    expect(await runner.metrics('p', 'other')).toEqual({
      projectName: 'p',
      jobName: 'other',
      runs: [],
      summary: { runCount: 0, succeededCount: 0, averageDurationMs: null },
    });
    await runner.forget('p', 'job');
    await check([]);
  });

  test('a run interrupted by a killed server is marked failed, with its last state', async () => {
    behaviours = {
      talk: async (_, context) => {
        context.log('TaskOutput', 'half of it');
        await waits(_, context);
      },
    };
    const handle = start(job([task('a'), after('talk', 'a')]));
    const { jobRunId } = handle.run;
    await until(() => order.includes('talk'));
    let place: string | undefined;
    while (place === undefined) [place] = await readdir(join(folder, 'runs'));
    const journal = join(folder, 'runs', place!, `${jobRunId}.jsonl`);
    let text = '';
    while (!text.includes('half of it')) text = await readFile(journal, 'utf8').catch(() => '');
    handle.cancel();
    await handle.done;
    // Simulates a killed server: only the journal exists, and its last line is incomplete.
    await rm(join(folder, 'runs', place!, `${jobRunId}.json`));
    await writeFile(journal, text);
    await appendFile(journal, '{"kind":"lo');
    runner = make();
    const found = await runner.find(jobRunId);
    expect(found).toMatchObject({
      state: 'Failed',
      taskRuns: [
        { taskName: 'a', state: 'Succeeded' },
        { taskName: 'talk', state: 'Failed', logs: [{ message: 'half of it' }] },
      ],
    });
    expect(found?.logs.at(-1)).toMatchObject({
      eventType: 'JobFailed',
      message: 'The server ended while this job was running.',
    });
    expect(found?.endTime).toBe(found?.logs.at(-1)?.eventTime);
    expect(await readdir(join(folder, 'runs', place!))).toEqual([`${jobRunId}.json`]);
  });

  test('server shutdown ends runs and finalizers as failed, and refuses new runs', async () => {
    behaviours = { long: waits };
    const handle = start(job([task('long'), task('clean', { isFinalizer: true })]));
    await until(() => order.includes('long'));
    await runner.close();
    const done = await handle.done;
    expect([done.state, states(done), done.logs.at(-1)?.message]).toEqual([
      'Failed',
      { long: 'Failed' },
      'The server ended while this job was running.',
    ]);
    expect(() => start(job([]))).toThrow(ExecutionError);
    runner = make();
    expect(await runner.find(done.jobRunId)).toEqual(done);
  });

  test('logs keep the newest entries and say how many were dropped', async () => {
    behaviours = {
      chatty: async (_, { log }) => {
        for (let line = 0; line < 5_000; line += 1) log('TaskOutput', `line ${line}`);
        log('TaskOutput', 'x'.repeat(9_000));
      },
    };
    const {
      taskRuns: [only],
    } = await run(job([task('chatty')]));
    expect(only!.logs).toHaveLength(1_001);
    expect(only!.logs[0]).toMatchObject({
      eventType: 'TaskExecutionLog',
      message: '4001 earlier entries are omitted.',
    });
    expect(only!.logs.at(-2)?.message).toBe('line 4999');
    expect(only!.logs.at(-1)?.message).toHaveLength(4_000);
  });

  test('the oldest runs are deleted; a damaged one is skipped and logged', async () => {
    const definition = job([]);
    for (let at = 0; at < 103; at += 1) await run(definition);
    const [place] = await readdir(join(folder, 'runs'));
    const names = (await readdir(join(folder, 'runs', place!))).sort();
    expect(names).toHaveLength(100);
    await writeFile(join(folder, 'runs', place!, names.at(-1)!), '{"half');
    expect((await runner.history('p', 'job')).history).toHaveLength(49);
    expect(problems).toEqual(['a run of a job cannot be read']);
  });

  test('a folder that cannot be written to does not end a run', async () => {
    await runner.close();
    await writeFile(join(folder, 'file'), '');
    folder = join(folder, 'file');
    runner = make();
    expect((await run(job([task('a')]))).state).toBe('Succeeded');
    expect(problems).toContain('a run of a job cannot be stored');
    folder = join(folder, '..');
  });
});

test.each([
  ['30m', 1_800_000],
  ['1h30m', 5_400_000],
  ['90s', 90_000],
  ['500ms', 500],
  ['2D', 172_800_000],
  ['1.5h', 5_400_000],
  ['PT30M', 1_800_000],
  ['P1DT2H', 93_600_000],
  ['PT0.5S', 500],
  ['pt1h', 3_600_000],
])('the timeout %s is %i ms', (text, ms) => {
  expect(parseTimeout(text)).toBe(ms);
});
test.each(['', '30', 'm', '30 m', 'P', 'PT', '0m', '100d', '-5m', '1h x'])(
  "'%s' is not a valid timeout",
  (text) => {
    expect(() => parseTimeout(text)).toThrow(MetadataError);
  },
);

test('limits the number of runs in progress, and excludes runs older than the job', async () => {
  behaviours = { wait: waits };
  const all = Array.from({ length: 100 }, (_, at) =>
    start(job([task('wait')], { name: `job ${at}` })),
  );
  expect(() => start(job([], { name: 'one more' }))).toThrow(/100 job runs are in progress/);
  for (const each of all) each.cancel();
  await Promise.all(all.map(({ done }) => done));
  const definition = job([], { name: 'one more' });
  const { startTime } = await run(definition);
  jobs = [{ ...definition, createdAt: startTime }];
  expect((await runner.history('p', 'one more')).history.length).toBe(1);
  jobs = [{ ...definition, createdAt: new Date(Date.parse(startTime) + 1).toISOString() }];
  expect([
    (await runner.history('p', 'one more')).history,
    (await runner.metrics('p', 'one more')).summary.runCount,
  ]).toEqual([[], 0]);
});
