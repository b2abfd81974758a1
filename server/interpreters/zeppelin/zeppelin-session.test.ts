import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/until-end.ts';
import type { Interpreter } from '../contract.ts';
import {
  errorOf,
  isAlive,
  type Recorded,
  type RunOptions,
  runAndAbort,
  runCode,
  shownText,
  type TestHost,
  testHost,
  until,
} from '../test-support.ts';
import { findZeppelinGroups } from './catalogue.ts';
import { eventService, interpreterService } from './service.ts';
import { ThriftClient } from './thrift/calls.ts';
import { zeppelinInterpreters } from './zeppelin-interpreters.ts';

/** Runs a program of Node that speaks Thrift as Zeppelin's interpreters do, in place of Java. */
describe("Zeppelin's interpreters", { timeout: 60_000 }, () => {
  const root = temporaryFolder();
  const home = join(root, 'interpreter');
  const jdk = join(root, 'jdk');
  let host: TestHost;
  let words: Interpreter;

  const create = async (properties: Record<string, string> = {}): Promise<Interpreter> => {
    host = testHost({ properties: { JAVA_HOME: jdk, ...properties } });
    return session();
  };
  /** Returns another session on the same process. */
  const session = async (): Promise<Interpreter> => {
    const { groups } = await findZeppelinGroups([home]);
    return zeppelinInterpreters(groups, [])[0]!.create(host);
  };
  const run = (code: string, options?: RunOptions): Promise<Recorded> =>
    runCode(words, code, options);
  const text = async (code: string, options?: RunOptions): Promise<string> =>
    shownText(await run(code, options));
  const messageOf = async (code: string): Promise<string> => errorOf(await run(code));

  beforeAll(async () => {
    await build({
      entryPoints: [join(import.meta.dirname, 'fixtures/fake-process.ts')],
      outfile: join(root, 'fake.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
    mkdirSync(join(jdk, 'bin'), { recursive: true });
    const java = join(jdk, 'bin/java');
    writeFileSync(java, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'fake.mjs')}' "$@"\n`);
    chmodSync(java, 0o755);
    mkdirSync(join(home, 'words'), { recursive: true });
    writeFileSync(join(home, 'zeppelin-interpreter-shaded-0.10.1.jar'), '');
    writeFileSync(
      join(home, 'words/interpreter-setting.json'),
      JSON.stringify([
        { group: 'words', name: 'more', className: 'org.example.More' },
        { group: 'words', name: 'missing', className: 'org.example.Missing' },
        { group: 'words', name: 'words', className: 'org.example.Words', defaultInterpreter: true },
      ]),
    );
  });
  beforeEach(async () => {
    words = await create();
  });
  afterEach(() => words.close());

  it('print, keep their state, and end with their last session', async () => {
    expect((await run('say hello\nsay you')).outputs).toEqual([
      { type: 'TEXT', data: 'hello\nyou\n' },
    ]);
    expect(words.state).toBe('variables');
    expect(await text('runs')).toBe('2\n');
    expect(host.statuses).toEqual(['READY', 'READY']);
    const pid = Number(await text('pid'));
    const other = await session();
    expect((await runCode(other, 'runs\npid')).outputs[0]?.data).toBe(`1\n${pid}\n`);
    await words.close();
    expect((await runCode(other, 'runs')).outputs[0]?.data).toBe('2\n');
    await other.close();
    await until(() => !isAlive(pid));
    words = await session();
    expect(await text('runs')).toBe('1\n');
  });

  it('are started with their class path, memory, options and variables', async () => {
    await words.close();
    words = await create({
      'java.memory': '321',
      'java.options': '-Duser.timezone=UTC -Da=b',
      'words.color': 'red',
      FLAG: 'up',
    });
    const args = await text('args');
    expect(args).toContain(' -Xmx321m ');
    expect(args).toContain(' -Duser.timezone=UTC -Da=b ');
    expect(args).toContain(`-cp ${home}/*:${host.folder}/jars/* org.apache.`);
    expect(await text('property words.color\nvariable FLAG\nvariable ZEPPELIN_LOCAL_IP')).toBe(
      'red\nup\n127.0.0.1\n',
    );
  });

  it('and this server answer no connection without the secret of the process', async () => {
    const args = (await text('args')).split(' ');
    const ports = { events: Number(args.at(-3)), process: Number(await text('port')) };
    const secret = 'x'.repeat(64);
    const events = new ThriftClient(eventService, {
      host: '127.0.0.1',
      port: ports.events,
      secret,
    });
    const place = { host: '127.0.0.1', port: ports.process, secret };
    const process = new ThriftClient(interpreterService, place);
    await expect(events.call('getAllResources', {})).rejects.toThrow('closed');
    await expect(process.call('getProgress', {})).rejects.toThrow('closed');
    expect(args.join(' ')).not.toContain((await text('variable TIDING_PROCESS_SECRET')).trim());
  });

  it('know the paragraph, its user and its options', async () => {
    const shown = await text(
      'context noteId\ncontext paragraphId\ncontext authenticationInfo\ncontext localProperties',
      { options: { sales: 'sales', limit: '5' } },
    );
    expect(shown.split('\n').slice(0, 4)).toEqual([
      '"2ABCDEFGH"',
      '"paragraph_1_1"',
      JSON.stringify(JSON.stringify({ user: 'ada', roles: [], ticket: '' })),
      '{"sales":"sales","limit":"5"}',
    ]);
  });

  it('run the interpreter that the magic names', async () => {
    expect(await text('class')).toBe('Words\n');
    expect(await text('class', { variant: 'more' })).toBe('More\n');
    expect(errorOf(await run('class', { variant: 'missing' }))).toBe(
      'ClassNotFoundException: org.example.Missing',
    );
  });

  it('show outputs in their order, replace documents and clear', async () => {
    const shown = async (code: string) => (await run(code)).outputs.filter(({ data }) => data);
    expect(await shown('say a\nshow TABLE x\\ty\\n1\\t2\nsay b\nshow HTML <b>c</b>')).toEqual([
      { type: 'TEXT', data: 'a\n' },
      { type: 'TABLE', data: 'x\ty\n1\t2' },
      { type: 'TEXT', data: 'b\n' },
      { type: 'HTML', data: '<b>c</b>' },
    ]);
    expect(await shown('say a\nshow HTML one\nchange two')).toEqual([
      { type: 'TEXT', data: 'a\n' },
      { type: 'HTML', data: 'two' },
    ]);
    expect(await shown('show TABLE x\nchange y\nreturn end')).toEqual([
      { type: 'TABLE', data: 'y' },
      { type: 'TEXT', data: 'end' },
    ]);
    expect(await shown('say a\nclear\nsay b')).toEqual([{ type: 'TEXT', data: 'b\n' }]);
    expect(await shown('show NULL hidden\nsay a')).toEqual([{ type: 'TEXT', data: 'a\n' }]);
    expect(await shown('show TEXT a\nshow TEXT b')).toEqual([
      { type: 'TEXT', data: 'a' },
      { type: 'TEXT', data: 'b' },
    ]);
  });

  it('stream', async () => {
    const abort = new AbortController();
    let seen = '';
    const running = run('say first\nwait\nsay last', {
      signal: abort.signal,
      onOutput(all) {
        seen = all;
        if (all.includes('first')) abort.abort();
      },
    });
    expect((await running).end).toEqual({ code: 'ABORT' });
    expect(seen).toContain('first\n');
    expect((await text('big 8000000')).length).toBe(8_000_000);
  });

  it('report failures as the last text', async () => {
    expect(await run('say a\nfail no such word')).toMatchObject({
      end: { code: 'ERROR', message: 'no such word' },
      outputs: [{ type: 'TEXT', data: 'a\n' }],
    });
    expect(await messageOf('throw broken')).toBe('broken');
    expect(await messageOf('incomplete')).toBe('The code is incomplete.');
    expect(await text('runs')).toBe('4\n');
  });

  it('report their progress', async () => {
    const abort = new AbortController();
    const { percents } = await run('progress 40\nwait', {
      signal: abort.signal,
      onProgress: () => abort.abort(),
    });
    expect(percents).toEqual([40]);
  });

  it('stop when they are cancelled, and are killed if they do not', async () => {
    const pid = Number(await text('pid'));
    const stopped = await runAndAbort(words, 'say on\nwait', (shown) => shown.includes('on'));
    expect(stopped.end).toEqual({ code: 'ABORT' });
    expect(await text('runs')).toBe('3\n');
    const start = performance.now();
    const killed = await runAndAbort(words, 'say on\nignore', (shown) => shown.includes('on'));
    expect(killed.end).toEqual({ code: 'ABORT' });
    expect(killed.outputs.at(-1)?.data).toBe(
      '%words did not react to the cancellation. Its process was killed and its variables are ' +
        'lost.\n',
    );
    expect(performance.now() - start).toBeGreaterThan(1_400);
    await until(() => !isAlive(pid));
    expect(await text('runs')).toBe(
      'The process of %words had ended (signal SIGKILL) and its variables are lost. ' +
        'Starting a new one.\n1\n',
    );
  });

  it('say why their process ended, and start again', async () => {
    expect(await messageOf('exit 7')).toBe(
      'The process of %words ended (exit code 7) and its variables are lost. ' +
        'The next run starts a new one.',
    );
    expect(words.state).toBeUndefined();
    expect(await text('runs')).toContain('(exit code 7)');
    expect(await text('runs')).toBe('2\n');
    expect(await messageOf('memory')).toMatch(/ran out of memory \(1024 MB\).*java\.memory/);
  });

  it('complete', async () => {
    expect(await words.complete!('wor', 3)).toEqual([]);
    await run('say a');
    expect(await words.complete!('wor', 3)).toEqual([
      { name: 'wor1', value: 'wor1', meta: 'word' },
    ]);
  });

  it('show forms, share values and start paragraphs by requests to the note', async () => {
    const asked: [string, unknown][] = [];
    let bound: unknown;
    const request: RunOptions['request'] = async (operation, values) => {
      if (operation !== 'getInterpreterContext') asked.push([operation, values]);
      if (operation === 'input') return 'chosen';
      if (operation === 'angular') return bound;
      return operation === 'getInterpreterContext' ? { noteName: 'Sales' } : null;
    };
    expect(await text('context noteName\nform city', { request })).toBe('"Sales"\nnone\n');
    const form = { name: 'city', defaultValue: 'first', noteWide: false };
    expect(asked).toEqual([['input', form]]);
    expect(await text('form city', { request })).toBe('chosen\n');
    asked.length = 0;
    await run('bind color red\nstart paragraph_2_2', { request });
    expect(asked.slice(-2)).toEqual([
      ['angularBind', { name: 'color', value: 'red', paragraphId: null }],
      ['run', { noteId: '2ABCDEFGH', paragraph: 'paragraph_2_2' }],
    ]);
    bound = 'blue';
    expect(await text('bound color', { request })).toBe('"blue"\n');
  });

  it('say what is missing when they can not start', async () => {
    const failing = async (properties: Record<string, string>): Promise<string> => {
      await words.close();
      words = await create(properties);
      return messageOf('say a');
    };
    expect(await failing({ JAVA_HOME: join(root, 'no-jdk') })).toMatch(
      /^%words is an interpreter of Zeppelin and needs Java, but .* was not found\. Install Java/,
    );
    expect(await failing({ FAKE_MODE: 'old-java' })).toMatch(/exit code 1.*Java .* is too old/);
    expect(await failing({ FAKE_MODE: 'no-class' })).toMatch(
      /did not start \(exit code 1\)\. A Java library is missing.*org\.example\.Main/,
    );
    expect(await failing({ FAKE_MODE: 'other-protocol' })).toMatch(
      /does not speak the protocol of Zeppelin 0\.9 to 0\.12/,
    );
    expect(await failing({ FAKE_MODE: 'open' })).toMatch(/other machines could connect to it/);
    expect(
      await failing({ FAKE_MODE: 'silent', 'zeppelin.interpreter.connect.timeout': '1000' }),
    ).toMatch(/did not report within 1 seconds and was ended/);
    expect(host.statuses.at(-1)).toMatch(/^ERROR: The process of %words did not report/);
  });

  it('name the missing library of a folder', async () => {
    const other = join(root, 'other/interpreter');
    mkdirSync(join(other, 'words'), { recursive: true });
    const setting = readFileSync(join(home, 'words/interpreter-setting.json'), 'utf8');
    writeFileSync(join(other, 'words/interpreter-setting.json'), setting);
    const { groups } = await findZeppelinGroups([join(root, 'other')]);
    await words.close();
    words = zeppelinInterpreters(groups, [])[0]!.create(host);
    expect(await messageOf('say a')).toMatch(/needs zeppelin-interpreter-shaded-VERSION\.jar/);
  });

  it('end when their instance is closed while they start', async () => {
    await words.close();
    words = await create({ FAKE_MODE: 'silent' });
    const running = run('say a');
    await words.close();
    expect((await running).end).toEqual({ code: 'ABORT' });
  });
});
