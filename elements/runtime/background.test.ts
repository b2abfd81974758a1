import { createBackground } from './background.ts';
import { check, same } from '../result/test-kit.tsx';

const tasks = {
  add: ({ a, b }: { a: number; b: number }) => a + b,
  fail: () => {
    throw new Error('no such sum');
  },
};
/** Workers cannot be had from a script of the test itself; this one stands in a file that the page has already. */
const source =
  "onmessage = ({ data: { id, name, input } }) => name === 'add' ? postMessage({ id, value: input.a + input.b + 1000 }) : name === 'die' ? setTimeout(() => { throw new Error('gone') }) : postMessage({ id, error: 'no such sum' })";
const spawn = () =>
  new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
const failure = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: Error) => error.message,
  );

describe('work in the background', () => {
  it('is done by the worker, and what it throws is thrown', async () => {
    const background = createBackground<typeof tasks>(spawn, async () => tasks);
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

  it('is done here where a page allows no worker, or has its file nowhere', async () => {
    for (const refuse of [
      () => {
        throw new DOMException('not allowed', 'SecurityError');
      },
      () => new Worker('/nowhere.worker.js', { type: 'module' }),
    ]) {
      const background = createBackground<typeof tasks>(refuse, async () => tasks);
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

  it('is rejected when its worker is ended or breaks, and goes on in another', async () => {
    const background = createBackground<typeof tasks & { die: () => void }>(spawn, async () => ({
      ...tasks,
      die: () => {},
    }));
    same(await background.call('add', { a: 1, b: 2 }), 1003);
    check(
      (await failure(background.call('die', undefined as never))).includes('gone'),
      'the error is another',
    );
    const left = failure(background.call('add', { a: 1, b: 2 }));
    background.close();
    same(await left, 'the work was ended');
    same(await background.call('add', { a: 2, b: 2 }), 1004);
    background.close();
  });
});
