import type { Client } from '@tiding/client';
import {
  nextCloneName,
  normalizePath,
  type TreeFolder,
  type TreeNote,
  takenNotePath,
} from '@tiding/client/model';
import { type ReactNode, useState } from 'react';
import { CodeBoundary, lazyCode } from '../runtime/lazy-code.tsx';
import { fill } from '../text/fill.ts';
import { noteTexts } from '../text/note-texts.ts';
import { cloneNoteTexts } from './dialog-texts.ts';
import { noteErrorText } from './note-error.ts';
import { notePaths } from './taken-name.tsx';
import { noteListTexts } from './texts.ts';

const ConfirmDialog = lazyCode(async () => (await import('../ui/dialogs.tsx')).ConfirmDialog);
const CreateDialog = lazyCode(
  async () => (await import('../notes/create-dialog.tsx')).CreateDialog,
);
const NameDialog = lazyCode(async () => (await import('../notes/name-dialog.tsx')).NameDialog);

/** Actions on a note or folder of the list. */
export type NoteAction =
  | {
      kind:
        | 'rename-note'
        | 'clone-note'
        | 'clear-note'
        | 'trash-note'
        | 'restore-note'
        | 'remove-note';
      note: TreeNote;
    }
  | {
      kind: 'new-note' | 'rename-folder' | 'trash-folder' | 'restore-folder' | 'remove-folder';
      folder: TreeFolder;
    }
  | { kind: 'restore-all' | 'empty-trash' };

type Asked = {
  title: string;
  text?: string;
  action: string;
  danger?: boolean;
  act: () => Promise<unknown>;
};
type Named = {
  title: string;
  action: string;
  value: string;
  /** Paths that other notes have. */
  taken?: readonly string[];
  act: (name: string) => Promise<unknown>;
};

/**
 * Runs actions on notes, with the confirmations the specification requires. `fail` shows errors.
 */
export function useNoteActions(
  client: Client,
  fail: (message: string) => void,
  onOpen: (id: string) => unknown,
): [(action: NoteAction) => void, ReactNode] {
  const [asked, setAsked] = useState<Asked>();
  const [named, setNamed] = useState<Named>();
  const [folder, setFolder] = useState<string>();
  const { notes } = client;

  const run = async (act: () => Promise<unknown>, asked?: Named) => {
    try {
      await act();
    } catch (error) {
      const path = takenNotePath((error as Error).message);
      // Another note has taken the name: ask again, with the typed name.
      if (asked && path !== undefined)
        setNamed({ ...asked, value: path, taken: [...(asked.taken ?? []), path] });
      else fail(noteErrorText(error));
    }
  };
  /** Renaming to an existing folder merges the two, after another confirmation. */
  const renameFolder = async (folder: TreeFolder, name: string) => {
    const target = normalizePath(name);
    if (target === folder.path || target === '') return;
    const exists = client.state.notes?.some((note) => note.path.startsWith(`${target}/`));
    const act = () => notes.renameFolder(folder.path, target);
    if (exists)
      setAsked({
        title: noteListTexts.mergeTitle,
        text: fill(noteListTexts.mergeText, { folder: target }),
        action: noteListTexts.merge,
        danger: true,
        act,
      });
    else await act();
  };

  const start = (action: NoteAction) => {
    const list = noteListTexts;
    const forGood = (action: string) => ({ action, text: list.cannotUndo, danger: true });
    switch (action.kind) {
      case 'rename-note':
        return setNamed({
          title: list.rename,
          action: list.save,
          value: action.note.path,
          taken: notePaths(client).filter((path) => path !== action.note.path),
          act: (name) => notes.rename(action.note.id, name),
        });
      case 'rename-folder':
        return setNamed({
          title: list.renameFolder,
          action: list.save,
          value: action.folder.path,
          act: (name) => renameFolder(action.folder, name),
        });
      case 'clone-note':
        return setNamed({
          title: cloneNoteTexts.title,
          action: cloneNoteTexts.action,
          value: nextCloneName(action.note.path, notePaths(client)),
          taken: notePaths(client),
          act: async (name) => onOpen(await notes.clone(action.note.id, name)),
        });
      case 'clear-note':
        return setAsked({
          title: noteTexts.confirmClear,
          action: noteTexts.clearAction,
          act: () => notes.clear(action.note.id),
        });
      case 'new-note':
        return setFolder(action.folder.path);
      case 'trash-note':
        return setAsked({
          title: list.confirmTrashNote,
          action: list.move,
          act: () => notes.trash(action.note.id),
        });
      case 'trash-folder':
        return setAsked({
          title: list.confirmTrashFolder,
          text: list.confirmTrashFolderText,
          action: list.move,
          act: () => notes.trashFolder(action.folder.path),
        });
      case 'restore-note':
        return void run(() => notes.restore(action.note.id));
      case 'restore-folder':
        return void run(() => notes.restoreFolder(action.folder.path));
      case 'remove-note':
        return setAsked({
          title: list.confirmRemoveNote,
          ...forGood(list.remove),
          act: () => notes.remove(action.note.id),
        });
      case 'remove-folder':
        return setAsked({
          title: list.confirmRemoveFolder,
          ...forGood(list.remove),
          act: () => notes.removeFolder(action.folder.path),
        });
      case 'restore-all':
        return setAsked({
          title: list.confirmRestoreAll,
          text: list.confirmRestoreAllText,
          action: list.restore,
          act: () => notes.restoreAll(),
        });
      case 'empty-trash':
        return setAsked({
          title: list.confirmEmptyTrash,
          ...forGood(list.emptyTrash),
          act: () => notes.emptyTrash(),
        });
    }
  };

  const view = (
    <CodeBoundary fallback={null}>
      {asked ? (
        <ConfirmDialog
          {...asked}
          onClose={(confirmed) => {
            setAsked(undefined);
            if (confirmed) void run(asked.act);
          }}
        />
      ) : null}
      {named ? (
        <NameDialog
          {...named}
          onClose={(name) => {
            setNamed(undefined);
            if (name !== undefined) void run(() => named.act(name), named);
          }}
        />
      ) : null}
      {folder === undefined ? null : (
        <CreateDialog
          client={client}
          folder={folder}
          onClose={(id) => {
            setFolder(undefined);
            if (id !== undefined) onOpen(id);
          }}
        />
      )}
    </CodeBoundary>
  );
  return [start, view];
}
