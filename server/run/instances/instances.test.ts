import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../test/support/until-end.ts';
import type { Interpreter, InterpreterHost, InterpreterSpec } from '../../interpreters/contract.ts';
import { until } from '../../interpreters/test-support.ts';
import { newNote } from '../../notes/note.ts';
import type { InterpreterPool, PoolOptions } from '../pool.ts';
import { openPool, startRun } from '../test-support.ts';
import type { InstanceUsers } from './ended-instances.ts';

const HOUR_MS = 3_600_000;

let data: string;
let pool: InterpreterPool;
let users: string[];
let hosts: InterpreterHost[];
let made: WeakRef<Interpreter>[];
let told: { users: InstanceUsers; notice: string }[];

/** Keeps one variable: `n` counts its runs, except `none`. `wait` runs until it is aborted. */
const counting = (name: string, more: Partial<InterpreterSpec> = {}): InterpreterSpec => ({
  name,
  editor: { language: 'text', editOnDblClick: false },
  sharing: { perNote: 'isolated', perUser: '' },
  create(host) {
    hosts.push(host);
    let n = 0;
    const closing = new AbortController();
    const interpreter: Interpreter = {
      get state() {
        return n > 0 ? 'variables' : undefined;
      },
      async run({ code, signal, output }) {
        if (code !== 'none') n += 1;
        if (code === 'wait') {
          const stopped = AbortSignal.any([signal, closing.signal]);
          await new Promise((resolve) => stopped.addEventListener('abort', resolve));
          return { code: 'ABORT' };
        }
        if (code === 'login') output.write(host.credential('db').username);
        output.write(`n=${n}`);
        return { code: 'SUCCESS' };
      },
      async complete() {
        return [{ name: 'n', value: 'n' }];
      },
      async close() {
        closing.abort();
      },
    };
    made.push(new WeakRef(interpreter));
    return interpreter;
  },
  ...more,
});

const start = async (options: Partial<PoolOptions> = {}): Promise<void> => {
  const specs = [
    counting('own'),
    counting('engine', {
      sessions: true,
      sharesProcess: true,
      sharing: { perNote: 'scoped', perUser: '' },
    }),
  ];
  ({ pool } = await openPool(data, specs, {
    shellAllowed: () => users.length === 1,
    isAlone: () => users.length === 1,
    notify: (to, notice) => void told.push({ users: to, notice }),
    ...options,
  }));
};

/** Starts again with other options. */
const restart = async (options?: Partial<PoolOptions>): Promise<void> => {
  await pool.close();
  await start(options);
};

beforeEach(async () => {
  data = temporaryFolder();
  [users, hosts, made, told] = [['ada'], [], [], []];
  await start();
});
afterEach(async () => {
  vi.useRealTimers();
  await pool.close();
});

const begin = (magic: string, noteId: string, principal: string, code = '', isWhole = false) =>
  startRun(pool, magic, { code, noteId, principal }, { isWhole });
const run = async (...given: Parameters<typeof begin>): Promise<string> => {
  const started = begin(...given);
  const ended = await started.end;
  return ended.code === 'ERROR' ? ended.message : started.text;
};
const notes = (): (string | undefined)[] => pool.instances().map(({ noteId }) => noteId);

describe('a process per note', () => {
  it('is the default: people share variables on a note, notes do not', async () => {
    expect(await run('own', 'A', 'ada')).toBe('n=1');
    expect(await run('own', 'B', 'ada')).toBe('n=1');
    expect(await run('own', 'A', 'bob')).toBe('n=2');
    expect(hosts.map(({ folder }) => folder)[0]).not.toBe(hosts[1]!.folder);
    expect(pool.isShared('own', { noteId: 'A', principal: 'ada' })).toBe(false);
  });

  it('is restarted for its note only, and the people there are told', async () => {
    await run('own', 'A', 'ada');
    await run('own', 'B', 'ada');
    await pool.restart('own', { noteId: 'A', principal: 'bob' }, 'because bob restarted it');
    expect(told).toEqual([
      {
        users: { notes: ['A'], principal: undefined },
        notice:
          'Interpreter own ended because bob restarted it, and its variables are lost. ' +
          'The next run starts it again.',
      },
    ]);
    expect([await run('own', 'A', 'ada'), await run('own', 'B', 'ada')]).toEqual(['n=1', 'n=2']);
  });

  it('ends with its note, and leaves nothing behind', async () => {
    await run('own', 'A', 'ada');
    await run('own', 'B', 'ada');
    const folder = hosts[0]!.folder;
    expect(existsSync(folder)).toBe(true);
    await pool.forget('A');
    expect(notes()).toEqual(['B']);
    expect(told).toEqual([]);
    expect(existsSync(folder)).toBe(false);
    expect(existsSync(hosts[1]!.folder)).toBe(true);
  });

  it('is not kept in memory after it has ended', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    for (let n = 0; n < 50; n += 1) {
      await run('own', `N${n}`, 'ada');
      await pool.restart('own', { noteId: `N${n}`, principal: 'ada' });
    }
    hosts = [];
    await until(() => {
      collect();
      return made.filter((ref) => ref.deref()).length <= 1;
    });
  });

  it('continues when a user is added, which confines it', async () => {
    await run('own', 'A', 'ada');
    expect(hosts[0]!.openFiles).toBe(true);
    users.push('bob');
    expect(await run('own', 'A', 'ada')).toBe('n=2');
    expect(hosts[0]!.openFiles).toBe(false);
    expect(told).toEqual([]);
  });

  it('ends with a notice when a user is added, if it has used credentials', async () => {
    await run('own', 'A', 'ada', 'login');
    users.push('bob');
    expect(await run('own', 'A', 'bob')).toBe('n=1');
    const what =
      'Interpreter own ended because it has used credentials and other users can sign in now, ' +
      'and its variables are lost.';
    expect(told.map(({ notice }) => notice)).toEqual([
      `${what} The next run starts it again.`,
      `${what} This run has started it again.`,
    ]);
  });
});

