import { check, pause, same, waitUntil } from '../result/test-support.tsx';
import { nextTask, runInSlices, sliceYielder } from './slices.ts';
import { observeViewport } from './viewport.ts';

const work = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end; );
};

describe('work in slices', () => {
  it('calls a step until it returns false, with other tasks in between', async () => {
    let steps = 0;
    let others = 0;
    const timer = setInterval(() => (others += 1));
    await new Promise<void>((resolve) => {
      runInSlices(() => {
        work(5);
        if ((steps += 1) < 20) return true;
        resolve();
        return false;
      });
    });
    clearInterval(timer);
    await nextTask();
    same(steps, 20);
    check(others > 0, 'no other task ran');
  });

  it('stops when it is cancelled', async () => {
    let steps = 0;
    const stop = runInSlices(() => ((steps += 1), work(10), true));
    await nextTask();
    await nextTask();
    stop();
    const before = steps;
    for (let n = 0; n < 5; n += 1) await nextTask();
    same(steps, before);
  });

  it('yields only after a slice, and reports the first time', async () => {
    let reports = 0;
    const rest = sliceYielder({ sliceMs: 20, onFirstYield: () => (reports += 1) });
    same([rest() === undefined, reports], [true, 0]);
    for (let n = 0; n < 2; n += 1) {
      work(25);
      const pause = rest();
      check(pause instanceof Promise, 'it does not yield');
      await pause;
    }
    same(reports, 1);
  });
});

describe('the viewport observer', () => {
  it('reports each element to each listener, until it is stopped', async () => {
    const [near, far] = [0, 1].map(() => document.body.appendChild(document.createElement('div')));
    Object.assign(far!.style, {
      position: 'absolute',
      top: '9000px',
      height: '10px',
      width: '10px',
    });
    Object.assign(near!.style, { position: 'absolute', top: '0', height: '10px', width: '10px' });
    const seen: string[] = [];
    const stops = [
      observeViewport(near!, '0px', (isNear) => seen.push(`one ${isNear}`)),
      observeViewport(far!, '0px', (isNear) => seen.push(`far ${isNear}`)),
    ];
    await waitUntil(() => seen.length === 2, 'both');
    same(seen.sort(), ['far false', 'one true']);
    const second = observeViewport(near!, '0px', (isNear) => seen.push(`two ${isNear}`));
    await waitUntil(() => seen.includes('two true'), 'a call of the second listener');
    second();
    for (const stop of stops) stop();
    const before = seen.length;
    near!.style.top = '9000px';
    await pause(300);
    same(seen.length, before);
    near!.remove();
    far!.remove();
  });
});
