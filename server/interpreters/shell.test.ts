import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { untilEnd } from '../../test/support/until-end.ts';
import type { Interpreter } from './contract.ts';
import { shell } from './shell.ts';
import { isAlive, runAndAbort, runCode, type TestHost, testHost, until } from './test-support.ts';

const gone = (pid: number): boolean =>
  !isAlive(pid) || readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');

describe('shell', () => {
  let host: TestHost;
  let session: Interpreter;
  const run = (code: string) => runCode(session, code);
  beforeAll(() => {
    host = testHost();
    session = untilEnd(shell.create(host));
  });
  it('is marked as a shell', () => expect(shell.shell).toBe(true));

  it('runs in the data folder and keeps the order of both outputs', async () => {
    const result = await run('pwd; echo err >&2; echo out');
    expect(result).toMatchObject({
      end: { code: 'SUCCESS' },
      outputs: [{ type: 'TEXT', data: `${host.files}\nerr\nout\n` }],
    });
  });

  it('streams output while the script runs', async () => {
    const go = join(host.files, 'go');
    const result = await runCode(
      session,
      'echo first; while [ ! -e go ]; do sleep 0.01; done; echo second',
      {
        onOutput: (text) => void (text === 'first\n' && writeFileSync(go, '')),
      },
    );
    expect(result.pieces).toEqual(['first\n', 'second\n']);
  });

  it('keeps multi-byte characters intact', async () => {
    const result = await run(
      "printf '\\xe2'; sleep 0.1; printf '\\x82'; sleep 0.1; printf '\\xac\\n'",
    );
    expect(result.outputs).toEqual([{ type: 'TEXT', data: '€\n' }]);
  });

  it('prints through the display system', async () => {
    expect(
      (await run("printf '%%table a\\tb\\n1\\t2\\n\\n'; echo '%html <b>x</b>'")).outputs,
    ).toEqual([
      { type: 'TABLE', data: 'a\tb\n1\t2\n' },
      { type: 'HTML', data: '<b>x</b>\n' },
    ]);
  });

  it('reports exit codes and signals', async () => {
    expect((await run('exit 3')).end).toEqual({
      code: 'ERROR',
      message: 'Process exited with code 3',
    });
    expect((await run('kill -9 $$')).end).toEqual({
      code: 'ERROR',
      message: 'Process ended by signal SIGKILL',
    });
    const unknown = await run('echo a\nnosuchcommand');
    expect(unknown.end).toEqual({ code: 'ERROR', message: 'Process exited with code 127' });
    expect(unknown.outputs[0]!.data).toMatch(/line 2: nosuchcommand: command not found/);
    expect((await run('if then')).outputs[0]!.data).toContain('syntax error');
  });

  it('has no input and no access to secrets of the server [S61]', async () => {
    vi.stubEnv('TIDING_SECRET', 'hush');
    const { outputs } = await run('cat; env');
    vi.unstubAllEnvs();
    expect(outputs[0]!.data).toContain('PATH=');
    expect(outputs[0]!.data).not.toContain('hush');
  });

  it('runs scripts longer than an argument may be', async () => {
    const result = await run(`${'# filler line\n'.repeat(20_000)}echo long`);
    expect(result).toMatchObject({ end: { code: 'SUCCESS' }, outputs: [{ data: 'long\n' }] });
    expect(readdirSync(host.folder).filter((name) => name.startsWith('script-'))).toEqual([]);
  });

  it('cancels the whole group [S61]', async () => {
    const result = await runAndAbort(session, 'sleep 600 & echo $!; sleep 600', (text) =>
      text.includes('\n'),
    );
    expect(result.end).toEqual({ code: 'ABORT' });
    await until(() => gone(parseInt(result.outputs[0]!.data, 10)));
  });

  it('kills processes that ignore the first signal', async () => {
    const result = await runAndAbort(
      session,
      "trap '' TERM; echo $$; while :; do sleep 600; done",
      (text) => text.includes('\n'),
    );
    expect(result.end).toEqual({ code: 'ABORT' });
    await until(() => gone(parseInt(result.outputs[0]!.data, 10)));
  });

  it('ends background processes', async () => {
    const result = await run('sleep 600 & echo $!');
    expect(result.end).toEqual({ code: 'SUCCESS' });
    await until(() => gone(parseInt(result.outputs[0]!.data, 10)));
    expect(readdirSync(join(host.folder, 'processes'))).toEqual([]);
  });

  it('ends processes that started a new session', async () => {
    const result = await run("setsid sh -c 'echo $$; exec sleep 600' & sleep 0.5");
    expect(result.end).toEqual({ code: 'SUCCESS' });
    const pid = parseInt(result.outputs[0]!.data, 10);
    expect(pid).toBeGreaterThan(1);
    await until(() => gone(pid));
    expect(readdirSync(join(host.folder, 'processes'))).toEqual([]);
  });

  it('ends processes of a killed server, also orphans, of no running one [S61 S71]', async () => {
    const own = testHost();
    const start = (pid: number): string =>
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[19]!;
    const begin = (mark: string, script: string) =>
      spawn('sh', ['-c', script], {
        detached: true,
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { ...process.env, INTERPRETER_MARK: mark },
      });
    const note = (mark: string, server: object): void =>
      writeFileSync(
        join(own.folder, 'processes', `${mark}.json`),
        JSON.stringify({ mark, ...server }),
      );
    const left = begin('left', 'exec sleep 600');
    // The leader is gone before the server restarts, and another process has left its group.
    const first = begin('orphans', 'sleep 600 & echo $!; setsid sleep 600 & echo $!; sleep 0.2');
    const used = begin('used', 'exec sleep 600');
    let pids = '';
    first.stdout.on('data', (text: Buffer) => (pids += text));
    await new Promise((resolve) => first.once('exit', resolve));
    const orphans = pids.trim().split('\n').map(Number);
    expect(orphans.map(isAlive)).toEqual([true, true]);
    mkdirSync(join(own.folder, 'processes'));
    note('left', { server: 4_000_000, serverStart: '1' });
    note('orphans', { server: 4_000_000, serverStart: '1' });
    note('used', { server: process.pid, serverStart: start(process.pid) });
    const ended = new Promise((resolve) => left.once('exit', (_, signal) => resolve(signal)));
    shell.create(own);
    expect(await ended).toBe('SIGKILL');
    for (const pid of orphans) await until(() => gone(pid));
    expect(isAlive(used.pid!)).toBe(true);
    expect(readdirSync(join(own.folder, 'processes'))).toEqual(['used.json']);
    used.kill('SIGKILL');
  });
});

