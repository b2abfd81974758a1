import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { KEPT_RUNS, RunHistory } from './history.ts';

describe('the runs of a note', () => {
  let folder: string;
  let history: RunHistory;
  const run = (n: number) => ({
    start: n * 1_000,
    end: n * 1_000 + 500,
    status: 'FINISHED',
    who: 'ann',
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tiding-runs-'));
    await mkdir(join(folder, 'notebook/2A'), { recursive: true });
    history = new RunHistory(folder, createLog('silent'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are the last fifty, oldest first, also when they end at once, and are there after a restart', async () => {
    expect(await history.of('2A')).toEqual([]);
    for (let n = 0; n < KEPT_RUNS + 3; n += 1) history.add('2A', run(n));
    const wanted = Array.from({ length: KEPT_RUNS }, (_, n) => run(n + 3));
    expect(await history.of('2A')).toEqual(wanted);
    expect(await new RunHistory(folder, createLog('silent')).of('2A')).toEqual(wanted);
  });

  it('are gone with their note, and not written again', async () => {
    history.add('2A', run(1));
    await history.settled();
    await rm(join(folder, 'notebook/2A'), { recursive: true });
    history.add('2A', run(2));
    await history.settled();
    expect(await history.of('2A')).toEqual([]);
  });

  it('that cannot be read are refused without a word about files, and the file stays as it is', async () => {
    await writeFile(join(folder, 'notebook/2A/runs.json'), '{"half');
    history.add('2A', run(1));
    await expect(history.of('2A')).rejects.toMatchObject({
      status: 500,
      message: 'The runs of this note cannot be read: the file is damaged.',
    });
    expect(await readFile(join(folder, 'notebook/2A/runs.json'), 'utf8')).toBe('{"half');
  });
});
