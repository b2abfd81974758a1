import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkNotePath,
  isTrashed,
  normalizePath,
  notePath,
  noteTitle,
  pageTitle,
  pathInFolder,
  restoredPath,
  trashPath,
} from './note-path.ts';

const segment = fc.stringMatching(/^[a-zA-Z0-9 ._-]{1,8}$/);
const path = fc
  .array(segment, { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join('/'));

test('a note keeps its name in another folder', () => {
  expect(pathInFolder('x/', 'a/b/Note')).toBe('x/Note');
  expect(pathInFolder('\\x\\y', '/Note')).toBe('x/y/Note');
});

describe('normalizePath', () => {
  test.each([
    ['a\\b\\c', 'a/b/c'],
    ['//a///b//', 'a/b'],
    ['\\\\a/\\b', 'a/b'],
    ['a', 'a'],
    ['/', ''],
    ['', ''],
  ])('%j becomes %j [D28]', (typed, expected) => expect(normalizePath(typed)).toBe(expected));

  test('is idempotent', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ab/\\]{0,12}$/), (typed) => {
        const once = normalizePath(typed);
        expect(normalizePath(once)).toBe(once);
        expect(once).not.toMatch(/\\|\/\/|^\/|\/$/);
      }),
    );
  });
});

describe('names of both generations', () => {
  test('0.8.2 puts the path into the name, 0.9 sends it separately', () => {
    expect(notePath({ id: '2A', name: 'dir/sub/n1' })).toBe('dir/sub/n1');
    expect(notePath({ id: '2A', name: 'n1', path: '/dir/sub/n1' })).toBe('dir/sub/n1');
    expect(notePath({ id: '2A', name: '/dir2/n1' })).toBe('dir2/n1');
    expect(noteTitle({ id: '2A', name: 'n1', path: '/dir/sub/n1' })).toBe('n1');
  });

  test.each([
    { id: '2A' },
    { id: '2A', name: '' },
    { id: '2A', name: '  ' },
    { id: '2A', name: 'dir/ ' },
  ])('a missing or blank name is replaced by the id: %j [W39]', (entry) =>
    expect(noteTitle(entry)).toBe('Note 2A'),
  );
});

describe('trash', () => {
  test('is recognized only by the first segment [W38]', () => {
    expect(isTrashed('~Trash/dir2/n1')).toBe(true);
    expect(isTrashed('/~Trash')).toBe(true);
    expect(isTrashed('~Trashes/n1')).toBe(false);
    expect(isTrashed('dir/~Trash/n1')).toBe(false);
  });

  test('a folder whose name was taken loses its time suffix, a note keeps its name', () => {
    const trashed = trashPath('dir', ' 2026-11-21 07:19:04');
    expect(trashed).toBe('~Trash/dir 2026-11-21 07:19:04');
    expect(restoredPath(trashed, 'folder')).toBe('dir');
    expect(restoredPath(trashed)).toBe('dir 2026-11-21 07:19:04');
    expect(restoredPath('~Trash')).toBe('');
  });

  test('restoring returns the original path', () => {
    fc.assert(
      fc.property(path, (where) => {
        const trashed = trashPath(where);
        expect(isTrashed(trashed)).toBe(true);
        expect(restoredPath(trashed)).toBe(where);
        expect(trashPath(trashed)).toBe(trashed);
      }),
    );
  });
});

describe('checkNotePath', () => {
  test.each(['dir/n1', 'a..b', '...', 'é'.repeat(127), Array(16).fill('a').join('/'), ''])(
    '%j is valid',
    (good) => {
      expect(checkNotePath(good)).toBeUndefined();
    },
  );

  test.each([
    ['a\u0000b', 'control characters'],
    ['a\nb', 'control characters'],
    ['a/../b', "'.' or '..'"],
    ['a\\..', "'.' or '..'"],
    ['./a', "'.' or '..'"],
    ['a/ .. /b', "'.' or '..'"],
    ['a'.repeat(256), '255 bytes'],
    ['é'.repeat(128), '255 bytes'],
    [Array(17).fill('a').join('/'), '16 parts'],
  ])('%j is invalid', (bad, reason) => expect(checkNotePath(bad)).toContain(reason));
});

test('the page title is the last segment and the product [W16]', () => {
  expect(pageTitle('dir/sub/n1', 'Workbench')).toBe('n1 - Workbench');
  expect(pageTitle('', 'Workbench')).toBe('Workbench');
});
