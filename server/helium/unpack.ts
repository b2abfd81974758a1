/** Unpacks package archives into a folder. Only regular files and folders below it are created. */
import { mkdir, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Parser, Unpack } from 'tar';
import { Refusal } from '../base/errors.ts';

const unzip = promisify(gunzip);
/** Limits of one archive. */
const MAX_UNPACKED = 64 * 2 ** 20;
export const MAX_FILES = 10_000;
const FILES = new Set(['File', 'OldFile', 'ContiguousFile']);

/** Contents of an archive. */
interface Unpacked {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Unpacks an npm archive, whose files are all in one folder, into `folder` and replaces its
 * contents. Throws 400, without unpacking anything, for links, devices, paths outside the folder,
 * or archives over the limits. `label` names the archive in error messages.
 */
export async function unpack(
  archive: Uint8Array,
  folder: string,
  label: string,
): Promise<Unpacked> {
  const bad = (why: string) =>
    new Refusal(400, `The archive of ${label} ${why}. Nothing was installed.`);
  const content = await unzip(archive, { maxOutputLength: MAX_UNPACKED }).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ERR_BUFFER_TOO_LARGE'
        ? bad(`has more than ${MAX_UNPACKED} bytes`)
        : bad('is damaged');
    },
  );
  let reason: string | undefined;
  let files = 0;
  let bytes = 0;
  const checker = new Parser({
    strict: true,
    onReadEntry(entry) {
      const path = String(entry.path);
      const segments = path.split(/[/\\]/);
      if (!FILES.has(entry.type) && entry.type !== 'Directory')
        reason ??=
          'contains an entry that is neither a file nor a folder ' +
          `(${entry.type}: ${path.slice(0, 200)})`;
      if (
        path.startsWith('/') ||
        /^[a-z]:/i.test(path) ||
        segments.includes('..') ||
        /[\0-\x1f]/.test(path) ||
        path.length > 1_000
      )
        reason ??= `contains a path outside of it (${JSON.stringify(path.slice(0, 200))})`;
      files += 1;
      bytes += entry.size;
      if (files > MAX_FILES) reason ??= `has more than ${MAX_FILES} files`;
      entry.resume();
    },
  });
  await finished(checker, 'end', content).catch(() => (reason ??= 'is damaged'));
  if (files === 0) reason ??= 'is empty';
  if (reason !== undefined) throw bad(reason);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await finished(
    new Unpack({
      cwd: folder,
      strip: 1,
      strict: true,
      noMtime: true,
      umask: 0o077,
      filter: (_, entry) => 'type' in entry && FILES.has(entry.type),
    }),
    'close',
    content,
  ).catch((error: NodeJS.ErrnoException) => {
    throw error.code?.startsWith('TAR_') ? bad('is damaged') : error;
  });
  return { files, bytes };
}

function finished(stream: Parser, event: 'end' | 'close', content: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.on('error', reject);
    stream.on(event, () => resolve());
    stream.end(Buffer.from(content));
  });
}
