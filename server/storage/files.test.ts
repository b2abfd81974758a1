import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { readJsonFile, SharedList, writeDurably, writer } from './files.ts';

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
});

describe('writeDurably', () => {
  it('replaces the file, readable by its owner, leaves no temporary file [S68]', async () => {
    const file = join(folder, 'a.json');
    await writeDurably(file, 'one');
    await writeDurably(file, 'two');
    expect(await readFile(file, 'utf8')).toBe('two');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['a.json']);
  });

  it('rejects and cleans up if the folder is a file or the name is that of a folder', async () => {
    await writeFile(join(folder, 'file'), 'kept');
    await expect(writeDurably(join(folder, 'file', 'a.json'), 'x')).rejects.toMatchObject({
      code: 'ENOTDIR',
    });
    await mkdir(join(folder, 'taken'));
    await expect(writeDurably(join(folder, 'taken'), 'x')).rejects.toMatchObject({
      code: 'EISDIR',
    });
    expect((await readdir(folder)).sort()).toEqual(['file', 'taken']);
    expect(await readFile(join(folder, 'file'), 'utf8')).toBe('kept');
  });
});

describe('writer', () => {
  it('combines calls made during a write into the next write', async () => {
    let writes = 0;
    const save = writer(async () => {
      writes += 1;
      await new Promise(setImmediate);
    });
    const first = save();
    // The first write must have started before the others arrive.
    await Promise.resolve();
    await Promise.all([first, ...Array.from({ length: 100 }, () => save())]);
    expect(writes).toBe(2);
  });

  it('rejects the callers that waited for a failed write, and no others', async () => {
    let fails = true;
    const save = writer(async () => {
      const now = fails;
      await new Promise(setImmediate);
      if (now) throw new Error('full');
    });
    const first = save();
    await Promise.resolve();
    const second = save();
    fails = false;
    await expect(first).rejects.toThrow('full');
    await expect(second).resolves.toBeUndefined();
    await expect(save()).resolves.toBeUndefined();
  });

  /** One caller: the number of ticks it waits before each change and save. */
  const caller = fc.array(fc.nat(6), { minLength: 1, maxLength: 6 });
  it('never writes concurrently, or resolves before the value is written [S68]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(caller, { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(5), { minLength: 1 }),
        async (callers, durations) => {
          let value = 0;
          let stored = 0;
          let active = 0;
          let overlaps = 0;
          let writes = 0;
          const turns = async (count: number) => {
            for (let n = 0; n < count; n += 1) await Promise.resolve();
          };
          const save = writer(async () => {
            active += 1;
            if (active > 1) overlaps += 1;
            const now = value;
            await turns(durations[(writes += 1) % durations.length]!);
            stored = now;
            active -= 1;
          });
          const late: number[] = [];
          await Promise.all(
            callers.map(async (waits) => {
              for (const wait of waits) {
                await turns(wait);
                const mine = (value += 1);
                await save();
                if (stored < mine) late.push(mine);
              }
            }),
          );
          expect({ overlaps, late, stored }).toEqual({ overlaps: 0, late: [], stored: value });
        },
      ),
    );
  });
});

describe('readJson', () => {
  it('returns undefined if the file does not exist', async () => {
    expect(await readJsonFile(join(folder, 'none.json'))).toBeUndefined();
  });

  it('names a damaged file without quoting its content', async () => {
    const file = join(folder, 'users.json');
    await writeFile(file, '{"secret": hunter2');
    const error = await readJsonFile(file).then(
      () => undefined,
      (reason: Error) => reason.message,
    );
    expect(error).toBe(`The file ${file} is damaged: it is not JSON.`);
  });
});

describe('SharedList', () => {
  const open = () => new SharedList<number>(join(folder, 'list.json'), 'numbers');

  it('sees what another process wrote, and is empty if the file was removed', async () => {
    const [one, other] = [open(), open()];
    await one.refresh();
    expect(one.items).toEqual([]);
    await other.update((items) => [...items, 1]);
    await one.refresh();
    expect(one.items).toEqual([1]);
    await rm(join(folder, 'list.json'));
    await one.refresh();
    expect(one.items).toEqual([]);
  });

  it('keeps every one of many concurrent changes', async () => {
    const list = open();
    await Promise.all(Array.from({ length: 20 }, (_, n) => list.update((items) => [...items, n])));
    expect(list.items).toEqual(Array.from({ length: 20 }, (_, n) => n));
    expect(JSON.parse(await readFile(join(folder, 'list.json'), 'utf8'))).toEqual({
      numbers: list.items,
    });
  });

  it('answers a call that arrives during a read with the state at that time', async () => {
    const [one, other] = [open(), open()];
    for (let n = 0; n < 20; n += 1) {
      const earlier = one.refresh();
      await other.update((items) => [...items, n]);
      await one.refresh();
      expect(one.items.at(-1)).toBe(n);
      await earlier;
    }
  });

  it("stays unchanged if a change can't be stored", async () => {
    const list = open();
    await list.update(() => [1]);
    await rm(folder, { recursive: true });
    await writeFile(folder, '');
    // A file can't contain a file: the last list that was read stays until the folder is back.
    await expect(list.update(() => [1, 2])).rejects.toMatchObject({ code: 'ENOTDIR' });
    expect(list.items).not.toContain(2);
  });
});
