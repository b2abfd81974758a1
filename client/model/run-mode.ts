/** How interpreter processes are shared: the option of a setting and the words people see. */

/** Sharing along one axis, per note or per user. */
export type Sharing = 'shared' | 'scoped' | 'isolated';
/** The mode people choose first. */
export type RunMode = 'Globally' | 'Per Note' | 'Per User';

/** The part of an interpreter's option that this is about; other fields pass through. */
export interface RunOption {
  /** `shared`, `scoped` or `isolated`; anything else is shared. */
  readonly perNote?: string | undefined;
  /** `shared`, `scoped` or `isolated`; anything else is shared. */
  readonly perUser?: string | undefined;
  /** An interpreter of its own in a common process (follows from `scoped`). */
  readonly session?: boolean | undefined;
  /** A process of its own (follows from `isolated`). */
  readonly process?: boolean | undefined;
  /** The process runs as the user who is signed in. */
  readonly isUserImpersonate?: boolean | undefined;
}

/** Sharing as text of an option; absent, empty and unknown mean shared. */
function sharing(text: string | undefined): Sharing {
  return text === 'scoped' || text === 'isolated' ? text : 'shared';
}

/** Session and process of a sharing (specification): isolated a separate process, scoped a session, shared neither. */
function flags(of: Sharing): { session: boolean; process: boolean } {
  return { session: of === 'scoped', process: of === 'isolated' };
}

/**
 * The mode that is shown (specification): `Globally` when note and user are both shared (or absent), `Per User` when
 * somebody is signed in and the option names a sharing per user, else `Per Note`.
 */
export function runMode(option: RunOption, signedIn: boolean): RunMode {
  if (sharing(option.perNote) === 'shared' && sharing(option.perUser) === 'shared')
    return 'Globally';
  return signedIn && option.perUser ? 'Per User' : 'Per Note';
}

/** The sharing that is shown beside the mode. */
export function runSharing(option: RunOption, signedIn: boolean): Sharing {
  return sharing(runMode(option, signedIn) === 'Per User' ? option.perUser : option.perNote);
}

/**
 * The sentence about an option (upstream 0.8.2): `The interpreter will be instantiated Per User in scoped process`, and
 * ` And Per Note in isolated process` where notes are kept apart as well.
 */
export function runModeText(option: RunOption, signedIn: boolean): string {
  const mode = runMode(option, signedIn);
  const perNote = sharing(option.perNote);
  const also =
    mode === 'Per User' && perNote !== 'shared' ? ` And Per Note in ${perNote} process` : '';
  return `The interpreter will be instantiated ${mode} in ${runSharing(option, signedIn)} process${also}`;
}

/** Impersonation is only possible per user and isolated; any other option loses it (specification). */
export function cleanRunOption<O extends RunOption>(option: O, signedIn: boolean): O {
  const may =
    runMode(option, signedIn) === 'Per User' && runSharing(option, signedIn) === 'isolated';
  return may || !option.isUserImpersonate ? option : { ...option, isUserImpersonate: false };
}

/**
 * An option after a mode was chosen, with upstream's first sharing for it (0.8.2): globally both shared, per note the
 * note scoped, per user the user scoped. Impersonation is dropped, since none of them is isolated.
 */
export function withRunMode<O extends RunOption>(option: O, mode: RunMode): O {
  const chosen = {
    Globally: { perNote: 'shared', perUser: 'shared', ...flags('shared') },
    'Per Note': { perNote: 'scoped', perUser: '', ...flags('scoped') },
    'Per User': { perNote: 'shared', perUser: 'scoped', ...flags('scoped') },
  }[mode];
  return { ...option, ...chosen, isUserImpersonate: false };
}

/** An option after a sharing was chosen per note or per user; sets session and process with it (specification). */
export function withSharing<O extends RunOption>(
  option: O,
  axis: 'perNote' | 'perUser',
  chosen: Sharing,
): O {
  const next = { ...option, [axis]: chosen, ...flags(chosen) };
  return cleanRunOption(next, true);
}
