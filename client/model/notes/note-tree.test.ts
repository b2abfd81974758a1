import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildTree, filterNotes, type TreeNode } from './note-tree.ts';

/** Names, with the children of folders in brackets. */
const drawn = (nodes: readonly TreeNode[]): string =>
  nodes
    .map((node) => (node.kind === 'folder' ? `${node.name}[${drawn(node.children)}]` : node.name))
    .join(' ');
const notesIn = (nodes: readonly TreeNode[]): string[] =>
  nodes.flatMap((node) => (node.kind === 'folder' ? notesIn(node.children) : [node.id]));

describe('buildTree', () => {
  test('sorts folders before notes by locale, with the trash last', () => {
    const tree = buildTree([
      { id: '1', name: 'zeta' },
      { id: '2', name: '~Trash/old/n' },
      { id: '3', name: 'b/n2' },
      { id: '4', name: 'b/deep/n' },
      { id: '5', name: 'Émile' },
      { id: '6', name: 'a/n' },
      { id: '7', name: 'apple' },
      { id: '8', name: 'b/n1' },
    ]);
    expect(drawn(tree)).toBe('a[n] b[deep[n] n1 n2] apple Émile zeta ~Trash[old[n]]');
    expect(tree.at(-1)).toMatchObject({ kind: 'folder', path: '~Trash', trashed: true });
    expect(tree[1]).toMatchObject({ kind: 'folder', path: 'b', trashed: false });
  });

  test('handles both generations, stray slashes and missing names', () => {
    const tree = buildTree([
      { id: '1', path: '/dir/n1' },
      { id: '2', name: '/dir/n2' },
      { id: '3', name: 'dir//n3' },
      { id: '4' },
    ]);
    expect(drawn(tree)).toBe('dir[n1 n2 n3] Note 4');
  });

  test('allows a note and a folder, or two notes, with the same name', () => {
    expect(
      drawn(
        buildTree([
          { id: '1', name: 'x' },
          { id: '2', name: 'x/y' },
          { id: '3', name: 'x' },
        ]),
      ),
    ).toBe('x[y] x x');
  });

  test('treats folder names that are properties of Object like others', () => {
    expect(drawn(buildTree([{ id: '1', name: '__proto__/constructor/n' }]))).toBe(
      '__proto__[constructor[n]]',
    );
  });

  test('contains every note once', () => {
    const entries = fc.array(
      fc.record({ id: fc.uuid(), name: fc.stringMatching(/^[ab/~]{0,8}$/) }),
    );
    fc.assert(
      fc.property(entries, (list) => {
        expect(notesIn(buildTree(list)).sort()).toEqual(list.map(({ id }) => id).sort());
      }),
    );
  });
});

describe('filterNotes', () => {
  const entries = [
    { id: '1', name: 'Sales/North' },
    { id: '2', path: '/~Trash/sales' },
    { id: '3', name: 'other' },
    { id: '4', name: 'a/SALES report' },
    { id: '5' },
  ];

  test('matches the full path, ignoring case, with trashed notes last', () => {
    expect(filterNotes(entries, 'saLES').map(({ id }) => id)).toEqual(['4', '1', '2']);
    expect(filterNotes(entries, 'saLES').at(-1)?.trashed).toBe(true);
    expect(filterNotes(entries, 's/n').map(({ id }) => id)).toEqual(['1']);
  });

  test('sorts by full path', () => {
    const list = [
      { id: '1', name: 'z/a' },
      { id: '2', name: 'b/z' },
      { id: '3' },
      { id: '4', name: '~Trash/b' },
      { id: '5', name: '~Trash/a' },
    ];
    expect(filterNotes(list, '').map(({ id }) => id)).toEqual(['2', '3', '1', '5', '4']);
    expect(filterNotes([...list].reverse(), '').map(({ id }) => id)).toEqual([
      '2',
      '3',
      '1',
      '5',
      '4',
    ]);
  });

  test('matches all with an empty text, and a note without a name by its title', () => {
    expect(filterNotes(entries, '')).toHaveLength(5);
    expect(filterNotes(entries, 'note 5').map(({ id }) => id)).toEqual(['5']);
  });
});
