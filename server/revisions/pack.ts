/** Checks what a git server sends before it is unpacked in memory, and stores it. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type InputType, inflateSync } from 'node:zlib';
import { Refusal } from '../base/errors.ts';
import { syncFolder, writeDurably } from '../storage/files.ts';

/** Maximum size of an object, in bytes. Notes are smaller. */
const MAX_OBJECT = 64 * 2 ** 20;
/** Maximum size of all objects of a pack, in bytes. */
const MAX_OBJECTS = 2 ** 30;
/** Maximum number of objects of a pack: four for each checkpoint. */
const MAX_COUNT = 250_000;
/** Maximum number of commits of a pack, which are read one after another. */
const MAX_COMMITS = MAX_COUNT / 4;
/** Maximum size of a list of files, in bytes: some 50,000 notes. It is read at once. */
const MAX_TREE = 2 * 2 ** 20;
/** Memory of the thread that lists the objects of a pack, in MB. */
const THREAD_MB = 512;
/** Objects that are checked before others have their turn. */
const AT_ONCE = 100;
const [COMMIT, TREE] = [1, 2];
/** Types of objects that are changes of another object. */
const OFS_DELTA = 6;
const REF_DELTA = 7;

const tooLarge = (): Refusal =>
  new Refusal(
    409,
    `The remote has files of more than ${MAX_OBJECT / 2 ** 20} MB, folders with tens of ` +
      `thousands of files, or changes of more than ${MAX_OBJECTS / 2 ** 20} MB, ${MAX_COUNT} ` +
      `objects or ${MAX_COMMITS} commits. Use a repository that contains notes only.`,
  );
const damaged = (): Refusal => new Refusal(409, 'The remote sent a damaged answer.');

/** An answer of `git-upload-pack`: its pack, which may be empty, and its other lines. */
interface UploadPackAnswer {
  readonly pack: Buffer;
  readonly lines: Buffer;
}

/** Takes the pack, which is the first side band of the lines, out of an answer. */
function split(answer: Buffer): UploadPackAnswer {
  const [pack, lines]: [Buffer[], Buffer[]] = [[], []];
  for (let at = 0; at + 4 <= answer.length; ) {
    const length = Number.parseInt(answer.toString('latin1', at, at + 4), 16);
    if (Number.isNaN(length)) throw damaged();
    const next = at + Math.max(4, length);
    if (answer[at + 4] === 1 && length > 4) pack.push(answer.subarray(at + 5, next));
    else lines.push(answer.subarray(at, next));
    at = next;
  }
  return { pack: Buffer.concat(pack), lines: Buffer.concat(lines) };
}

/** Reads a number whose bytes have seven bits each, the lowest first. */
function numberAt(bytes: Buffer, at: number): { value: number; next: number } {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at++];
    if (byte === undefined) throw damaged();
    value += (byte & 127) * factor;
    if (byte < 128) return { value, next: at };
  }
}

/** Reads how far before an object the one is that it changes. */
function distanceAt(bytes: Buffer, at: number): { value: number; next: number } {
  let value = -1;
  for (;;) {
    const byte = bytes[at++];
    if (byte === undefined) throw damaged();
    value = (value + 1) * 128 + (byte & 127);
    if (byte < 128) return { value, next: at };
  }
}

/** Inflates an object; its compressed data may be followed by others. */
function inflated(bytes: Buffer): { data: Buffer; used: number } {
  try {
    const options = { info: true, maxOutputLength: MAX_OBJECT };
    // The types of Node lack the result with `info`.
    const { buffer, engine } = (
      inflateSync as unknown as (
        from: InputType,
        how: typeof options,
      ) => { buffer: Buffer; engine: { bytesWritten: number } }
    )(bytes, options);
    return { data: buffer, used: engine.bytesWritten };
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : damaged();
  }
}

/**
 * Returns the parts of an answer of `git-upload-pack`. Rejects with a refusal if it unpacks to more
 * than is allowed.
 */
export async function checkPack(answer: Buffer, signal?: AbortSignal): Promise<UploadPackAnswer> {
  const { pack, lines } = split(answer);
  if (pack.length === 0) return { pack, lines };
  if (pack.length < 12 || pack.toString('latin1', 0, 4) !== 'PACK') throw damaged();
  let at = 12;
  let total = 0;
  let commits = { count: 0, bytes: 0 };
  /** Types by the place of an object. */
  const types = new Map<number, number | undefined>();
  let left = pack.readUInt32BE(8);
  if (left > MAX_COUNT) throw tooLarge();
  for (; left > 0; left -= 1) {
    const start = at;
    const type = ((pack[at] ?? 0) >> 4) & 7;
    at = numberAt(pack, at).next;
    // The type of an object that names the one before it by its id is not known here.
    let kind = type === REF_DELTA ? undefined : type;
    if (type === OFS_DELTA) {
      const { value, next } = distanceAt(pack, at);
      [kind, at] = [types.get(start - value), next];
    } else if (type === REF_DELTA) at += 20;
    types.set(start, kind);
    const { data, used } = inflated(pack.subarray(at));
    at += used;
    const isDelta = type === OFS_DELTA || type === REF_DELTA;
    // A change begins with the sizes of the object before and after it.
    const size = isDelta ? numberAt(data, numberAt(data, 0).next).value : data.length;
    total += Math.max(size, data.length);
    if (size > (kind === TREE ? MAX_TREE : MAX_OBJECT) || total > MAX_OBJECTS) throw tooLarge();
    if (kind === COMMIT || kind === undefined) {
      commits = { count: commits.count + 1, bytes: commits.bytes + size };
      if (commits.count > MAX_COMMITS || (kind && commits.bytes > MAX_OBJECT)) throw tooLarge();
    }
    if (left % AT_ONCE === 0) await pause(undefined, { signal });
  }
  return { pack, lines };
}

/** isomorphic-git blocks a thread for seconds when it lists 100,000 objects. */
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const { promises } = require('node:fs');
const git = require('node:module').createRequire(workerData.from)('isomorphic-git');
const writeFile = (file, data) => promises.writeFile(file, data, { flush: true });
const fs = { promises: { ...promises, writeFile } };
const { gitdir, filepath } = workerData;
git.indexPack({ fs, dir: gitdir, gitdir, filepath }).then(() => parentPort.postMessage('done'));
`;

/** Stores a checked pack in a repository. Resolves when its objects can be read. */
export async function storePack(gitdir: string, pack: Buffer, signal: AbortSignal): Promise<void> {
  const folder = join(gitdir, 'objects', 'pack');
  const name = `pack-${pack.toString('hex', pack.length - 20)}`;
  await writeDurably(join(folder, `${name}.pack`), pack);
  const worker = new Worker(program, {
    eval: true,
    workerData: { from: import.meta.url, gitdir, filepath: `objects/pack/${name}.pack` },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MB },
  });
  const failure = await once(worker, 'message', { signal }).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );
  await worker.terminate();
  if (!failure) return syncFolder(folder);
  for (const end of ['idx', 'pack']) await rm(join(folder, `${name}.${end}`), { force: true });
  throw failure.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : failure;
}
