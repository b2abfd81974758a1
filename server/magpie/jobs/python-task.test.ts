import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/until-end.ts';
import { preparePython } from '../../interpreters/python/environment.ts';
import { isAlive } from '../../interpreters/test-support.ts';
import { type PythonTask, PythonTasks } from './python-task.ts';

let root: string;
let lines: [string, string][];
let tasks: PythonTasks;

// Creates the Python environment if the machine has none yet.
const notes = temporaryFolder();
await preparePython({
  folder: notes,
  signal: new AbortController().signal,
  onBuild: () => undefined,
  tell: () => undefined,
});
await rm(notes, { recursive: true });

beforeEach(async () => {
  root = temporaryFolder();
  lines = [];
  tasks = new PythonTasks({ folder: join(root, 'own'), files: join(root, 'files') });
});

const run = (script: string, more: Partial<PythonTask> = {}) =>
  tasks.run({
    script,
    signal: new AbortController().signal,
    log: (type, message) => void lines.push([type, message]),
    ...more,
  });
const output = () => lines.filter(([type]) => type === 'TaskOutput').map(([, message]) => message);
const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe('a Python task', () => {
  test('logs the lines of both outputs in order and leaves no script behind', async () => {
    await run(
      `import os, sys
print("500 rows äöü")
print("careful", file=sys.stderr)
print("10%\\r50%\\r100%")
print(os.getcwd().endswith("files"), os.environ.get("NAME"))
sys.stdout.write("no line end")`,
      { environment: { NAME: 'value' } },
    );
    expect(output()).toEqual(['500 rows äöü', 'careful', '100%', 'True value', 'no line end']);
    expect((await readdir(join(root, 'own'))).filter((name) => name.startsWith('task-'))).toEqual(
      [],
    );
  });

  test('has the packages of the environment, no server secrets, and no input', async () => {
    process.env['TIDING_ADMIN_PASSWORD'] = 'secret';
    try {
      await run(
        'import os, pandas\n' +
          'print(len(pandas.DataFrame({"a": [1, 2]})), "TIDING_ADMIN_PASSWORD" in os.environ)\n' +
          'try:\n    input()\nexcept EOFError:\n    print("nobody there")',
      );
    } finally {
      delete process.env['TIDING_ADMIN_PASSWORD'];
    }
    expect(output()).toEqual(['2 False', 'nobody there']);
  });

  test('fails with the last line of the traceback, or with the exit code', async () => {
    await expect(run('1 / 0')).rejects.toMatchObject({
      code: 'ExecutionError',
      message: 'The script ended with exit code 1: ZeroDivisionError: division by zero',
    });
    expect(output()[0]).toBe('Traceback (most recent call last):');
    await expect(run('import sys; sys.exit(3)')).rejects.toThrow(
      'The script ended with exit code 3.',
    );
    await expect(run('def (')).rejects.toThrow('SyntaxError');
  });

  test('ends on abort together with its child processes, even if they ignore SIGTERM', async () => {
    const stop = new AbortController();
    const reason = new Error('The task was stopped');
    const done = run(
      `import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
child = subprocess.Popen(sleep, start_new_session=True)
print(os.getpid(), child.pid)
time.sleep(600)`,
      { signal: stop.signal },
    );
    await until(() => output().length > 0);
    const pids = output()[0]!.split(' ').map(Number);
    expect(pids.map(isAlive)).toEqual([true, true]);
    stop.abort(reason);
    await expect(done).rejects.toBe(reason);
    await until(() => !pids.some(isAlive));
  });

  test('stops background processes when it ends, without waiting for them', async () => {
    await run('import subprocess\nprint(subprocess.Popen(["sleep", "600"]).pid)');
    await until(() => !isAlive(Number(output()[0])));
  });

  test('reports a Python interpreter that does not exist', async () => {
    tasks = new PythonTasks({
      folder: join(root, 'own'),
      files: join(root, 'files'),
      program: join(root, 'nothing'),
    });
    await expect(run('1')).rejects.toMatchObject({
      code: 'ExecutionError',
      message: `There is no Python at ${join(root, 'nothing')} (python.path).`,
    });
    await expect(run('1', { signal: AbortSignal.abort(new Error('cancelled')) })).rejects.toThrow(
      'cancelled',
    );
  });
});