describe('an idle process', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  });

  it('ends with a notice on the note; the next run says so once', async () => {
    await restart();
    await run('own', 'A', 'ada');
    await run('own', 'A', 'bob');
    await vi.advanceTimersByTimeAsync(HOUR_MS - 120_000);
    await run('own', 'B', 'ada');
    expect(notes()).toEqual(['A', 'B']);
    await vi.advanceTimersByTimeAsync(180_000);
    expect(notes()).toEqual(['B']);
    const what =
      'Interpreter own ended after 60 minutes without a run, and its variables are lost.';
    expect(told).toEqual([
      {
        users: { notes: ['A'], principal: undefined },
        notice: `${what} The next run starts it again.`,
      },
    ]);
    expect(await run('own', 'A', 'ada')).toBe('n=1');
    expect(await run('own', 'A', 'ada')).toBe('n=2');
    expect(told.slice(1)).toEqual([
      {
        users: { notes: ['A'], principal: undefined, paragraphId: 'p1' },
        notice: `${what} This run has started it again.`,
      },
    ]);
  });

  it('does not end while it runs; a run of the whole note needs no notice', async () => {
    await restart({ maxIdleMs: 1_000 });
    const busy = begin('own', 'A', 'ada', 'wait');
    // A run is on before its process exists.
    await until(() => hosts.length === 1);
    await run('engine', 'A', 'ada');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(pool.instances().map(({ session }) => session.interpreter)).toEqual(['own']);
    expect(told.map(({ notice }) => notice)).toEqual([
      expect.stringMatching(/^Interpreter engine ended after 1 seconds without a run/),
    ]);
    expect(await run('engine', 'A', 'ada', '', true)).toBe('n=1');
    busy.abort.abort();
    await busy.end;
  });
});

describe('limits of processes', () => {
  it('end the least recently used idle process of the same user', async () => {
    await restart({ maxUserInstances: 2 });
    await run('own', 'A', 'ada');
    await run('own', 'B', 'ada');
    await run('own', 'X', 'bob');
    await run('own', 'A', 'ada');
    expect(await run('own', 'C', 'ada')).toBe('n=1');
    expect(notes().sort()).toEqual(['A', 'C', 'X']);
    expect(told[0]).toEqual({
      users: { notes: ['B'], principal: undefined },
      notice:
        'Interpreter own ended to make room for another process, and its variables are lost. ' +
        'The next run starts it again.',
    });
  });

  it.each([
    ['of a user', { maxUserInstances: 2 }, 'ada'],
    ['of the server', { maxInstances: 2 }, 'bob'],
  ])('%s end a process without variables first, whoever uses it', async (_, limit, who) => {
    await restart(limit);
    await run('own', 'A', 'ada');
    await run('own', 'B', 'ada', 'none');
    expect(await run('own', 'C', who)).toBe('n=1');
    expect(notes().sort()).toEqual(['A', 'C']);
    expect(told).toEqual([]);
  });

  it('refuse a process with a message that says what to do if all are running', async () => {
    await restart({ maxUserInstances: 2 });
    const busy = ['A', 'B'].map((noteId) => begin('own', noteId, 'ada', 'wait'));
    // A run has begun before its process exists.
    await until(() => hosts.length === 2 && busy.every(({ began }) => began));
    expect(await run('own', 'C', 'ada')).toBe(
      'You have 2 interpreter processes, the most that a user may have, and all of them are ' +
        'running. Wait for a run to end or cancel one, then run this again.',
    );
    // Another user, and an interpreter without a process of its own.
    expect(await run('own', 'C', 'bob')).toBe('n=1');
    expect(await run('engine', 'C', 'ada')).toBe('n=1');
    for (const { abort } of busy) abort.abort();
    await Promise.all(busy.map(({ end }) => end));
    expect(await run('own', 'D', 'ada')).toBe('n=1');
  });

  it('of the server spare what others used recently', async () => {
    await restart({ maxInstances: 2 });
    await run('own', 'A', 'ada');
    await run('own', 'B', 'ada');
    expect(await run('own', 'C', 'bob')).toBe(
      'All 2 interpreter processes that this server may have are in use. Try again later, or ask ' +
        'an administrator to restart one that is no longer needed or to raise the limit ' +
        '(--limit interpreters).',
    );
    expect(notes()).toEqual(['A', 'B']);
    const now = performance.now();
    vi.useFakeTimers({ toFake: ['performance'] });
    // The fake clock starts at 0.
    vi.advanceTimersByTime(now + 700_000);
    await run('own', 'B', 'ada');
    expect(await run('own', 'C', 'bob')).toBe('n=1');
    expect(notes().sort()).toEqual(['B', 'C']);
    expect(await run('own', 'D', 'bob')).toBe('n=1');
    expect(notes().sort()).toEqual(['B', 'D']);
  });

  it('are not enforced by typing: completion ends no process', async () => {
    await restart({ maxUserInstances: 1 });
    await run('own', 'A', 'ada');
    const ask = (noteId: string) =>
      pool.ask(
        pool.lookup.find('own', newNote('n', [], noteId))!,
        { noteId, principal: 'ada' },
        () => Promise.resolve('an answer'),
      );
    expect(await ask('B')).toBeUndefined();
    expect(await ask('A')).toBe('an answer');
    expect(await run('own', 'A', 'ada')).toBe('n=2');
  });
});
