/** Removes what a server that was killed has left behind in the folders of its settings. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { spareFolderOf } from '../../interpreters/kernels/spare-kernel.ts';
import { endLeftovers } from '../../interpreters/processes/process-group.ts';

/** Ends the processes of all settings. Call it before new ones start. */
export function removeLeftovers(settings: string): void {
  for (const folder of foldersOf(settings)) {
    endLeftovers(folder);
    for (const own of foldersOf(join(folder, 'own'))) endLeftovers(own);
    rmSync(spareFolderOf(folder), { recursive: true, force: true });
    for (const name of readdirSync(folder))
      if (/^kernel-(?:[0-9a-f-]{36}\.json|[0-9A-Za-z]{6})$/.test(name))
        rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function foldersOf(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(path, name));
  } catch {
    return [];
  }
}
