import { check, same } from '../result/test-support.tsx';
import { frameScheduler } from './frame-scheduler.ts';

const frame = (): Promise<void> =>
  new Promise((resolve) => void requestAnimationFrame(() => resolve()));

describe('the scheduler of a page', () => {
  it('shows the first change at once and further ones once a frame', async () => {
    const schedule = frameScheduler();
    let flushes = 0;
    const flush = (): void => void (flushes += 1);
    schedule(flush);
    same(flushes, 0, 'not within the event that changes the state');
    await Promise.resolve();
    same(flushes, 1, 'before the next frame');
    schedule(flush);
    await Promise.resolve();
    same(flushes, 1, 'within a frame of the last one');
    await frame();
    same(flushes, 2, 'in the next frame');
  });

  it('is at once again after a pause', async () => {
    const schedule = frameScheduler();
    let flushes = 0;
    const flush = (): void => void (flushes += 1);
    schedule(flush);
    await new Promise((resolve) => setTimeout(resolve, 60));
    schedule(flush);
    await Promise.resolve();
    check(flushes === 2, 'without a frame in between');
  });

  it('holds changes back until it is released, and shows them together', async () => {
    const schedule = frameScheduler();
    let flushes = 0;
    const flush = (): void => void (flushes += 1);
    const release = schedule.hold();
    schedule(flush);
    await frame();
    same(flushes, 0, 'while it is held');
    release();
    release();
    await frame();
    same(flushes, 1, 'in the frame after the release');
  });

  it('holds changes back for a short time only, however often it is asked', async () => {
    const schedule = frameScheduler();
    let flushes = 0;
    schedule.hold();
    schedule(() => void (flushes += 1));
    const began = performance.now();
    while (flushes === 0 && performance.now() - began < 5_000) {
      schedule.hold();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    same(flushes, 1, 'without a release');
  });
});
