import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { JournalEntry } from '@tiding/client';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileJournal } from './file-journal.ts';

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tiding-journal-'));
  folder = join(parent, 'deep', 'journal');
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const entry = (key: string, text = 'x'): JournalEntry => ({
  key,
  noteId: 'n',
  paragraphId: 'p',
  text,
  baseText: '',
  time: 0,
});
const keys = (entries: readonly JournalEntry[]) => entries.map(({ key }) => key).sort();
const onlyFile = async () => join(folder, (await readdir(folder))[0]!);

describe('a journal in files', () => {
  test('holds one entry per key, lists by prefix, and is shared within a folder', async () => {
    const journal = fileJournal(folder);
    expect(await journal.list('')).toEqual([]);
    const whole: JournalEntry = {
      ...entry('a|1|', 'ä\u0000\ud83d\ude00\n"'),
      baseText: 'b',
      baseRev: 3,
      author: 'me',
      authorSeq: 7,
      time: 12.5,
    };
    await journal.put(entry('a|1|', 'old'));
    await journal.put(whole);
    await journal.put(entry('a|2|'));
    await journal.put(entry('b|1|'));
    const other = fileJournal(folder);
    expect((await other.list('a|')).find(({ key }) => key === 'a|1|')).toEqual(whole);
    expect(keys(await other.list(''))).toEqual(['a|1|', 'a|2|', 'b|1|']);
    await other.delete('a|1|');
    await other.delete('not there');
    expect(keys(await journal.list('a|'))).toEqual(['a|2|']);
    expect(await readdir(folder)).toHaveLength(2);
  });

  test('can delete without a folder, and accepts any key', async () => {
    const journal = fileJournal(folder);
    await journal.delete('a|');
    for (const key of ['', '../..', 'x'.repeat(5000), 'CON', 'a/b']) await journal.put(entry(key));
    expect(keys(await journal.list(''))).toEqual(
      keys(['', '../..', 'x'.repeat(5000), 'CON', 'a/b'].map((key) => entry(key))),
    );
    expect(await readdir(parent)).toEqual(['deep']);
  });

  test.skipIf(process.platform === 'win32')('is accessible only to its owner', async () => {
    await fileJournal(folder).put(entry('a|'));
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(await onlyFile())).mode & 0o777).toBe(0o600);
  });

  test('skips incomplete and foreign files without changing them', async () => {
    const journal = fileJournal(folder);
    await journal.put(entry('torn|'));
    const torn = await onlyFile();
    const half = (await readFile(torn, 'utf8')).slice(0, 20);
    await writeFile(torn, half);
    const name = (letter: string) => join(folder, `${letter.repeat(64)}.json`);
    // An entry under another entry's name, files that are not entries, a folder, and a dangling
    // link.
    await writeFile(name('a'), JSON.stringify(entry('copied|')));
    await writeFile(name('b'), 'null');
    await writeFile(name('c'), JSON.stringify({ key: 'k', text: 1 }));
    await mkdir(name('d'));
    await symlink(join(parent, 'nowhere'), name('e'));
    await writeFile(join(folder, 'notes.txt'), 'mine');
    const before = (await readdir(folder)).sort();
    await journal.put(entry('good|'));
    expect(keys(await journal.list(''))).toEqual(['good|']);
    expect((await readdir(folder)).filter((each) => before.includes(each)).sort()).toEqual(before);
    expect(await readFile(torn, 'utf8')).toBe(half);
    // The key can be written again.
    await journal.put(entry('torn|', 'new'));
    expect((await journal.list('torn|')).map(({ text }) => text)).toEqual(['new']);
  });

  test('removes temporary files only if they are old', async () => {
    await mkdir(folder, { recursive: true });
    const leftover = (letter: string) =>
      join(folder, `.${letter.repeat(64)}.json.0123456789ab.tmp`);
    await writeFile(leftover('a'), 'old');
    await utimes(leftover('a'), 0, 0);
    await writeFile(leftover('b'), 'young');
    await writeFile(join(folder, '.other.tmp'), 'foreign');
    await utimes(join(folder, '.other.tmp'), 0, 0);
    await fileJournal(folder).put(entry('a|'));
    expect((await readdir(folder)).filter((name) => name.startsWith('.')).sort()).toEqual([
      `.${'b'.repeat(64)}.json.0123456789ab.tmp`,
      '.other.tmp',
    ]);
  });

  test('writes one key in turn; the last write wins and all callers get the outcome', async () => {
    const journals = [fileJournal(folder), fileJournal(`${folder}/`)];
    await Promise.all(
      Array.from({ length: 200 }, (_, n) => journals[n % 2]!.put(entry('a|', String(n)))),
    );
    expect((await journals[0]!.list('')).map(({ text }) => text)).toEqual(['199']);
    await Promise.all([
      journals[0]!.put(entry('a|', 'again')),
      journals[1]!.put(entry('a|', 'more')),
      journals[1]!.delete('a|'),
    ]);
    expect(await journals[0]!.list('')).toEqual([]);
    await Promise.all([journals[0]!.delete('a|'), journals[1]!.put(entry('a|', 'last'))]);
    expect((await journals[0]!.list('')).map(({ text }) => text)).toEqual(['last']);
    // No temporary file is left.
    expect(await readdir(folder)).toHaveLength(1);
  });

  test('reports a failed write and works again afterwards', async () => {
    await writeFile(join(parent, 'deep'), 'a file where the folder should be');
    const journal = fileJournal(folder);
    const outcomes = await Promise.allSettled([
      journal.put(entry('a|', '1')),
      journal.put(entry('a|', '2')),
      journal.put(entry('b|')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await rm(join(parent, 'deep'));
    await journal.put(entry('a|', '3'));
    expect((await journal.list('')).map(({ text }) => text)).toEqual(['3']);
  });
});

test('contains the last completed text of each key, or a later, after kill -9 [S73]', async () => {
  // The child is a separate program that writes endlessly and prints which write has completed.
  const program = join(parent, 'writer.mjs');
  await build({
    stdin: {
      contents: `import { fileJournal } from './file-journal.ts';
        const journal = fileJournal(${JSON.stringify(folder)});
        const from = Number(process.argv[2]);
        const write = async (key) => {
          for (let n = from; ; n += 1) {
            const text = n + ':' + 'x'.repeat(20_000);
            await journal.put({ key, noteId: 'n', paragraphId: 'p', text, baseText: '', time: n });
            process.stdout.write(key + ' ' + n + '\\n');
          }
        };
        for (const key of ['a|', 'b|', 'c|']) void write(key);`,
      resolveDir: import.meta.dirname,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: program,
  });
  let from = 0;
  for (let round = 0; round < 6; round += 1) {
    const child = spawn(process.execPath, [program, String(from)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Map<string, number>();
    let lines = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      const [key = '', n = ''] = line.split(' ');
      ended.set(key, Number(n));
      from = Math.max(from, Number(n) + 1);
      // Each round is cut at another point; what was printed by then is still read.
      if (++lines === 20 + round * 7) child.kill('SIGKILL');
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    const found = await fileJournal(folder).list('');
    for (const [key, n] of ended) {
      const { text, time } = found.find((each) => each.key === key)!;
      expect(time).toBeGreaterThanOrEqual(n);
      expect(text).toBe(`${time}:${'x'.repeat(20_000)}`);
    }
    expect(ended.size).toBe(3);
  }
});
