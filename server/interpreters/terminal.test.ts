import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { untilEnd } from '../../test/support/until-end.ts';
import type { Interpreter, TerminalProgram } from './contract.ts';
import { shell } from './shell.ts';
import { isAlive, runCode, type TestHost, testHost, until } from './test-support.ts';

const gone = (pid: number): boolean =>
  !isAlive(pid) || readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');

/** A terminal that a test types into. */
interface Typed {
  readonly program: TerminalProgram;
  readonly end: ReturnType<typeof runCode>;
  readonly abort: AbortController;
  /** What the terminal has printed so far. */
  text(): string;
  /** Resolves with the first match in what the terminal has printed. */
  shows(pattern: RegExp): Promise<RegExpExecArray>;
}

describe('a terminal', () => {
  let host: TestHost;
  let session: Interpreter;
  beforeAll(() => {
    // The prompts and the start files of this machine's account are not part of the test.
    host = testHost();
    vi.stubEnv('HOME', host.files);
    session = untilEnd(shell.create(host));
  });
  afterAll(() => void vi.unstubAllEnvs());

  const open = async (code = '', on = session): Promise<Typed> => {
    let program: TerminalProgram | undefined;
    let text = '';
    const abort = new AbortController();
    const end = runCode(on, code, {
      variant: 'terminal',
      signal: abort.signal,
      openTerminal: (opened) => (program = opened),
      onOutput: (all) => (text = all),
    });
    return {
      program: await until(() => program),
      end,
      abort,
      text: () => text,
      shows: (pattern) => until(() => pattern.exec(text) ?? undefined),
    };
  };

  it('types the text of the paragraph, and then what users type', async () => {
    const { program, end, shows } = await open('echo $((6*7))');
    await shows(/^42\r$/m);
    program.type('echo $((7*7)); tty; pwd\n');
    await shows(/^49\r\n\/dev\/pts\/\d+\r$/m);
    await shows(new RegExp(`^${host.files}\r$`, 'm'));
    program.type('exit\n');
    const { end: how, outputs } = await end;
    expect(how).toEqual({ code: 'SUCCESS' });
    expect(outputs.map(({ type }) => type)).toEqual(['TERMINAL']);
  });

  it('has the size that its view has', async () => {
    const { program, end, shows } = await open('stty size');
    await shows(/^24 80\r$/m);
    program.resize(101, 31);
    program.type('stty size\n');
    await shows(/^31 101\r$/m);
    program.type('exit\n');
    await end;
  });

  it('interrupts a program with Ctrl-C and tells its exit status', async () => {
    const { program, end, shows } = await open("sh -c 'echo go; exec sleep 600'");
    await shows(/^go\r$/m);
    program.type('\u0003');
    program.type('echo status $?\n');
    await shows(/^status 130\r$/m);
    program.type('exit 3\n');
    expect((await end).end).toEqual({ code: 'ERROR', message: 'Process exited with code 3' });
  });

  it('keeps characters of several bytes intact', async () => {
    const { program, end, shows } = await open();
    program.type("printf '%s\\n' '€ä' | tr ä ö\n");
    await shows(/^€ö\r$/m);
    program.type('exit\n');
    await end;
  });

  it('leaves no process when it is cancelled', async () => {
    const { abort, end, shows } = await open(
      "setsid sh -c 'echo left $$; exec sleep 600' & nohup sleep 600 & echo job $! shell $$",
    );
    // The three programs print at the same time, so a line may start with the text of another one.
    const [, left] = await shows(/left (\d+)\r$/m);
    const [, job, own] = await shows(/job (\d+) shell (\d+)\r$/m);
    abort.abort('cancelled');
    expect((await end).end).toEqual({ code: 'ABORT' });
    for (const pid of [left, job, own].map(Number)) await until(() => gone(pid));
    expect(readdirSync(join(host.folder, 'processes'))).toEqual([]);
  });

  it('leaves no process when its interpreter is closed', async () => {
    const instance = shell.create(host);
    const { end, shows } = await open('echo shell $$', instance);
    const [, pid] = await shows(/^shell (\d+)\r$/m);
    await instance.close();
    expect((await end).end).toEqual({ code: 'ABORT' });
    await until(() => gone(Number(pid)));
  });

  it('has no secrets of the server, and stores no history', async () => {
    vi.stubEnv('TIDING_SECRET', 'hush');
    const { program, end, shows, text } = await open('env; echo end of env');
    await shows(/^end of env\r$/m);
    vi.stubEnv('TIDING_SECRET', undefined);
    expect(text()).toContain('TERM=xterm-256color');
    expect(text()).not.toContain('hush');
    program.type('exit\n');
    await end;
    expect(readdirSync(host.files)).not.toContain('.bash_history');
  });

  it('ends after the text if nobody can type', async () => {
    const { end, outputs } = await runCode(session, 'echo $((6*7))\nfalse', {
      variant: 'terminal',
    });
    expect(outputs[0]!.data).toMatch(/^42\r$/m);
    expect(end).toEqual({ code: 'ERROR', message: 'Process exited with code 1' });
  });

  it('waits for its viewers when a program prints without end', async () => {
    const { program, end, shows, text } = await open('yes tiding');
    await until(() => text().length > 1_000_000);
    program.type('\u0003');
    program.type('echo status $?\n');
    await shows(/^status 130\r$/m);
    program.type('exit 0\n');
    expect((await end).end).toEqual({ code: 'SUCCESS' });
  });

  it('is closed when it is idle', async () => {
    const idle = testHost({ maxIdleMs: 400 });
    const instance = shell.create(idle);
    expect(
      (await runCode(instance, '', { variant: 'terminal', openTerminal: () => {} })).end,
    ).toEqual({
      code: 'ERROR',
      message: 'The terminal was closed after 400 ms without input and output.',
    });
    await instance.close();
  });

  it('is refused for text with passwords', async () => {
    const { end } = await runCode(session, 'echo x', { variant: 'terminal', confidential: true });
    expect(end).toMatchObject({ code: 'ERROR', message: expect.stringMatching(/passwords/) });
  });

  it('says that Python is missing', async () => {
    vi.stubEnv('PATH', '/nonexistent');
    const { end } = await runCode(session, '', { variant: 'terminal' });
    vi.unstubAllEnvs();
    expect(end).toMatchObject({ code: 'ERROR', message: expect.stringMatching(/needs Python 3/) });
  });
});
