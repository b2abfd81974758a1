import { readFile } from 'node:fs/promises';
import { afterEach, expect, it } from 'vitest';
import { Metrics } from './metrics.ts';

const metrics = new Metrics({
  sockets: () => 0,
  local: { runs: () => ({ pending: 0, running: 0 }), saves: () => 0, interpreters: () => 0 },
  upstream: () => true,
});
afterEach(() => metrics.close());

const blockFor = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

it('counts delays of the event loop above 200 ms, and the page lists every metric', async () => {
  const value = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name} (.+)$`, 'm').exec((await metrics.text()).body)?.[1]);
  // The first samples start the measurement.
  await new Promise((resolve) => setTimeout(resolve, 60));
  const before = await value('tiding_event_loop_blocked_total');
  await new Promise((resolve) => setTimeout(resolve, 60));
  blockFor(300);
  await expect.poll(() => value('tiding_event_loop_blocked_total')).toBeGreaterThan(before);
  const { body } = await metrics.text();
  const names = [...body.matchAll(/^# TYPE (tiding_\w+)/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(10);
  const page = await readFile(new URL('../../docs/operate/monitoring.md', import.meta.url), 'utf8');
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
