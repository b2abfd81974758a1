/** Decides which instance of an interpreter setting serves a run. */
import { createHash } from 'node:crypto';
import type { FileScope } from '../../files/data-files.ts';
import type { InstanceSharing, SharingMode } from '../../interpreters/contract.ts';

export interface Placement {
  /** Equal for runs that share an instance. */
  readonly key: string;
  /** Name of the process's folder; '' for the setting's own folder. */
  readonly folder: string;
  /** The single note or user that it serves; `undefined` if it is shared. */
  readonly noteId: string | undefined;
  readonly principal: string | undefined;
  /** Whether its process serves only one note. */
  readonly oneNote: boolean;
  /** Whether its process runs code of only one user. */
  readonly onePerson: boolean;
  /** Group of the values that its runs share with pages, also with those of other notes. */
  readonly valueGroup: string;
}

/**
 * Returns the placement of a run. Isolated: a separate process for the note, the user, or both.
 * Scoped: a separate session in the shared process, or a separate process if the interpreter has
 * no sessions.
 * @param own the note has its own process, regardless of the setting
 */
export function placementOf(
  { perNote, perUser }: InstanceSharing,
  sessions: boolean,
  {
    noteId,
    principal,
    terminal,
  }: { noteId: string; principal: string; terminal?: string | undefined },
  own = false,
): Placement {
  const isApart = (mode: SharingMode) => mode === 'scoped' || mode === 'isolated';
  const noteApart = own || isApart(perNote);
  const userApart = isApart(perUser);
  const ownProcess = (mode: SharingMode) => mode === 'isolated' || (mode === 'scoped' && !sessions);
  const users = ownProcess(perUser) ? [`user ${principal}`] : [];
  return {
    key: JSON.stringify([
      noteApart ? noteId : null,
      userApart ? principal : null,
      own,
      ...(terminal === undefined ? [] : [noteId, terminal]),
    ]),
    folder: nameOf([...(own || ownProcess(perNote) ? [noteName(noteId)] : []), ...users]),
    noteId: noteApart ? noteId : undefined,
    principal: userApart ? principal : undefined,
    oneNote: own || ownProcess(perNote),
    onePerson: ownProcess(perUser),
    valueGroup: nameOf(users) || 'shared_process',
  };
}

/**
 * Returns whose files the process of an instance may use.
 * @param reachesAll the process is not confined to files anyway
 */
export const fileScopeOf = (
  { noteId, principal, oneNote, onePerson }: Placement,
  reachesAll: boolean,
): FileScope => ({
  noteId: oneNote || reachesAll ? noteId : undefined,
  principal: onePerson ? principal : undefined,
});

const noteName = (noteId: string): string => `note ${noteId}`;

/** Returns the name of the folder of a process that serves all users of one note. */
export const folderOfNote = (noteId: string): string => nameOf([noteName(noteId)]);

/** Hashes the parts: user names may contain characters that file names may not. */
const nameOf = (parts: readonly string[]): string =>
  parts.length === 0
    ? ''
    : createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 24);
