/** Finds the file that a relative name means. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteText } from '../script.ts';

/**
 * Returns a function that makes a name absolute: in the first folder that has the file, or files
 * that match the pattern. A new file is created in the first folder, and `shared/…` is in the last.
 */
export function fileFinder(
  connection: DuckDBConnection,
  folders: readonly string[],
): (name: string, isWritten: boolean) => Promise<string> {
  return async (name, isWritten) => {
    const inFolder = (folder: string, path = name) =>
      resolve(folder, path) + (path.endsWith('/') ? '/' : '');
    const first = inFolder(folders[0]!);
    const [, shared] = /^shared\/(.+)$/s.exec(name) ?? [];
    if (shared !== undefined) return inFolder(folders.at(-1)!, shared);
    if (isWritten || folders.length === 1) return first;
    for (const folder of folders)
      if (await hasMatch(connection, inFolder(folder))) return inFolder(folder);
    return first;
  };
}

async function hasMatch(connection: DuckDBConnection, path: string): Promise<boolean> {
  if (existsSync(path)) return true;
  if (!/[*?[]/.test(path)) return false;
  const result = await connection
    .runAndReadAll(`SELECT 1 FROM glob(${quoteText(path)}) LIMIT 1`)
    // The engine may not look there.
    .catch(() => undefined);
  return result !== undefined && result.currentRowCount > 0;
}
