import { same } from '../../result/test-support.tsx';
import { isDataFile, plainName } from './data-files.ts';
import { MAX_FOLDER_FILES, pathInDrop, readDropped } from './folder-files.ts';
import { reportLeftOut } from './left-out.ts';

/** Names of files, and folders with their content; `null` is a file that can't be read. */
type Tree = { readonly [name: string]: Tree | string | null };

function entryOf(name: string, content: Tree | string | null): FileSystemEntry {
  if (typeof content === 'string' || content === null)
    return {
      name,
      isDirectory: false,
      file: (done: (file: File) => void, fail: (error: Error) => void) =>
        content === null ? fail(new Error('gone')) : done(new File([content], name)),
    } as unknown as FileSystemEntry;
  return {
    name,
    isDirectory: true,
    createReader: () => {
      const left = Object.entries(content).map(([child, inside]) => entryOf(child, inside));
      return { readEntries: (done: (some: unknown[]) => void) => done(left.splice(0, 100)) };
    },
  } as unknown as FileSystemEntry;
}
const read = async (tree: Tree) => {
  const entries = Object.entries(tree).map(([name, content]) => entryOf(name, content));
  const { files, unknown, beyond } = await readDropped(entries, isDataFile);
  return { paths: files.map(pathInDrop), unknown, beyond };
};
const messageOf = (unknown: string[], beyond: string[]) => {
  const shown: string[] = [];
  reportLeftOut({ unknown, beyond }, (message) => shown.push(message));
  return shown;
};

describe('a dropped folder', () => {
  it('gives its files with their paths below it, without hidden ones', async () => {
    same(
      await read({
        reports: {
          'b.csv': 'b',
          'a.csv': 'a',
          '.DS_Store': '',
          '.git': { 'c.csv': 'c' },
          '2026': { 'jan.csv': 'j', deep: { 'x.parquet': 'x' } },
          'read.txt': 't',
          'gone.csv': null,
        },
        'beside.txt': 'dropped by itself',
      }),
      {
        paths: ['2026/deep/x.parquet', '2026/jan.csv', 'a.csv', 'b.csv', 'beside.txt'],
        unknown: ['gone.csv', 'read.txt'],
        beyond: [],
      },
    );
  });

  it('is cut at a limit', async () => {
    const many = Object.fromEntries(
      Array.from({ length: MAX_FOLDER_FILES + 3 }, (_, at) => [`${1_000 + at}.csv`, '']),
    );
    const { paths, beyond } = await read({ many: { ...many, z: { 'last.csv': '' } } });
    same(paths.length, MAX_FOLDER_FILES);
    same(beyond, ['1200.csv', '1201.csv', '1202.csv', 'z']);
  });

  it('has a message that names what was left out', () => {
    same(messageOf([], []), []);
    same(messageOf(['a.txt'], []), [
      "Files of the folder that can't be read here were left out: a.txt.",
    ]);
    same(messageOf([], ['1', '2', '3', '4', '5', '6', '7']), [
      'Only the first 200 files of a folder are taken. Left out: 1, 2, 3, 4, 5 and 2 more.',
    ]);
  });
});

describe('the name of a dropped file', () => {
  it('keeps letters of all scripts and emoji', () => {
    const kept = ['हिन्दी.csv', '👍🏽.csv', '🇳🇴 x.csv', '👩\u200d🔬.csv'];
    same(kept.map(plainName), kept);
    same(['cafe\u0301.csv', ".a'b/c..csv"].map(plainName), ['caf\u00e9.csv', 'a_b_c.csv']);
  });
});
