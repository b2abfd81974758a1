/** Built files, in the smallest form that a browser accepts. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gzip } from 'node:zlib';

interface Content {
  readonly modified: number;
  readonly data: Buffer;
  /** ETag of the data. */
  readonly tag: string;
}

export interface BuiltFile extends Content {
  readonly encoding: 'br' | 'gzip' | undefined;
}

const asIs = async (data: Buffer) => data;
const unpack: (data: Buffer) => Promise<Buffer> = promisify(brotliDecompress);
const toGzip = async (data: Buffer) => promisify<Buffer, Buffer>(gzip)(await unpack(data));

/**
 * A build writes a `.br` copy beside each file that compresses well, and the npm package has only
 * these copies. The forms of a file, best first: encoding, ending of the file that is read, and
 * conversion.
 */
const forms = [
  ['br', '.br', asIs],
  ['gzip', '.br', toGzip],
  [undefined, '', asIs],
  [undefined, '.br', unpack],
] as const;

/** Contents by encoding and path. They are read again after the file has changed. */
const contents = new Map<string, Content>();

/** Reads a built file; `undefined` if it does not exist. `accepted`: header `Accept-Encoding`. */
export async function readBuilt(file: string, accepted = ''): Promise<BuiltFile | undefined> {
  for (const [encoding, ending, convert] of forms) {
    if (encoding && !accepted.includes(encoding)) continue;
    const found = await stat(file + ending).catch(() => undefined);
    if (!found?.isFile()) continue;
    const key = `${encoding} ${file}`;
    let content = contents.get(key);
    if (content?.modified !== found.mtimeMs) {
      const data = await convert(await readFile(file + ending));
      const tag = `"${createHash('sha256').update(data).digest('base64url').slice(0, 22)}"`;
      content = { modified: found.mtimeMs, data, tag };
      contents.set(key, content);
    }
    return { ...content, encoding };
  }
  return undefined;
}
