import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/until-end.ts';
import type { Interpreter } from '../contract.ts';
import { preparePython } from '../python/environment.ts';
import {
  errorOf,
  isAlive,
  runAndAbort,
  runCode,
  shownText,
  type TestHost,
  testHost,
  until,
} from '../test-support.ts';
import { kernelInterpreters } from './kernel-interpreter.ts';
import { findKernelspecs } from './kernelspecs.ts';

/** Runs a kernel that is a Python program, in the environment that `%python` creates. */
describe('an installed kernel', () => {
  const root = temporaryFolder();
  let python: string;
  let argv: string[];
  let host: TestHost;
  let kernel: Interpreter;
  const install = (spec: object): void => {
    const folder = join(root, 'kernels/words');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'kernel.json'),
      JSON.stringify({ display_name: 'Words', language: 'words', ...spec }),
    );
  };
  const create = async (properties: Record<string, string> = {}): Promise<Interpreter> => {
    host = testHost({ properties });
    const { kernels } = await findKernelspecs([root]);
    return kernelInterpreters(kernels, [])[0]!.create(host);
  };
  const run = (code: string) => runCode(kernel, code);
  const text = async (code: string): Promise<string> => shownText(await run(code));

  beforeAll(async () => {
    python = await preparePython({
      folder: root,
      signal: new AbortController().signal,
      onBuild: () => undefined,
      tell: () => undefined,
    });
  }, 600_000);
  beforeEach(async () => {
    argv = [python, join(import.meta.dirname, 'fixtures/words.py'), '-f', '{connection_file}'];
    install({ argv, env: { PLACE: '${HOME}/x', OTHER: 'spec' } });
    kernel = await create({ 'kernel.environment': 'OTHER=setting' });
  });
  afterEach(() => kernel.close());

  it.skipIf(process.platform !== 'linux')('listens on loopback only [S85]', async () => {
    await run('say hello');
    const name = readdirSync(host.folder).find((each) => /^kernel-.*\.json$/.test(each))!;
    const { key, ...connection } = JSON.parse(readFileSync(join(host.folder, name), 'utf8'));
    expect([connection.transport, connection.ip, key.length]).toEqual(['tcp', '127.0.0.1', 64]);
    const ports = Object.keys(connection).filter((each) => each.endsWith('_port'));
    expect(ports).toHaveLength(5);
    const all = ['tcp', 'tcp6'].flatMap((kind) =>
      readFileSync(`/proc/net/${kind}`, 'utf8')
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .filter(([, , , state]) => state === '0A')
        .map(([, local]) => local!.split(':')),
    );
    for (const each of ports) {
      const port = connection[each].toString(16).toUpperCase().padStart(4, '0');
      expect(all.filter(([, own]) => own === port)).toEqual([['0100007F', port]]);
    }
  });

  it('starts on other ports if one was taken before it listened', async () => {
    const program = [
      'import json, os, socket, subprocess, sys',
      'taken = socket.socket()',
      `mark = '${join(root, 'started')}'`,
      'if not os.path.exists(mark):',
      '    port = json.load(open(sys.argv[-1]))["shell_port"]',
      '    taken.bind(("127.0.0.1", port))',
      '    taken.listen()',
      'open(mark, "a").write("once ")',
      'sys.exit(subprocess.call(sys.argv[1:]))',
    ];
    install({ argv: [python, '-c', program.join('\n'), ...argv] });
    kernel = await create();
    expect(await text('say hello')).toBe('hello\n');
    expect(readFileSync(join(root, 'started'), 'utf8')).toBe('once once ');
  });

  it('prints, keeps its state, and ends with its instance', async () => {
    expect((await run('say hello\nsay you')).outputs).toEqual([
      { type: 'TEXT', data: 'hello\nyou\n' },
    ]);
    expect(kernel.state).toBe('variables');
    expect(await text('runs')).toBe('2\n');
    expect(await text('env PLACE\nenv OTHER')).toBe(`${process.env['HOME']}/x\nsetting\n`);
    expect(host.statuses).toEqual(['READY']);
    const pid = Number(await text('pid'));
    await kernel.close();
    await until(() => !isAlive(pid));
  });

  it('shows the type that Jupyter prefers, updates outputs and clears them', async () => {
    const shown = async (...types: string[]) =>
      (await run(`show ${types.join(' ')}`)).outputs.map(({ type, data }) => [type, data.trim()]);
    expect(await shown('text/plain', 'image/png', 'text/html')).toEqual([['HTML', 'text/html']]);
    expect(await shown('text/plain', 'image/png', 'image/svg+xml')).toEqual([
      ['SVG', 'image/svg+xml'],
    ]);
    expect(await shown('image/png', 'image/jpeg', 'text/plain')).toEqual([['IMG', 'QQ==']]);
    expect(await shown('text/plain', 'image/gif')).toEqual([
      ['HTML', '<img alt="" src="data:image/gif;base64,QQ==">'],
    ]);
    expect((await shown('text/plain', 'image/png', 'text/markdown'))[0]![1]).toContain(
      '<p>text/markdown</p>',
    );
    expect((await shown('text/plain', 'image/png', 'text/latex'))[0]![1]).toContain('text/latex');
    expect(await shown('application/x-unknown', 'text/plain')).toEqual([['TEXT', 'text/plain']]);
    expect(await text('show text/plain\nsay end\nupdate new')).toBe('new\nend\n');
    expect(await text('say one\nclear wait\nsay two')).toBe('two\n');
    expect(await text('say one\nclear')).toBe('');
  });

  it('reports errors', async () => {
    expect(errorOf(await run('nonsense'))).toBe('ValueError: no command nonsense');
    expect(errorOf(await run('like-r'))).toBe('why\nTraceback:');
    const shown = await run('fail-to-show x\nsay on');
    expect(shown.end).toEqual({ code: 'SUCCESS' });
    expect(shown.outputs.map(({ data }) => data).join('|')).toBe('on\n|ValueError: x\n');
    expect(errorOf(await run('like-bash'))).toBe('The code failed: 2');
  });

  it('passes questions on, and stops code that nobody can answer', async () => {
    const answered = await runCode(kernel, 'say before\nask name? ', {
      ask: async (question) => JSON.stringify(question),
    });
    const question = '{"prompt":"name? ","password":false}';
    expect(answered.outputs).toEqual([
      { type: 'TEXT', data: `before\nname? ${question}\n${question}` },
    ]);
    const nobody = (): Promise<string> => Promise.reject(new Error('Nobody is here.'));
    const { end, outputs } = await runCode(kernel, 'ask name? ', { ask: nobody });
    expect(errorOf({ end })).toBe('Nobody is here.');
    expect(outputs).toEqual([{ type: 'TEXT', data: 'name? \n' }]);
    expect(errorOf(await run('ask x'))).toMatch(/asks for input/);
    expect(await text('say still here')).toBe('still here\n');
  });

  it.each([
    ['signal', {}],
    ['message', { interrupt_mode: 'message' }],
  ])('is interrupted by a %s if a run is cancelled, and keeps its state', async (how, mode) => {
    install({ argv, ...mode });
    await run('say started');
    const cancelled = await runAndAbort(kernel, 'sleep', (shown) => shown.includes('asleep'));
    expect(cancelled.end).toEqual({ code: 'ABORT' });
    expect(await text('runs\ninterrupts')).toBe(`3\nby ${how}\n`);
  });

  it('completes', async () => {
    await run('say started');
    expect(await kernel.complete!('s', 1)).toEqual(
      ['say', 'show', 'sleep'].map((value) => ({ name: value, value })),
    );
  });

  it('that dies is described, and the next run starts a new one', async () => {
    await run('say started');
    expect(errorOf(await run('die'))).toMatch(
      /^The Words process ended \(exit code 3\) and its variables are lost\. The next run/,
    );
    expect(await text('runs')).toBe('1\n');
  });

  it('that cannot be started says what to do', async () => {
    install({ argv: ['/nowhere/words', '{connection_file}'] });
    expect(errorOf(await run('say x'))).toBe(
      "Words can't be started: the program /nowhere/words was not found " +
        `(${join(root, 'kernels/words/kernel.json')}). Install the kernel again, or ask an ` +
        'administrator.',
    );
    rmSync(join(root, 'kernels/words'), { recursive: true });
    expect(errorOf(await run('say x'))).toMatch(/^Words can't be started: ENOENT/);
    install({ argv: [python, '-c', 'raise SystemExit("broken")', '{connection_file}'] });
    expect(errorOf(await run('say x'))).toBe('Words did not start: exit code 1\nbroken');
  });
});
