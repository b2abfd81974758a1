import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Journal, JournalEntry } from '@tiding/client';
import { flushFolder, replaceFile } from './durable-file.ts';

/**
 * File name of an entry: a hash, so that every key yields a name that is valid on all file systems.
 */
const nameOf = (key: string) => `${createHash('sha256').update(key).digest('hex')}.json`;
const ENTRY = /^[0-9a-f]{64}\.json$/;
/** Temporary files that a killed process left; see {@link replaceFile}. */
const LEFTOVER = /^\.[0-9a-f]{64}\.json\.[0-9a-f]{12}\.tmp$/;
/** Age in ms after which a temporary file is certainly no longer being written. */
const STALE_MS = 24 * 3_600_000;
/**
 * Number of files read in parallel; limited so that a journal of thousands does not run out of file
 * handles.
 */
const READERS = 16;

interface Turn {
  act: () => Promise<void>;
  readonly done: Promise<void>;
}

/**
 * Pending changes by file, across all journals of this process: one runs at a time, and of those
 * that wait only the last is performed.
 */
const changes = new Map<string, { next: Turn | undefined; now: Promise<void> }>();

/**
 * Performs `act` when no other change of the file is running. A waiting change that is superseded
 * settles like the one that superseded it.
 */
function change(file: string, act: () => Promise<void>): Promise<void> {
  const busy = changes.get(file);
  if (busy?.next) {
    busy.next.act = act;
    return busy.next.done;
  }
  if (busy) {
    const turn: Turn = {
      act,
      done: busy.now
        .catch(() => {})
        .then(() => {
          busy.next = undefined;
          return turn.act();
        }),
    };
    busy.next = turn;
    follow(file, busy, turn.done);
    return turn.done;
  }
  const first = { next: undefined, now: Promise.resolve() };
  changes.set(file, first);
  const done = act();
  follow(file, first, done);
  return done;
}

/** Makes `done` the running change of a file until another takes its place. */
function follow(
  file: string,
  busy: { next: Turn | undefined; now: Promise<void> },
  done: Promise<void>,
): void {
  busy.now = done;
  const end = () => {
    if (busy.now === done && !busy.next) changes.delete(file);
  };
  done.then(end, end);
}

/**
 * Creates a journal in a folder, so that unsaved text survives a crash and `kill -9`.
 *
 * The folder is created with access for its owner only (mode 0700). Each entry is one file, which
 * is flushed to disk before `put` resolves and replaced atomically: after a crash it contains the
 * last text whose `put` had resolved, or a later one. Several programs may share a folder.
 * Incomplete files and files that don't belong to a journal are skipped and left unchanged.
 *
 * @example
 * const client = createClient({ server, journal: fileJournal('.tiding-journal') });
 */
export function fileJournal(folder: string): Journal {
  const home = resolve(folder);
  let tidied: Promise<void> | undefined;
  const fileOf = (key: string) => join(home, nameOf(key));
  return {
    async put(entry) {
      // Serialized now, in case the caller changes the object later.
      const text = `${JSON.stringify(entry)}\n`;
      await change(fileOf(entry.key), async () => {
        await mkdir(home, { recursive: true, mode: 0o700 });
        tidied ??= removeLeftovers(home).catch(() => {});
        await tidied;
        await replaceFile(fileOf(entry.key), text, 0o600);
      });
    },
    delete: (key) =>
      change(fileOf(key), async () => {
        try {
          await rm(fileOf(key));
        } catch (error) {
          if (isMissing(error)) return;
          throw error;
        }
        await flushFolder(home);
      }),
    async list(prefix) {
      const names = (
        await readdir(home).catch((error: unknown) => {
          if (isMissing(error)) return [];
          throw error;
        })
      )
        .filter((name) => ENTRY.test(name))
        .sort();
      const found: (JournalEntry | undefined)[] = [];
      let at = 0;
      const read = async () => {
        for (let mine = at++; mine < names.length; mine = at++)
          found[mine] = await readEntry(home, names[mine]!);
      };
      await Promise.all(Array.from({ length: READERS }, read));
      return found.filter((entry) => entry?.key.startsWith(prefix)) as JournalEntry[];
    },
  };
}

async function readEntry(home: string, name: string): Promise<JournalEntry | undefined> {
  try {
    const entry: unknown = JSON.parse(await readFile(join(home, name), 'utf8'));
    return isEntry(entry) && nameOf(entry.key) === name ? entry : undefined;
  } catch {
    // The file is incomplete, a folder, not readable, or was deleted since the folder was listed.
    // The other entries must still be found.
    return undefined;
  }
}

function isEntry(value: unknown): value is JournalEntry {
  if (typeof value !== 'object' || value === null) return false;
  const entry = value as Record<string, unknown>;
  const texts = ['key', 'noteId', 'paragraphId', 'text', 'baseText'].every(
    (field) => typeof entry[field] === 'string',
  );
  const optional = (field: string, type: string) =>
    entry[field] === undefined || typeof entry[field] === type;
  return (
    texts &&
    typeof entry['time'] === 'number' &&
    optional('baseRev', 'number') &&
    optional('author', 'string') &&
    optional('authorSeq', 'number') &&
    optional('sentText', 'string') &&
    optional('sentSeq', 'number') &&
    [entry['change'], entry['sentChange']].every(
      (change) => change === undefined || isTextChange(change),
    )
  );
}

const isTextChange = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every(
    (section) =>
      typeof section === 'number' ||
      (Array.isArray(section) && typeof section[0] === 'number' && typeof section[1] === 'string'),
  );

async function removeLeftovers(home: string): Promise<void> {
  const names = (await readdir(home)).filter((name) => LEFTOVER.test(name));
  await Promise.all(
    names.map(async (name) => {
      const file = join(home, name);
      // Another process may have deleted it. A file that can't be deleted does no harm.
      const age = await stat(file).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0,
      );
      if (age > STALE_MS) await rm(file, { force: true }).catch(() => {});
    }),
  );
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
