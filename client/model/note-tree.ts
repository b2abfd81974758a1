/** The note list as a tree of folders, and as a filtered flat list. */
import type { NoteEntry } from '../protocol/objects.ts';
import { isTrashed, notePath, noteTitle } from './note-path.ts';

/** A folder of the note list. `path` has no leading slash; `trashed` folders include the trash itself. */
export interface TreeFolder {
  /** Tells folders from notes. */
  readonly kind: 'folder';
  /** Names from the root, joined by `/`. */
  readonly path: string;
  /** Last part of the path. */
  readonly name: string;
  /** The trash itself, or inside it. */
  readonly trashed: boolean;
  /** Folders, then notes, in the order they are shown. */
  readonly children: readonly TreeNode[];
}

/** A note of the note list; `name` is what is shown, `path` the full path (`''` for a note without a name). */
export interface TreeNote {
  /** Tells notes from folders. */
  readonly kind: 'note';
  /** Id of the note. */
  readonly id: string;
  /** Without a leading slash. */
  readonly path: string;
  /** The title by the rules of `noteTitle`. */
  readonly name: string;
  /** Inside the trash. */
  readonly trashed: boolean;
}

/** An entry of the note list. */
export type TreeNode = TreeFolder | TreeNote;

interface Draft {
  readonly folders: Map<string, Draft>;
  readonly notes: TreeNote[];
}

const collator = new Intl.Collator();
const draft = (): Draft => ({ folders: new Map(), notes: [] });

function toNote(entry: NoteEntry): TreeNote {
  const path = notePath(entry);
  return { kind: 'note', id: entry.id, path, name: noteTitle(entry), trashed: isTrashed(path) };
}

/** Folders, then notes, by locale compare; what is trashed comes last. */
function order(a: TreeNode, b: TreeNode): number {
  if (a.trashed !== b.trashed) return a.trashed ? 1 : -1;
  if (a.kind !== b.kind) return a.kind === 'folder' ? -1 : 1;
  return collator.compare(a.name, b.name) || collator.compare(a.path, b.path);
}

function finish(from: Draft, parent: string): TreeNode[] {
  const folders = [...from.folders].map(([name, inner]): TreeFolder => {
    const path = parent === '' ? name : `${parent}/${name}`;
    return { kind: 'folder', path, name, trashed: isTrashed(path), children: finish(inner, path) };
  });
  return [...folders, ...from.notes].sort(order);
}

/**
 * The note list as a tree: at each level folders, then notes, by locale compare, and the trash folder last (upstream
 * 0.8.2). Leading, trailing and doubled slashes make no folders.
 */
export function buildTree(entries: readonly NoteEntry[]): TreeNode[] {
  const root = draft();
  for (const entry of entries) {
    const note = toNote(entry);
    let level = root;
    for (const name of note.path.split('/').slice(0, -1)) {
      if (name === '') continue;
      let next = level.folders.get(name);
      if (!next) level.folders.set(name, (next = draft()));
      level = next;
    }
    level.notes.push(note);
  }
  return finish(root, '');
}

/**
 * Notes whose full path contains `text`, letter case ignored, as a flat list ordered by path with trashed notes last
 * (upstream 0.8.2). An empty text finds all.
 */
export function filterNotes(entries: readonly NoteEntry[], text: string): TreeNote[] {
  const wanted = text.toLowerCase();
  return entries
    .map(toNote)
    .filter((note) => (note.path || note.name).toLowerCase().includes(wanted))
    .sort(
      (a, b) =>
        Number(a.trashed) - Number(b.trashed) ||
        collator.compare(a.path || a.name, b.path || b.name),
    );
}
