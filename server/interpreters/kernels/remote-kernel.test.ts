/**
 * Runs `%jupyter` on a real Jupyter Server. It needs a Python with jupyter-server and ipykernel
 * (`pip install jupyter-server ipykernel`), whose path is in `TIDING_TEST_JUPYTER`. Without it, the
 * tests say that they are skipped.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../test/support/free-port.ts';
import { temporaryFolder } from '../../../test/support/until-end.ts';
import type { Interpreter } from '../contract.ts';
import {
  errorOf,
  runAndAbort,
  runCode,
  shownText,
  type TestHost,
  testHost,
  until,
} from '../test-support.ts';
import type { CommKernel } from './comms/comm-kernel.ts';
import { jupyter } from './jupyter.ts';

const python = process.env['TIDING_TEST_JUPYTER'];
if (!python)
  console.log('skipped: %jupyter on a real server. Set TIDING_TEST_JUPYTER to a Python with it.');

interface KernelState {
  readonly id: string;
  readonly execution_state: string;
  readonly connections: number;
}
const token = 'a-token-for-tests';
let host: TestHost;
let kernel: Interpreter;
const create = (properties: Record<string, string>): void => {
  host = testHost({
    properties: {
      'jupyter.token': token,
      'jupyter.kernel': '',
      'jupyter.patience': '20',
      ...properties,
    },
  });
  kernel = jupyter.create(host);
};
const run = (code: string) => runCode(kernel, code);

/** A port of loopback that passes connections on, until it is cut. */
class Line {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  target = 0;
  isCut = false;

  constructor() {
    this.#server = createServer((from) => {
      if (this.isCut) return void from.destroy();
      const to = connect(this.target, '127.0.0.1');
      for (const [one, other] of [
        [from, to],
        [to, from],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => undefined).on('close', () => other.destroy());
      }
      from.pipe(to).pipe(from);
    });
  }
  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as { port: number }).port;
  }
  cut(): void {
    this.isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }
  close(): void {
    this.cut();
    this.#server.close();
  }
}

