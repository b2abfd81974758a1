/** Opens text files: unpacks them, and makes copies in UTF-8. */
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { makeUtf8 } from './delimited/encoding.ts';
import { copyName, placeCopy } from './delimited/place-copy.ts';
import type { Guesses } from './guesses.ts';
import { FileProblem } from './problem.ts';

/** Whether a file is delimited text, by its name. */
export const isCsv = (name: string): boolean => /\.[ct]sv(?:\.gz)?$/i.test(name);

/** A text file in UTF-8. */
export interface TextFile {
  /** Where it is read, perhaps in a temporary folder. */
  readonly file: string;
  /** Folder for temporary files. */
  readonly folder: string;
  /** Name of the file that paragraphs read: the file itself, or its copy in UTF-8. */
  readonly path: string;
  readonly encoding: string;
  readonly guesses: Guesses;
  /** Places the copy if there is one, and returns the name of the file. */
  place(): Promise<string>;
}

/** Opens a text file. Throws a {@link FileProblem} if it is too large or none. */
export async function openText(
  source: string,
  {
    folder,
    bytes,
    guesses,
    asks,
  }: {
    readonly folder: string;
    /** Maximum size of the unpacked file. */
    readonly bytes: number;
    readonly guesses: Guesses;
    readonly asks: boolean;
  },
  signal: AbortSignal,
): Promise<TextFile> {
  const plainName = source.replace(/\.gz$/i, '');
  const isPacked = plainName !== source;
  const plain = isPacked ? join(folder, basename(plainName)) : source;
  if (isPacked) await unpack(source, plain, bytes, signal);
  const made = join(folder, 'text');
  const encoding = await makeUtf8(plain, made, { guesses, asks, allowsBom: isCsv(source) }, signal);
  const isUtf8 = !existsSync(made);
  return {
    file: isUtf8 ? plain : made,
    folder,
    path: isUtf8 ? basename(source) : copyName(plainName, 1),
    encoding,
    guesses,
    place: async () => (isUtf8 ? basename(source) : placeCopy(made, plainName)),
  };
}

async function unpack(
  source: string,
  target: string,
  limit: number,
  signal: AbortSignal,
): Promise<void> {
  let size = 0;
  await pipeline(
    createReadStream(source),
    createGunzip(),
    async function* (unpacked) {
      for await (const bytes of unpacked) {
        size += (bytes as Buffer).length;
        if (size > limit)
          throw new FileProblem(
            `has more than ${limit.toLocaleString('en-US')} bytes when it is unpacked, which is ` +
              'the limit of the server for a data file. Upload a part of it.',
          );
        yield bytes;
      }
    },
    createWriteStream(target, { mode: 0o600 }),
    { signal },
  ).catch((error: unknown) => {
    if (!/^Z_|^ERR_/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new FileProblem('is not a gzip file, or it is damaged.');
  });
}
