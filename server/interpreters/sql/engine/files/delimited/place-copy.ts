/** Gives a copy of a text file in UTF-8 its name. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Returns the name of a copy. */
export function copyName(source: string, number: number): string {
  const extension = extname(source);
  // Names of data files have at most 120 characters before their ending.
  const stem = `${basename(source, extension).slice(0, 108)} - UTF-8`;
  return `${stem}${number === 1 ? '' : `-${number}`}${extension}`;
}

/** Moves a copy beside its source and returns its name. An equal copy is replaced, others never. */
export async function placeCopy(made: string, source: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = copyName(source, number);
    const target = join(dirname(source), name);
    try {
      await (await open(target, 'wx')).close();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if ((await hashOf(target)) !== (await hashOf(made))) continue;
    }
    await rename(made, target);
    return name;
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
