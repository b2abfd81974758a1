import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { createTableExchange } from './tables.ts';

describe('table exchange', () => {
  let root: string;
  beforeEach(() => void (root = temporaryFolder()));

  it('creates a private folder and deletes only files of an earlier server', () => {
    const folder = join(root, 'tables');
    mkdirSync(folder, { mode: 0o755 });
    const left = createTableExchange(folder).newFile();
    writeFileSync(left, 'x');
    writeFileSync(join(folder, 'notes.txt'), 'keep');
    createTableExchange(folder);
    expect(readdirSync(folder)).toEqual(['notes.txt']);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('rejects calls if no engine is registered', async () => {
    const tables = createTableExchange(root);
    await expect(tables.exportTable('t')).rejects.toThrow('the SQL interpreter is not available');
    await expect(tables.importTable('t', tables.newFile())).rejects.toThrow(
      'the SQL interpreter is not available',
    );
  });

  it('passes files of its folder to the owner and deletes them, also on failure', async () => {
    const tables = createTableExchange(root);
    const calls: string[] = [];
    tables.setOwner({
      write: async (query, file) => {
        writeFileSync(file, query);
        if (query === 'bad') throw new Error('no such table');
      },
      read: async (name, file) => void calls.push(`${name} ${basename(dirname(file))}`),
    });
    const file = await tables.exportTable('good');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(tables.exportTable('bad')).rejects.toThrow('no such table');
    await tables.importTable('name_1', file);
    expect(calls).toEqual([`name_1 ${basename(root)}`]);
    expect(readdirSync(root)).toEqual([]);
    const own = join(tmpdir(), `${basename(root)}.parquet`);
    writeFileSync(own, 'x');
    await tables.importTable('t', own);
    expect(existsSync(own)).toBe(true);
    rmSync(own);
  });

  it.each(['', '1a', 'a b', 'a"', 'a;b', 'ä', 'a'.repeat(129)])(
    'rejects the name %j',
    async (name) => {
      const tables = createTableExchange(root);
      tables.setOwner({ write: async () => undefined, read: async () => undefined });
      await expect(tables.importTable(name, tables.newFile())).rejects.toThrow(
        'cannot be a table name',
      );
    },
  );
});
