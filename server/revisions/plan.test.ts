import { expect, it } from 'vitest';
import { MAX_RETRY_MS, SyncPlan } from './plan.ts';

const plan = (intervalMs = 600_000) => {
  const made = new SyncPlan({
    syncDelayMs: 5_000,
    syncIntervalMs: intervalMs,
    syncRetryMs: 30_000,
  });
  made.begin(0);
  return made;
};

it('is due at intervals, and never without an interval or a change', () => {
  expect(plan().due).toBe(600_000);
  expect(plan(0).due).toBeUndefined();
});

it('is due soon after a checkpoint, once for a series, and never postponed forever', () => {
  const made = plan();
  made.changed(1_000);
  expect(made.due).toBe(6_000);
  made.changed(4_000);
  expect(made.due).toBe(9_000);
  for (let now = 5_000; now <= 60_000; now += 1_000) made.changed(now);
  expect(made.due).toBe(51_000);
  made.started();
  expect(made.due).toBeUndefined();
  made.changed(52_000);
  expect(made.due).toBe(57_000);
  made.ended(60_000, 'ok');
  expect(made.due).toBe(57_000);
});

it('waits longer after each failure, up to an hour, whatever changes meanwhile', () => {
  const made = plan(0);
  const waits: number[] = [];
  for (let n = 0; n < 12; n += 1) {
    made.started();
    made.ended(0, 'failed');
    made.changed(0);
    waits.push(made.due!);
  }
  expect(waits.slice(0, 4)).toEqual([30_000, 60_000, 120_000, 240_000]);
  expect(waits.at(-1)).toBe(MAX_RETRY_MS);
  expect(made.failures).toBe(12);
  made.started();
  made.ended(100, 'ok');
  expect([made.due, made.failures]).toEqual([undefined, 0]);
  made.changed(200);
  expect(made.due).toBe(5_200);
});

it('retries soon if a note is running, without counting a failure', () => {
  const made = plan();
  made.started();
  made.ended(1_000, 'busy');
  expect([made.due, made.failures]).toEqual([31_000, 0]);
});
