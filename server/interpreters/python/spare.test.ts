import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../test/support/until-end.ts';
import type { Interpreter } from '../contract.ts';
import { SpareKernel, spareFolderOf } from '../kernels/spare-kernel.ts';
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
import { python } from './python.ts';

/** The other cases take a minute and a half: `npm run test:long`. */
const other = process.env['ALL_KERNELS'] ? it : it.skip;

describe('the spare kernel of %python', { timeout: 300_000 }, () => {
  let settingFolder: string;
  let spare: SpareKernel;
  let hasRoom: boolean;
  let warnings: string[];
  let open: { host: TestHost; kernel: Interpreter }[];

  const newSpare = (maxIdleMs = 3_600_000): SpareKernel =>
    new SpareKernel(
      { maxIdleMs, log: { warn: (_, message) => void warnings.push(message) } },
      () => hasRoom,
    );
  /** A note with folders of its own. */
  const note = (options: Parameters<typeof testHost>[0] = {}) => {
    const host = testHost({ settingFolder, spare, ...options });
    const kernel = python.create(host);
    open.push({ host, kernel });
    const run = (code: string) => runCode(kernel, code);
    const print = async (code: string): Promise<string> => {
      const { end, outputs } = await run(code);
      expect(end).toEqual({ code: 'SUCCESS' });
      return shownText({ outputs }).trim();
    };
    return {
      host,
      kernel,
      run,
      print,
      pid: async () => Number(await print('import os; print(os.getpid())')),
    };
  };
  const ready = (): Promise<number> => until(() => spare.pid);
  const gone = (pid: number): Promise<true> => until(() => !isAlive(pid));
  const records = (): string[] =>
    existsSync(join(settingFolder, 'processes'))
      ? readdirSync(join(settingFolder, 'processes'))
      : [];
  const spareFolders = (): string[] =>
    existsSync(spareFolderOf(settingFolder)) ? readdirSync(spareFolderOf(settingFolder)) : [];

  beforeAll(async () => {
    // Creates the environment if this machine has none.
    const host = testHost();
    const kernel = python.create(host);
    expect((await runCode(kernel, '1')).end).toEqual({ code: 'SUCCESS' });
    await kernel.close();
  }, 600_000);
  beforeEach(() => {
    settingFolder = temporaryFolder();
    [hasRoom, warnings, open] = [true, [], []];
    spare = newSpare();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await Promise.all([spare.close(), ...open.map(({ kernel }) => kernel.close())]);
  });

  it('starts after the first run of a note, and the next note takes it in 10 minutes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const first = note();
    expect(spare.pid).toBeUndefined();
    const pid = await first.pid();
    const waiting = await ready();
    expect(waiting).not.toBe(pid);
    // Its record lets the next server end it.
    expect(records()).toHaveLength(1);
    const second = note();
    expect(await second.pid()).toBe(waiting);
    expect(second.host.statuses).toEqual(['READY']);
    expect(records()).toHaveLength(1);
    expect(spareFolders()).toEqual([]);
    const unused = await ready();
    expect(unused).not.toBe(waiting);
    await second.kernel.close();
    expect(isAlive(waiting)).toBe(false);
    // The time that passed since it was ready counts.
    vi.advanceTimersByTime(590_000);
    expect(spare.pid).toBe(unused);
    vi.advanceTimersByTime(10_000);
    await gone(unused);
    expect(warnings).toEqual([]);
  });

  other('serves a note as if it had started in its folder', async () => {
    const first = note();
    await first.print('secret = 1\nimport os\nos.environ["SECRET"] = "x"\n%store secret');
    const pid = await ready();
    const { host, print, run } = note();
    writeFileSync(join(host.files, 'helper.py'), 'value = 42');
    expect(await print('import helper, os; print(helper.value, os.getpid())')).toBe(`42 ${pid}`);
    expect(await print('print(os.getcwd(), _dh, get_ipython().starting_dir)')).toBe(
      `${host.files} [PosixPath('${host.files}')] ${host.files}`,
    );
    const own = join(host.folder, 'ipython');
    expect(await print('print(os.environ["IPYTHONDIR"], get_ipython().ipython_dir)')).toBe(
      `${own} ${own}`,
    );
    expect(await print('!echo $IPYTHONDIR $PWD')).toBe(`${own} ${host.files}`);
    expect(await print('print(get_ipython().profile_dir.location)')).toBe(
      join(own, 'profile_default'),
    );
    expect(await print('print("SECRET" in os.environ, "secret" in globals())')).toBe('False False');
    expect(await print('%store -r\nprint("secret" in globals())')).toBe('False');
    expect(await print('print([n for n in globals() if n.startswith("_tiding")])')).toBe(
      "['_tiding_sql']",
    );
    const plot = await run('import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()');
    expect(plot.outputs.map(({ type }) => type)).toContain('IMG');
    const table = await run('import pandas as pd\npd.DataFrame({"a": [1]})');
    expect(table.outputs.map(({ type }) => type)).toEqual(['TABLE']);
    expect(errorOf(await run('z.put("t", pd.DataFrame({"a": [1]}))'))).toContain('RuntimeError');
    expect(await print('kept = 7')).toBe('');
    expect((await run('In[1]')).outputs[0]?.data).toContain('import helper');
    const listed = await open[1]!.kernel.variables?.();
    expect(listed?.variables.map(({ name }) => name)).toContain('kept');
  });

  other('can be cancelled and killed like another kernel', async () => {
    await note().pid();
    const pid = await ready();
    const second = note();
    const cancelled = await runAndAbort(
      second.kernel,
      'import time\nprint("on", flush=True)\ntime.sleep(600)',
      (text) => text.includes('on'),
    );
    expect(cancelled.end).toEqual({ code: 'ABORT' });
    expect(await second.pid()).toBe(pid);
    const died = await second.run('import os, signal; os.kill(os.getpid(), signal.SIGKILL)');
    expect(errorOf(died)).toContain('SIGKILL');
    expect(await second.pid()).not.toBe(pid);
  });

  other('is taken by one of two notes that start at once', async () => {
    await note().pid();
    const pid = await ready();
    const pids = await Promise.all([note().pid(), note().pid()]);
    expect(pids.filter((each) => each === pid)).toHaveLength(1);
    expect(pids[0]).not.toBe(pids[1]);
  });

  other('is not taken by a note of another environment, and ends', async () => {
    await note().pid();
    const pid = await ready();
    const other = note({ properties: { 'python.environment': 'PLACE=there' } });
    expect(await other.print('import os; print(os.environ["PLACE"], os.getpid())')).not.toContain(
      String(pid),
    );
    await gone(pid);
    const next = await ready();
    const same = note({ properties: { 'python.environment': 'PLACE=there' } });
    expect(await same.print('import os; print(os.environ["PLACE"], os.getpid())')).toBe(
      `there ${next}`,
    );
  });

  other(
    'is not taken by a note with a profile of its own, which may run code at the start',
    async () => {
      await note().pid();
      const pid = await ready();
      const second = note();
      const startup = join(second.host.folder, 'ipython/profile_default/startup');
      mkdirSync(startup, { recursive: true });
      writeFileSync(join(startup, 'mine.py'), 'mine = 1');
      expect(await second.print('import os; print(mine, os.getpid())')).not.toContain(String(pid));
      expect(spare.pid).toBe(pid);
    },
  );

  other('is not taken after packages were installed', async () => {
    const modules = join(settingFolder, 'modules');
    mkdirSync(modules);
    const properties = { 'python.environment': `PYTHONPATH=${modules}` };
    await note({ properties }).pid();
    const pid = await ready();
    writeFileSync(join(modules, 'sitecustomize.py'), 'import sys; sys.mark = 1');
    const second = note({ properties });
    expect(await second.print('import sys; print(getattr(sys, "mark", 0))')).toBe('1');
    expect(isAlive(pid)).toBe(false);
  });

  other('does not start if Python starts differently in another folder', async () => {
    const properties = { 'python.environment': 'PYTHONPATH=lib' };
    await note({ properties }).pid();
    await wait(2_000);
    expect(spare.pid).toBeUndefined();
    expect(records()).toEqual([]);
  });

  other('is not taken by a process of a Spark cluster', async () => {
    await note().pid();
    const pid = await ready();
    const master = { master: 'spark://127.0.0.1:7077', variables: {}, sameMachine: true };
    expect(await note({ spark: async () => master }).pid()).not.toBe(pid);
    expect(spare.pid).toBe(pid);
  });

  other('ends when its setting ends, and only then', async () => {
    await note().pid();
    const pid = await ready();
    await spare.end(join(settingFolder, 'other'));
    expect(spare.pid).toBe(pid);
    await spare.end(settingFolder);
    expect(isAlive(pid)).toBe(false);
    expect([records(), spareFolders()]).toEqual([[], []]);
    expect(await note().pid()).not.toBe(pid);
  });

  other('ends when no note takes it in the idle time', async () => {
    spare = newSpare(200);
    await note().pid();
    await gone(await ready());
    await until(() => records().length === 0 && spareFolders().length === 0);
  });

  other('is replaced after it has died', async () => {
    await note().pid();
    const pid = await ready();
    process.kill(pid, 'SIGKILL');
    await until(() => spare.pid === undefined);
    expect(await note().pid()).not.toBe(pid);
    expect(await ready()).not.toBe(pid);
  });

  other('does not start without room for it', async () => {
    hasRoom = false;
    await note().pid();
    await wait(2_000);
    expect(records()).toEqual([]);
    hasRoom = true;
    await note().pid();
    await ready();
  });

  other('leaves nothing behind when the server closes, also while it starts', async () => {
    await note().pid();
    await until(() => records().length > 0);
    await spare.close();
    expect([records(), spareFolders()]).toEqual([[], []]);
    expect(readdirSync(settingFolder).filter((name) => name.startsWith('kernel-'))).toEqual([]);
    await note().pid();
    expect(spare.pid).toBeUndefined();
  });
});