describe.skipIf(!python)('a kernel of a Jupyter server', () => {
  const root = temporaryFolder();
  const line = new Line();
  let server: ChildProcess;
  let url: string;
  const api = async (method: string, path: string): Promise<unknown> => {
    const response = await fetch(`${url}/api/${path}`, {
      method,
      headers: { Authorization: `token ${token}` },
    });
    return response.status === 204 ? undefined : response.json();
  };
  /** Resolves when the only kernel has this state. */
  const untilState = async (wanted: (kernel: KernelState) => boolean): Promise<void> => {
    for (let all: KernelState[] = []; all.length !== 1 || !all.every(wanted); )
      all = await kernels();
  };
  const kernels = async () => (await api('GET', 'kernels')) as KernelState[];

  beforeAll(async () => {
    const port = await freePort();
    line.target = port;
    url = `http://127.0.0.1:${port}`;
    server = spawn(
      python!,
      [
        '-m',
        'jupyter_server',
        '--no-browser',
        '--allow-root',
        `--ServerApp.port=${port}`,
        '--ServerApp.port_retries=0',
        `--IdentityProvider.token=${token}`,
        `--ServerApp.root_dir=${root}`,
      ],
      { stdio: 'ignore', env: { ...process.env, JUPYTER_RUNTIME_DIR: root, HOME: root } },
    );
    for (let isUp = false; !isUp; ) {
      isUp = await api('GET', 'status').then(
        () => true,
        () => false,
      );
      if (server.exitCode !== null) throw new Error('the Jupyter server ended');
    }
  }, 300_000);
  afterEach(async () => {
    await kernel.close();
    // Kernels take seconds to end.
    while ((await kernels()).length > 0);
  });
  afterAll(async () => {
    line.close();
    server.kill();
    await once(server, 'exit');
  });

  it('prints, keeps variables, asks, completes, lists variables and is shut down', async () => {
    create({ 'jupyter.url': `${url}/` });
    expect(shownText(await run('x = 20\nprint("hello")\nx + 1'))).toBe('hello\n21\n');
    expect(host.statuses).toEqual(['READY']);
    const asked = await runCode(kernel, 'print(input("name? "))', { ask: async () => 'Ada' });
    expect(asked.outputs).toEqual([{ type: 'TEXT', data: 'name? Ada\nAda\n' }]);
    expect(errorOf(await run('1 / 0'))).toMatch(/ZeroDivisionError/);
    await run('import os');
    // The first completion loads the kernel's parser, which may take longer than its limit.
    const completions = async () =>
      (await kernel.complete!('os.getcw', 8)).map(({ value }) => value);
    await expect.poll(completions).toContain('getcwd');
    expect((await kernel.variables!())!.variables.map(({ name }) => name)).toContain('x');
    const id = (await kernels())[0]!.id;
    await kernel.close();
    await expect.poll(async () => (await kernels()).map((each) => each.id)).not.toContain(id);
  });

  it('is interrupted by a cancelled run and keeps its state', async () => {
    create({ 'jupyter.url': url });
    await run('x = 1');
    const { end: how } = await runAndAbort(
      kernel,
      'print("on", flush=True)\nimport time\nwhile True: time.sleep(0.01)',
      (text) => text.includes('on'),
    );
    expect(how).toEqual({ code: 'ABORT' });
    expect((await run('print(x)')).outputs[0]!.data).toMatch(/1\n$/);
  });

  it('loses no output when the connection breaks', async () => {
    line.isCut = false;
    create({ 'jupyter.url': `http://127.0.0.1:${await line.listen()}` });
    const go = join(root, 'go');
    let wasCut = false;
    const running = runCode(
      kernel,
      `import os, time\nprint("before", flush=True)\n` +
        `while not os.path.exists(${JSON.stringify(go)}): ` +
        'time.sleep(0.01)\nfor i in range(3): print(i, flush=True)\n"end"',
      {
        onOutput(text) {
          if (!text.includes('before') || wasCut) return;
          wasCut = true;
          line.cut();
          // The code ends while there is no connection. What the Jupyter server sends before it
          // notices the break is lost.
          void untilState(({ connections }) => connections === 0)
            .then(() => writeFileSync(go, ''))
            .then(() => untilState(({ execution_state: state }) => state === 'idle'))
            .then(() => (line.isCut = false));
        },
      },
    );
    expect((await running).end).toEqual({ code: 'SUCCESS' });
    expect(shownText(await running)).toBe("before\n0\n1\n2\n'end'\n");
  });

  it('whose process ends is described, and the next run starts a new one', async () => {
    create({ 'jupyter.url': url });
    expect(errorOf(await run('import os\nos._exit(3)'))).toMatch(
      /ended on the Jupyter server.*The next run starts a new one/,
    );
    expect(shownText(await run('print(1)'))).toBe('1\n');
  });

  it('that is shut down there during a run ends the run', async () => {
    create({ 'jupyter.url': url });
    let shutDown: Promise<unknown> | undefined;
    const { end: how } = await runCode(
      kernel,
      'print("on", flush=True)\nimport time\ntime.sleep(600)',
      {
        onOutput() {
          shutDown ??= kernels().then((all) => api('DELETE', `kernels/${all[0]!.id}`));
        },
      },
    );
    await shutDown;
    expect(how).toEqual({
      code: 'ERROR',
      message: expect.stringMatching(/(?:no longer|ended) on the Jupyter server/),
    });
  });

  it('that stays out of reach ends the run, and says that it may still run', async () => {
    const other = new Line();
    other.target = line.target;
    create({
      'jupyter.url': `http://127.0.0.1:${await other.listen()}`,
      'jupyter.patience': '1',
    });
    const { end: how } = await runCode(
      kernel,
      'print("on", flush=True)\nimport time\ntime.sleep(60)',
      {
        onOutput: () => other.close(),
      },
    );
    expect(how).toEqual({
      code: 'ERROR',
      message: expect.stringMatching(/is out of reach.*The kernel may still run there/),
    });
    expect(errorOf(await run('1'))).toMatch(/can't be reached.*Check jupyter\.url/);
    for (const { id } of await kernels()) await api('DELETE', `kernels/${id}`);
  });

  it('is chosen in brackets, as in Zeppelin', async () => {
    create({ 'jupyter.url': url });
    const on = (name: string) => runCode(kernel, '1 + 1', { options: { kernel: name } });
    expect(errorOf(await on('nope'))).toMatch(/no kernel nope/);
    expect((await on('python3')).outputs[0]!.data).toBe('2\n');
    expect(errorOf(await on('ir'))).toMatch(/^The kernel of this note is python3, not ir\./);
  });

  it('exchanges messages of widgets, with binary data in both directions', async () => {
    create({ 'jupyter.url': url });
    let comms: CommKernel | undefined;
    const code = [
      'from comm import create_comm',
      'data = {"state": {"value": None, "size": 0}, "buffer_paths": [["value"]]}',
      'c = create_comm("jupyter.widget", data, {}, [b"AB"], "one")',
      'def receive(message):',
      '    state = {"size": len(message["buffers"][1])}',
      '    c.send({"method": "update", "state": state, "buffer_paths": []})',
      'c.on_msg(receive)',
    ].join('\n');
    const place = { noteId: '2ABCDEFGH', paragraphId: 'paragraph_1_1' };
    expect((await runCode(kernel, code, { openComms: (opened) => (comms = opened) })).end).toEqual({
      code: 'SUCCESS',
    });
    const model = () => comms!.models(place.noteId, 'one')[0]!;
    expect(model()).toMatchObject({ data: { buffer_paths: [['value']] }, buffers: ['QUI='] });
    const buffers = ['QQ==', 'QUJD'];
    comms!.send(place, { type: 'comm_msg', comm: 'one', data: {}, buffers }, 'page-1');
    await until(() => (model().data['state'] as { size: number }).size === 3);
  });

  it('is ended by the next start if this server was killed meanwhile', async () => {
    create({ 'jupyter.url': url });
    await run('1');
    const id = (await kernels())[0]!.id;
    const again = jupyter.create(host);
    await runCode(again, '1');
    expect((await kernels()).map((each) => each.id)).not.toContain(id);
    await again.close();
  });

  it.each([
    [{ 'jupyter.token': 'wrong' }, /rejects the token \(403\).*jupyter\.token/],
    [{ 'jupyter.kernel': 'nope' }, /no kernel nope.*one of: .*python3/],
  ])('says what to correct: %o', async (properties, message) => {
    create({ 'jupyter.url': url, ...properties });
    expect(errorOf(await run('1'))).toMatch(message);
  });
});

describe('a Jupyter server', () => {
  afterEach(() => kernel.close());

  it.each([
    ['', /^No Jupyter server is configured\. Set jupyter\.url/],
    ['http://127.0.0.1:9', /^The Jupyter server http:\/\/127\.0\.0\.1:9 can't be reached \(/],
  ])('that is absent (%s) is named with what to do', async (url, message) => {
    create({ 'jupyter.url': url });
    expect(errorOf(await run('1'))).toMatch(message);
    expect(await kernel.complete!('a', 1)).toEqual([]);
  });

  it('must have an address of the web', () => {
    const check = jupyter.properties![0]!.check!;
    expect([check(''), check('https://hub.example/user/ada'), check('file:///etc')]).toEqual([
      undefined,
      undefined,
      'must be an address with http or https',
    ]);
  });
});
