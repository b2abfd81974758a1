/** Queries that need too much memory, or that do not stop. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryOf, processesIn } from '../../../test/support/process.ts';
import type { Interpreter } from '../contract.ts';
import { type Recorded, runCode, type TestHost, tableOf, testHost } from '../test-support.ts';
import { sql } from './sql.ts';

/** Growth of the server's own process that a test allows, in MB. */
const MAX_GROWTH_MB = 150;
const HUGE_LIST = 'select range(0, 300000000) as x';
const ENDLESS = 'select count(*) from range(1000000000) a, range(1000000) b';
const LOST = 'Temporary tables, variables and open transactions of the session are lost.';
const rssMb = (): number => process.memoryUsage.rss() / 2 ** 20;
const messageOf = ({ end }: Recorded): string => (end as { message?: string }).message ?? '';
const rows = async (session: Interpreter, code: string) => tableOf(await runCode(session, code));

/** Runs `work` and returns by how much the memory of this process grew meanwhile, in MB. */
async function growthOf(work: () => Promise<unknown>): Promise<number> {
  const before = rssMb();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, rssMb())), 10);
  await work();
  clearInterval(watch);
  return most - before;
}

describe('SQL with a low limit of memory', () => {
  let host: TestHost;
  let session: Interpreter;
  let other: Interpreter;
  beforeEach(() => {
    host = testHost({ openFiles: false, engineMegabytes: 700 });
    session = sql.create(host);
    other = sql.create(host);
  });
  afterEach(() => Promise.all([session.close(), other.close()]));

  it.each([
    ['a list', HUGE_LIST],
    ['a text', "select repeat('x', 1000000000) as x"],
  ])('ends the engine for %s that is too large, and starts a new one [S65]', async (_, query) => {
    await runCode(session, 'create table kept as select 1 as a');
    await runCode(other, 'create temp table mine as select 2 as b');
    let failed: Recorded | undefined;
    const grew = await growthOf(async () => (failed = await runCode(session, query)));
    expect(grew).toBeLessThan(MAX_GROWTH_MB);
    expect(failed!.end.code).toBe('ERROR');
    expect(messageOf(failed!)).toContain('The query needed more than 700 MB of memory');
    expect(messageOf(failed!)).toContain(LOST);
    // The message said so already, so the next run has no notice.
    expect((await runCode(session, 'from kept')).outputs).toEqual([
      { type: 'TABLE', data: 'a\n1\n' },
    ]);
    const after = await runCode(other, 'from mine');
    expect(after.outputs[0]!.data).toBe(`The SQL engine was restarted. ${LOST}\n`);
    expect(messageOf(after)).toContain('mine does not exist');
    expect(await rows(other, 'from kept')).toEqual([['a'], ['1']]);
  });

  it('tells users of the same database, and leaves other databases alone [S65]', async () => {
    const apart = testHost({ openFiles: false });
    const elsewhere = sql.create(apart);
    await Promise.all([session, other, elsewhere].map((each) => runCode(each, 'select 1')));
    const abort = new AbortController();
    const untouched = runCode(elsewhere, ENDLESS, { signal: abort.signal });
    const victim = runCode(other, ENDLESS);
    await runCode(session, HUGE_LIST);
    expect(messageOf(await victim)).toContain(
      'The queries of this database together needed more than 700 MB of memory',
    );
    abort.abort('seen');
    expect((await untouched).end).toEqual({ code: 'ABORT' });
    await elsewhere.close();
  });
});

it('cancels a statement that cannot be interrupted [S65]', async () => {
  const host = testHost({ engineMegabytes: 4_000 });
  const session = sql.create(host);
  await runCode(session, 'create temp table mine as select 1 as a');
  const abort = new AbortController();
  const [engine] = processesIn(host.folder);
  const before = (await memoryOf(engine!)).now;
  const running = runCode(session, HUGE_LIST, { signal: abort.signal });
  // The query has begun.
  await expect.poll(async () => (await memoryOf(engine!)).now - before).toBeGreaterThan(2 ** 27);
  abort.abort('cancelled');
  const { end, outputs } = await running;
  expect(end).toEqual({ code: 'ABORT' });
  expect(outputs).toEqual([
    { type: 'TEXT', data: `The query did not stop, so the SQL engine was restarted. ${LOST}\n` },
  ]);
  expect(await rows(session, 'select 1 as again')).toEqual([['again'], ['1']]);
  await session.close();
});

describe('Long values', () => {
  const host = testHost();
  const session = sql.create(host);
  it.each([
    ['a text', "repeat('ä', 1000000)"],
    ['a binary value', "repeat('ab', 1000000)::blob"],
    ['a list', 'range(1000000)'],
    ['a list of texts', "[repeat('x', 99000), repeat('x', 99000)]"],
    ['a structure', "{'a': repeat('x', 300000)}"],
    ['a map', "map([1], [repeat('x', 300000)])"],
    ['an array', 'range(50000)::int[50000]'],
  ])('are cut with a notice: %s', async (_, value) => {
    const { end, outputs } = await runCode(session, `select ${value} as v`);
    expect(end.code).toBe('SUCCESS');
    expect(outputs[0]!.data).toMatch(/…\n$/);
    expect(outputs[0]!.data.length).toBeLessThan(100_010);
    expect(outputs[1]!.data).toMatch(/^Values are shown up to 100,000 characters; select a part/);
  });

  it('are complete up to the limit, also in a row of many', async () => {
    const text = "repeat('x', 99000)";
    const all = Array.from({ length: 20 }, () => text).join(', ');
    const [, cells] = await rows(session, `select ${text} as a, range(9000) as b`);
    expect(cells!.map((cell) => cell.length)).toEqual([99_000, 43_891]);
    const { outputs } = await runCode(session, `select ${all}`);
    expect(outputs[0]!.data.length).toBeLessThan(1_100_000);
    expect(outputs[0]!.data).toMatch(/…\n$/);
  });
});
