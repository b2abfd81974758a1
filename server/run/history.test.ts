import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { createLog } from '../logging/log.ts';
import { MAX_RUNS_KEPT, RunHistoryStore } from './history.ts';

describe('run history of a note', () => {
  let folder: string;
  let history: RunHistoryStore;
  const run = (n: number) => ({
    start: n * 1_000,
    end: n * 1_000 + 500,
    status: 'FINISHED',
    who: 'ann',
  });
  beforeEach(async () => {
    folder = temporaryFolder();
    await mkdir(join(folder, 'notebook/2A'), { recursive: true });
    history = new RunHistoryStore(folder, createLog('silent'));
  });

  it('keeps the last fifty runs, oldest first, even if they end concurrently [W33]', async () => {
    expect(await history.of('2A')).toEqual([]);
    for (let n = 0; n < MAX_RUNS_KEPT + 3; n += 1) history.add('2A', run(n));
    const wanted = Array.from({ length: MAX_RUNS_KEPT }, (_, n) => run(n + 3));
    expect(await history.of('2A')).toEqual(wanted);
    expect(await new RunHistoryStore(folder, createLog('silent')).of('2A')).toEqual(wanted);
  });

  it('is removed with its note and not written again', async () => {
    history.add('2A', run(1));
    await history.settled();
    await rm(join(folder, 'notebook/2A'), { recursive: true });
    history.add('2A', run(2));
    await history.settled();
    expect(await history.of('2A')).toEqual([]);
  });

  it('rejects reading a damaged file without naming files, and keeps the file', async () => {
    await writeFile(join(folder, 'notebook/2A/runs.json'), '{"half');
    history.add('2A', run(1));
    await expect(history.of('2A')).rejects.toMatchObject({
      status: 500,
      message: 'The run history of this note cannot be read because its file is damaged.',
    });
    expect(await readFile(join(folder, 'notebook/2A/runs.json'), 'utf8')).toBe('{"half');
  });
});
