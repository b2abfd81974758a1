/** The spare kernel of %python on a running server: when it exists, and when it ends. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { InterpreterSession, Note } from '@tiding/client/protocol';
import { afterEach, expect, it, vi } from 'vitest';
import type { ServerOptions } from '../server/index.ts';
import { bodyOf, type People, twoPeople } from './support/people.ts';
import { processesIn } from './support/process.ts';

// The environment of Python may be created here.
vi.setConfig({ testTimeout: 600_000 });
const poll = { timeout: 60_000, interval: 50 };

let people: People;
afterEach(() => people.stop());

const start = async (options: Partial<ServerOptions> = {}): Promise<void> => {
  people = await twoPeople({ spareKernel: true, ...options });
};
const run = (note: Note, text: string) => people.run(people.admin, note, text);
/** Processes in the folder of spare kernels. */
const spares = () => processesIn(join(people.data, 'interpreters/python/spare-kernels'));
const spare = async (): Promise<number> => {
  await expect.poll(spares, poll).toHaveLength(1);
  return spares()[0]!;
};
const sessions = () => bodyOf<InterpreterSession[]>(people.call(people.admin, 'GET', '/session'));

/** The other cases take a minute: `npm run test:long`. */
const other = process.env['ALL_KERNELS'] ? it : it.skip;

it('starts after a run, is in no list, and ends with a change of its setting', async () => {
  await start();
  const note = await people.create('');
  await run(note, '%js\nconsole.log(1)');
  expect(await run(note, '%python\nprint(2)')).toBe('2');
  const pid = await spare();
  expect(await sessions()).toHaveLength(2);
  await bodyOf(
    people.call(people.admin, 'PUT', '/interpreter/setting/python', {
      properties: {
        'python.environment': { name: 'python.environment', value: 'PLACE=there' },
      },
    }),
  );
  await expect.poll(() => existsSync(`/proc/${pid}`), poll).toBe(false);
  const other = await people.create('');
  expect(await run(other, '%python\nimport os; print(os.environ["PLACE"])')).toBe('there');
  const next = await spare();
  await bodyOf(people.call(people.admin, 'PUT', '/interpreter/setting/restart/python', {}));
  await expect.poll(() => existsSync(`/proc/${next}`), poll).toBe(false);
});

other('gives way to a process that fills the limit of the server', async () => {
  await start({ maxInterpreters: 3 });
  const [a, b] = [await people.create(''), await people.create('')];
  expect(await run(a, '%python\nprint(1)')).toBe('1');
  const pid = await spare();
  expect(await run(a, '%js\nconsole.log(2)')).toBe('2');
  expect(await spare()).toBe(pid);
  expect(await run(b, '%js\nconsole.log(3)')).toBe('3');
  await expect.poll(() => existsSync(`/proc/${pid}`), poll).toBe(false);
  expect(await sessions()).toHaveLength(3);
});

other('does not outlive its server', async () => {
  await start();
  expect(await run(await people.create(''), '%python\nprint(1)')).toBe('1');
  const pid = await spare();
  await people.restart();
  expect(existsSync(`/proc/${pid}`)).toBe(false);
  expect(spares()).toEqual([]);
});
