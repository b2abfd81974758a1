import type { NoteInfo } from '../../protocol/objects.ts';
import { nameOrder } from '../text/name-order.ts';
import { isTrashed, notePath, noteTitle } from './note-path.ts';

/** A folder in the list of notes. The trash is a folder as well. */
export interface TreeFolder {
  /** Distinguishes folders from notes. */
  readonly kind: 'folder';
  /** Names from the root, joined by `/`, without a leading slash. */
  readonly path: string;
  /** Last segment of the path. */
  readonly name: string;
  /** Whether it is the trash or inside it. */
  readonly trashed: boolean;
  /** Folders, then notes, in display order. */
  readonly children: readonly TreeNode[];
  /** Number of notes in it, including its subfolders. */
  readonly count: number;
}

/** A note in the list of notes. */
export interface TreeNote {
  /** Distinguishes notes from folders. */
  readonly kind: 'note';
  /** Id of the note. */
  readonly id: string;
  /** Full path without a leading slash; `''` for a note without a name. */
  readonly path: string;
  /** Title to display; see `noteTitle`. */
  readonly name: string;
  /** Whether it is in the trash. */
  readonly trashed: boolean;
}

/** An entry in the list of notes. */
export type TreeNode = TreeFolder | TreeNote;

/** A folder while the tree is being built. */
interface FolderBuilder {
  readonly folders: Map<string, FolderBuilder>;
  readonly notes: TreeNote[];
}

const compareNames = nameOrder();
const emptyFolder = (): FolderBuilder => ({ folders: new Map(), notes: [] });

function toNote(entry: NoteInfo): TreeNote {
  const path = notePath(entry);
  return { kind: 'note', id: entry.id, path, name: noteTitle(entry), trashed: isTrashed(path) };
}

/** Sorts folders before notes, by locale; trashed ones come last. */
function compareNodes(a: TreeNode, b: TreeNode): number {
  if (a.trashed !== b.trashed) return a.trashed ? 1 : -1;
  if (a.kind !== b.kind) return a.kind === 'folder' ? -1 : 1;
  return compareNames(a.name, b.name) || compareNames(a.path, b.path);
}

function childrenOf(folder: FolderBuilder, parent: string): TreeNode[] {
  const folders = [...folder.folders].map(([name, inner]): TreeFolder => {
    const path = parent === '' ? name : `${parent}/${name}`;
    const children = childrenOf(inner, path);
    const count = children.reduce(
      (sum, child) => sum + (child.kind === 'note' ? 1 : child.count),
      0,
    );
    return { kind: 'folder', path, name, trashed: isTrashed(path), children, count };
  });
  return [...folders, ...folder.notes].sort(compareNodes);
}

/**
 * Builds a tree from the list of notes. Each level has folders, then notes, sorted by locale; the
 * trash comes last (as in Zeppelin 0.8.2). Leading, trailing and repeated slashes create no
 * folders.
 */
export function buildTree(entries: readonly NoteInfo[]): TreeNode[] {
  const root = emptyFolder();
  for (const entry of entries) {
    const note = toNote(entry);
    let level = root;
    for (const name of note.path.split('/').slice(0, -1)) {
      if (name === '') continue;
      let next = level.folders.get(name);
      if (!next) level.folders.set(name, (next = emptyFolder()));
      level = next;
    }
    level.notes.push(note);
  }
  return childrenOf(root, '');
}

/**
 * Returns the notes whose full path contains `text`, ignoring case, as a flat list sorted by path
 * with trashed notes last (as in Zeppelin 0.8.2). An empty text matches all.
 */
export function filterNotes(entries: readonly NoteInfo[], text: string): TreeNote[] {
  const wanted = text.toLowerCase();
  return entries
    .map(toNote)
    .filter((note) => (note.path || note.name).toLowerCase().includes(wanted))
    .sort(
      (a, b) =>
        Number(a.trashed) - Number(b.trashed) || compareNames(a.path || a.name, b.path || b.name),
    );
}
