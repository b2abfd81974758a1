import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { untilEnd } from '../../test/support/until-end.ts';
import type { Interpreter } from './contract.ts';
import { javascript } from './javascript.ts';
import { sql } from './sql/sql.ts';
import {
  isAlive,
  runAndAbort,
  runCode,
  type TestHost,
  tableOf,
  testHost,
  until,
} from './test-support.ts';

describe('javascript', () => {
  let host: TestHost;
  let session: Interpreter;
  const run = (code: string) => runCode(session, code);
  const textOf = async (code: string): Promise<string> => {
    const result = await run(code);
    expect(result.end).toEqual({ code: 'SUCCESS' });
    return result.outputs.map(({ data }) => data).join('');
  };
  const message = (recorded: { end: { code: string; message?: string } }): string => {
    expect(recorded.end.code).toBe('ERROR');
    return recorded.end.message ?? '';
  };

  beforeAll(() => {
    host = testHost();
    session = untilEnd(javascript.create(host));
  });
  it('prints, shows the last value and keeps declarations', async () => {
    expect(
      await textOf('const a = 20; let b = 1\nconsole.log("x", { a }); console.error("y")\na + b'),
    ).toBe('x { a: 20 }\ny\n21\n');
    expect(await textOf('const a = await Promise.resolve(2); a')).toBe('2\n');
    expect(await textOf('a; const c = 1')).toBe('');
    expect(await textOf('undefined')).toBe('');
    expect(
      await textOf("import { sep } from 'node:path'\n[sep, typeof fetch, require('node:os').EOL]"),
    ).toBe("[ '/', 'function', '\\n' ]\n");
    expect(await textOf('Promise.resolve(5)')).toBe('5\n');
  });

  it('streams output, even from a loop that never yields', async () => {
    const result = await runAndAbort(
      session,
      'for (let i = 0; ; i++) console.log("line", i)',
      (text) => text.includes('line 1000\n'),
    );
    expect(result.end).toEqual({ code: 'ABORT' });
    expect(result.pieces.length).toBeGreaterThan(10);
    expect(result.outputs.at(-1)!.data).toBe(
      'The JavaScript process was stopped and its variables are lost.\n',
    );
  });

  it('shows tables', async () => {
    expect(
      tableOf(
        await run(
          "[{ a: 1, b: 'x\\ty\\nz' }, { a: null, c: true }, " +
            '{ b: new Date(Date.UTC(2026, 0, 31, 10)) }]',
        ),
      ),
    ).toEqual([
      ['a', 'b', 'c'],
      ['1', 'x y z', 'null'],
      ['null', 'null', 'true'],
      ['null', '2026-01-31 10:00:00', 'null'],
    ]);
    expect((await run('[{ a: { deep: 1 } }]')).outputs).toEqual([
      { type: 'TEXT', data: '[ { a: { deep: 1 } } ]\n' },
    ]);
    expect(tableOf(await run("z.table([['n', 'v'], [1n, { k: [2] }]])"))).toEqual([
      ['n', 'v'],
      ['1', '{"k":[2]}'],
    ]);
    expect(
      (await run("console.log('before'); z.html('<b>x</b>'); console.log('%table a\\n1')")).outputs,
    ).toEqual([
      { type: 'TEXT', data: 'before\n' },
      { type: 'HTML', data: '<b>x</b>' },
      { type: 'TABLE', data: 'a\n1\n' },
    ]);
    const long = await run('z.table(Array.from({ length: 10001 }, (_, i) => ({ i })))');
    expect(tableOf(long)).toHaveLength(10_001);
    expect(long.outputs[1]!.data).toBe('Showing the first 10,000 of 10,001 rows.\n');
    expect(message(await run('z.table(5)'))).toContain('z.table expects a list of objects');
  });

  it('fails with a stack trace of user code only', async () => {
    const text = message(await run('const f = () => { throw new TypeError("no") }\n\nf()'));
    expect(text).toMatch(/^TypeError: no\n {4}at f \(paragraph:1:\d+\)\n {4}at paragraph:3:1$/);
    expect(message(await run('await 1\nnull.x'))).toMatch(/^TypeError: .*\n {4}at paragraph:2:/);
    expect(message(await run('let a = ;'))).toMatch(
      /^paragraph:1\nlet a = ;\n.*\^[\s\S]*SyntaxError: Unexpected token ';'$/,
    );
    expect(message(await run('throw { odd: 1 }'))).toBe('Uncaught { odd: 1 }');
    expect(message(await run('throw new Error("a", { cause: new Error("b") })'))).toContain(
      '[cause]: Error: b',
    );
  });

  it('reports unhandled errors and continues', async () => {
    expect(
      await textOf(
        'Promise.reject(new Error("lost")); setTimeout(() => { throw new Error("late") }); ' +
          'await new Promise((done) => setTimeout(done, 50)); "on"',
      ),
    ).toMatch(/Error: lost\n[\s\S]*Error: late\n[\s\S]*'on'\n$/);
  });

  it('stops endless code and starts a new process', async () => {
    const result = await runAndAbort(
      session,
      'globalThis.kept = 1; console.log(process.pid); while (true) {}',
      (text) => text.includes('\n'),
    );
    expect(result.end).toEqual({ code: 'ABORT' });
    const pid = parseInt(result.outputs[0]!.data, 10);
    expect(pid).toBeGreaterThan(1);
    expect(isAlive(pid)).toBe(false);
    expect(await textOf('typeof kept')).toBe("'undefined'\n");
    const waiting = await runAndAbort(
      session,
      'console.log("w"); await new Promise(() => setInterval(() => {}, 1000))',
      (text) => text.includes('w'),
    );
    expect(waiting.end).toEqual({ code: 'ABORT' });
  });

  it('reports how the process ended', async () => {
    expect(message(await run('console.log("bye"); process.exit(3)'))).toBe(
      'The JavaScript process ended (exit code 3) and its variables are lost. ' +
        'The next run starts a new one.',
    );
    expect((await run('console.log("bye"); process.exit(3)')).outputs).toEqual([
      { type: 'TEXT', data: 'bye\n' },
    ]);
    expect(
      message(
        await run('const hog = []; while (true) hog.push(new Array(1e5).fill(Math.random()))'),
      ),
    ).toContain('it needed more than its 512 MB of memory');
    expect(await textOf('1 + 1')).toBe('2\n');
  });

  it('accesses only files in the data folder and starts no programs [S67]', async () => {
    writeFileSync(join(host.files, 'in.txt'), 'inside');
    writeFileSync(join(host.root, 'secret.txt'), 'hush');
    expect(
      await textOf(
        "const fs = require('fs'); fs.writeFileSync('out.txt', 'x'); " +
          "fs.readFileSync('in.txt', 'utf8')",
      ),
    ).toBe("'inside'\n");
    expect(existsSync(join(host.files, 'out.txt'))).toBe(true);
    for (const code of [
      "fs.readFileSync('../secret.txt')",
      "fs.readFileSync('/etc/passwd')",
      "fs.writeFileSync('../made.txt', '')",
      "require('child_process').execSync('id')",
      "new (require('worker_threads').Worker)('1', { eval: true })",
    ]) {
      expect(message(await run(code))).toMatch(
        /ERR_ACCESS_DENIED|Access to this API has been restricted/,
      );
    }
    expect(existsSync(join(host.root, 'made.txt'))).toBe(false);
  });

  it('has no access to secrets of the server [S67]', async () => {
    vi.stubEnv('TIDING_SECRET', 'hush');
    const fresh = javascript.create(host);
    const result = await runCode(
      fresh,
      'console.log(process.cwd()); Object.keys(process.env).join()',
    );
    await fresh.close();
    vi.unstubAllEnvs();
    expect(result.outputs[0]!.data).toContain(`${host.files}\n`);
    expect(result.outputs[0]!.data).toContain('PATH');
    expect(result.outputs[0]!.data).not.toContain('TIDING');
  });

  it('creates SQL tables', async () => {
    const database = sql.create(host);
    await run(
      "await z.put('made', [{ i: 1, x: 1.5, s: 'a\\'b', ok: true, " +
        't: new Date(Date.UTC(2026, 0, 31, 10)), big: 2n ** 70n, deep: { k: 1 } }, ' +
        "{ i: null, s: '%html' }])",
    );
    expect(tableOf(await runCode(database, 'select * from made'))).toEqual([
      ['i', 'x', 's', 'ok', 't', 'big', 'deep'],
      ['1', '1.5', "a'b", 'true', '2026-01-31 10:00:00', expect.any(String), '{"k":1}'],
      ['null', 'null', '%html', 'null', 'null', 'null', 'null'],
    ]);
    await run(
      "await z.put('many', Array.from({ length: 50000 }, (_, i) => ({ i, s: \"it's row \" + i })))",
    );
    expect(tableOf(await runCode(database, 'select count(*) as n, max(s) as s from many'))).toEqual(
      [
        ['n', 's'],
        ['50000', "it's row 9999"],
      ],
    );
    expect(message(await run("await z.put('a b', [{ a: 1 }])"))).toContain(
      'cannot be a table name',
    );
    expect(readdirSync(join(host.root, 'tables'))).toEqual([]);
    await database.close();
  });

  it('ends its process when closed, even during a run', async () => {
    const other = javascript.create(host);
    let pid = 0;
    const running = runCode(other, 'console.log(process.pid); while (true) {}', {
      onOutput: (text) => void (pid ||= parseInt(text, 10)),
    });
    await until(() => pid > 0);
    await other.close();
    expect((await running).end).toEqual({ code: 'ABORT' });
    expect(isAlive(pid)).toBe(false);
  });
});
