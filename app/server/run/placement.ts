/** Which instance of a setting serves a run. */
import { createHash } from 'node:crypto';
import type { RunOption } from '../settings/setting.ts';

/** Where a run goes. */
export interface Placement {
  /** The same for runs that share an instance. */
  readonly key: string;
  /** Names the process's folder; '' for the setting's own. */
  readonly folder: string;
  /** The one note or person that it serves; undefined where many share it. */
  readonly noteId: string | undefined;
  readonly principal: string | undefined;
  /** Whether its process runs code of one person only. */
  readonly onePerson: boolean;
}

/**
 * The place of a run. Isolated: a process of its own for the note, the user, or both; scoped: a session of its own in the
 * process, and a process of its own where the interpreter has no sessions.
 * @param own the note has a process of its own, whatever the setting says
 */
export function placementOf(
  { perNote, perUser }: Pick<RunOption, 'perNote' | 'perUser'>,
  sessions: boolean,
  { noteId, principal }: { noteId: string; principal: string },
  own = false,
): Placement {
  const noteApart = own || perNote !== 'shared';
  const userApart = perUser !== 'shared';
  const ownProcess = (mode: string) => mode === 'isolated' || (mode === 'scoped' && !sessions);
  const parts = [
    ...(own || ownProcess(perNote) ? [`note ${noteId}`] : []),
    ...(ownProcess(perUser) ? [`user ${principal}`] : []),
  ];
  return {
    key: JSON.stringify([noteApart ? noteId : null, userApart ? principal : null, own]),
    // A name of a user may hold what a file's name may not.
    folder:
      parts.length === 0
        ? ''
        : createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 24),
    noteId: noteApart ? noteId : undefined,
    principal: userApart ? principal : undefined,
    onePerson: ownProcess(perUser),
  };
}
