/**
 * Exchanges tables by name between interpreters, as Parquet files in a private folder.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { TableExchange } from './contract.ts';

type Owner = Parameters<TableExchange['setOwner']>[0];

const fileName = /^table-[0-9a-f-]{36}\.parquet$/;
const tableName = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/**
 * Creates the exchange on `folder`, which is created with mode 0700 if necessary. Files and folders
 * of an earlier server are deleted. Files have mode 0600. Callers of `exportTable` delete the file
 * after reading it. `importTable` deletes files of this folder, also on failure.
 *
 * `exportTable` and `importTable` reject with one sentence if no engine is registered or if a name
 * is not `[A-Za-z_][A-Za-z0-9_]*` of at most 128 characters, otherwise with the engine's own error.
 */
export function createTableExchange(folder: string): TableExchange {
  const root = resolve(folder);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  chmodSync(root, 0o700);
  for (const entry of readdirSync(root, { withFileTypes: true }))
    if (entry.isDirectory() || fileName.test(entry.name))
      rmSync(join(root, entry.name), { recursive: true, force: true });
  return exchangeOn(root);
}

/** Creates a further exchange on `folder`, for a separate engine. */
export function exchangeOn(folder: string): TableExchange {
  const root = resolve(folder);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  let owner: Owner | undefined;
  const engine = (): Owner => {
    if (!owner)
      throw new Error(
        'Tables cannot be exchanged: the SQL interpreter is not available on this server.',
      );
    return owner;
  };
  const newFile = (): string => join(root, `table-${randomUUID()}.parquet`);

  return {
    setOwner(value) {
      owner = value;
    },
    async exportTable(query, signal) {
      const file = newFile();
      try {
        await engine().write(query, file, signal);
        await chmod(file, 0o600);
        return file;
      } catch (error) {
        await rm(file, { force: true });
        throw error;
      }
    },
    async importTable(name, file, signal) {
      try {
        if (!tableName.test(name)) {
          throw new Error(
            `"${name}" cannot be a table name: ` +
              'use up to 128 letters, digits and _, and do not start with a digit.',
          );
        }
        await engine().read(name, file, signal);
      } finally {
        if (dirname(resolve(file)) === root) await rm(file, { force: true });
      }
    },
    newFile,
  };
}