describe('shell properties', () => {
  const run = async (properties: Record<string, string>, code: string) => {
    const host = testHost({ properties });
    mkdirSync(join(host.files, 'inner'));
    const instance = shell.create(host);
    const recorded = await runCode(instance, code);
    await instance.close();
    return {
      end: recorded.end,
      text: recorded.outputs
        .map(({ data }) => data)
        .join('')
        .replace(host.files, ''),
    };
  };

  it('set the working directory', async () => {
    expect(await run({ 'shell.working.directory': 'inner' }, 'pwd')).toEqual({
      end: { code: 'SUCCESS' },
      text: '/inner\n',
    });
    expect(await run({ 'shell.working.directory': '/' }, 'pwd')).toEqual({
      end: { code: 'SUCCESS' },
      text: '/\n',
    });
    expect((await run({ 'shell.working.directory': '/nonexistent' }, 'pwd')).end).toEqual({
      code: 'ERROR',
      message: "The interpreter's working folder does not exist: /nonexistent",
    });
  });

  it('set a time limit for scripts', async () => {
    expect(
      await run({ 'shell.command.timeout.millisecs': '300' }, 'echo begun; sleep 600'),
    ).toEqual({
      end: { code: 'ERROR', message: 'The script was stopped after 300 ms.' },
      text: 'begun\n',
    });
    expect((await run({ 'shell.command.timeout.millisecs': '60000' }, 'echo done')).end).toEqual({
      code: 'SUCCESS',
    });
  });
});
