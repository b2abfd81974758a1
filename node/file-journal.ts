/** The journal of a program: unsaved text in files, so that it survives a crash and `kill -9`. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Journal, JournalEntry } from 'tiding/client';
import { flushFolder, replaceFile } from './durable-file.ts';

/** Name of an entry's file: any key makes a name that every file system takes. */
const nameOf = (key: string) => `${createHash('sha256').update(key).digest('hex')}.json`;
const ENTRY = /^[0-9a-f]{64}\.json$/;
/** What a killed process left of a write; see {@link replaceFile}. */
const LEFTOVER = /^\.[0-9a-f]{64}\.json\.[0-9a-f]{12}\.tmp$/;
/** Nobody is still writing a file of this age, in ms. */
const STALE_MS = 24 * 3_600_000;
/** So many files are read at once: a journal of thousands must not run out of file handles. */
const READERS = 16;

interface Turn {
  act: () => Promise<void>;
  readonly done: Promise<void>;
}

/** Changes by file, over all journals of this process: one at a time, and of those that wait only the last is carried out. */
const changes = new Map<string, { next: Turn | undefined; now: Promise<void> }>();

/** Carries out `act` when nothing else changes the file. A change that waited and was overtaken settles as the one that overtook it. */
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

/** `now` is the change in hand, until another has taken its place. */
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
 * A journal in a folder, which is made where there is none, for its owner alone (mode 0700). Each entry is one file that
 * is flushed to the disk before `put` resolves, and replaced as a whole: after a crash it holds the last text whose `put`
 * had resolved, or a later one. Several programs may share a folder. Files that are torn or are not of a journal are
 * skipped and left as they are.
 */
export function fileJournal(folder: string): Journal {
  const home = resolve(folder);
  let tidied: Promise<void> | undefined;
  const fileOf = (key: string) => join(home, nameOf(key));
  return {
    async put(entry) {
      // The text of now, should the caller go on with the object.
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
      return found.filter(
        (entry) => entry !== undefined && entry.key.startsWith(prefix),
      ) as JournalEntry[];
    },
  };
}

async function readEntry(home: string, name: string): Promise<JournalEntry | undefined> {
  try {
    const entry: unknown = JSON.parse(await readFile(join(home, name), 'utf8'));
    return isEntry(entry) && nameOf(entry.key) === name ? entry : undefined;
  } catch {
    // Torn, a folder, not ours to read, or gone since the folder was listed: the other entries must be found all the same.
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
    optional('sentSeq', 'number')
  );
}

async function removeLeftovers(home: string): Promise<void> {
  const names = (await readdir(home)).filter((name) => LEFTOVER.test(name));
  await Promise.all(
    names.map(async (name) => {
      const file = join(home, name);
      // Another process may be faster; a file that cannot go is in nobody's way.
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
