import { check, same } from '../../result/test-support.tsx';
import { createWorkerTasks } from './worker-tasks.ts';

const tasks = {
  add: ({ a, b }: { a: number; b: number }) => a + b,
  fail: () => {
    throw new Error('no such sum');
  },
};
/** A worker can't be created from the test file itself, so its source is a string. */
const source =
  "onmessage = ({ data: { id, name, input } }) => name === 'add' ? postMessage({ id, " +
  "value: input.a + input.b + 1000 }) : name === 'die' ? setTimeout(() => { throw new " +
  "Error('gone') }) : postMessage({ id, error: 'no such sum' })";
const spawn = () =>
  new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
const failure = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: Error) => error.message,
  );

describe('background work', () => {
  it('runs in the worker and rejects with the errors it throws', async () => {
    const background = createWorkerTasks<typeof tasks>(spawn, async () => tasks);
    same(
      await Promise.all([
        background.call('add', { a: 1, b: 2 }),
        background.call('add', { a: 3, b: 4 }),
      ]),
      [1003, 1007],
    );
    same(await failure(background.call('fail', undefined as never)), 'no such sum');
    background.close();
  });

  it('runs on the main thread if workers are forbidden or the worker file is missing', async () => {
    for (const refuse of [
      () => {
        throw new DOMException('not allowed', 'SecurityError');
      },
      () => new Worker('/nowhere.worker.js', { type: 'module' }),
    ]) {
      const background = createWorkerTasks<typeof tasks>(refuse, async () => tasks);
      same(
        await Promise.all([
          background.call('add', { a: 1, b: 2 }),
          background.call('add', { a: 3, b: 4 }),
        ]),
        [3, 7],
      );
      same(await failure(background.call('fail', undefined as never)), 'no such sum');
    }
  });

  it('rejects when its worker is terminated or crashes, and continues in a new one', async () => {
    const background = createWorkerTasks<typeof tasks & { die: () => void }>(spawn, async () => ({
      ...tasks,
      die: () => {},
    }));
    same(await background.call('add', { a: 1, b: 2 }), 1003);
    check(
      (await failure(background.call('die', undefined as never))).includes('gone'),
      'another error',
    );
    const left = failure(background.call('add', { a: 1, b: 2 }));
    background.close();
    same(await left, 'The background worker was closed.');
    same(await background.call('add', { a: 2, b: 2 }), 1004);
    background.close();
  });
});
