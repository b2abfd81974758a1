import { readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../../test/support/until-end.ts';
import { startGroup } from './process-group.ts';
import { lowerPriority, NICER_BY, setNicerBy } from './process-priority.ts';

setNicerBy(NICER_BY);

it('gives the processes of interpreters less processor time than the server', async () => {
  const folder = temporaryFolder();
  const group = await startGroup('sleep', ['60'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: 'ignore',
    folder,
  });
  onTestFinished(() => group.end(0));
  const pid = group.child.pid!;
  const lower = Math.min(19, getPriority() + 5);
  expect(getPriority(pid)).toBe(lower);
  const session = await readFile(`/proc/${pid}/autogroup`, 'utf8').catch(() => undefined);
  if (session?.startsWith('/autogroup'))
    await vi.waitFor(
      async () =>
        expect(await readFile(`/proc/${pid}/autogroup`, 'utf8')).toMatch(`nice ${lower}\n`),
      { timeout: 10_000 },
    );
});

it('does nothing for a process that has ended', async () => {
  await expect(lowerPriority(2 ** 22 + 1)).resolves.toBeUndefined();
});
