/** Queries that need too much memory, or do not stop. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Interpreter } from '../contract.ts';
import { runCode, type TestHost, tableOf, testHost, until } from '../test-support.ts';
import { sql } from './sql.ts';

/** Memory of the server's process may grow by this much, in MB. */
const MAX_GROWTH_MB = 150;
const HUGE_LIST = 'select range(0, 300000000) as x';
const ENDLESS = 'select count(*) from range(1000000000) a, range(1000000) b';
const rssMb = (): number => process.memoryUsage.rss() / 2 ** 20;

/** Returns the ids of the engine processes of a host. */
function enginesOf(host: TestHost): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const arguments_ = readFileSync(`/proc/${pid}/environ`, 'latin1');
        return arguments_.includes('INTERPRETER_MARK=') && cwdOf(pid) === host.folder;
      } catch {
        return false;
      }
    });
}

const cwdOf = (pid: number): string =>
  /** The working directory of an engine is the folder of its database. */
  readlink(`/proc/${pid}/cwd`);

describe('SQL with a low limit of memory', () => {
  let host: TestHost;
  let session: Interpreter;
  let other: Interpreter;
  beforeEach(() => {
    host = testHost({ openFiles: false, engineMegabytes: 600 });
    session = sql.create(host);
    other = sql.create(host);
  });
  afterEach(async () => {
    await Promise.all([session.close(), other.close()]);
    host.remove();
  });

  it('ends the engine, says why, and starts a new one', async () => {
    await runCode(session, 'create table kept as select 1 as a; create temp table lost as select 2');
    const before = rssMb();
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, rssMb())), 10);
    const { end } = await runCode(session, HUGE_LIST);
    clearInterval(watch);
    expect(most - before).toBeLessThan(MAX_GROWTH_MB);
    expect(end).toMatchObject({ code: 'ERROR' });
    const { message } = end as { message: string };
    expect(message).toMatch(
      /^(The query needed more than 600 MB of memory, so the SQL engine ended it\.|.*Out of Memory)/,
    );
    expect(tableOf(await runCode(session, 'from kept'))).toEqual([['a'], ['1']]);
  });
});
