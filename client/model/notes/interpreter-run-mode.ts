/** Sharing of an interpreter process per note or per user. */
export type InterpreterSharing = 'shared' | 'scoped' | 'isolated';
/** The mode that users choose first. */
export type InterpreterRunMode = 'Globally' | 'Per Note' | 'Per User';

/** Fields of an interpreter's option that determine the sharing. Other fields are kept. */
export interface InterpreterRunOption {
  /** `shared`, `scoped` or `isolated`. Anything else means shared. */
  readonly perNote?: string | undefined;
  /** `shared`, `scoped` or `isolated`. Anything else means shared. */
  readonly perUser?: string | undefined;
  /** Whether it has its own interpreter in a common process (set for `scoped`). */
  readonly session?: boolean | undefined;
  /** Whether it has its own process (set for `isolated`). */
  readonly process?: boolean | undefined;
  /** Whether the process runs as the signed-in user. */
  readonly isUserImpersonate?: boolean | undefined;
}

/** Parses a sharing. Absent, empty and unknown texts mean shared. */
function sharing(text: string | undefined): InterpreterSharing {
  return text === 'scoped' || text === 'isolated' ? text : 'shared';
}

/**
 * Returns session and process of a sharing (specification): isolated has a separate process, scoped
 * a session, shared neither.
 */
function flags(of: InterpreterSharing): { session: boolean; process: boolean } {
  return { session: of === 'scoped', process: of === 'isolated' };
}

/**
 * Returns the mode to display (specification): `Globally` if both note and user are shared, `Per
 * User` if somebody is signed in and the option has a sharing per user, otherwise `Per Note`.
 */
export function runMode(option: InterpreterRunOption, signedIn: boolean): InterpreterRunMode {
  if (sharing(option.perNote) === 'shared' && sharing(option.perUser) === 'shared')
    return 'Globally';
  return signedIn && option.perUser ? 'Per User' : 'Per Note';
}

/** Returns the sharing to display beside the mode. */
export function runSharing(option: InterpreterRunOption, signedIn: boolean): InterpreterSharing {
  return sharing(runMode(option, signedIn) === 'Per User' ? option.perUser : option.perNote);
}

/**
 * Describes an option in a sentence (as in Zeppelin 0.8.2): `The interpreter will be instantiated
 * Per User in scoped process`, followed by ` And Per Note in isolated process` if notes are
 * separated as well.
 */
export function runModeText(option: InterpreterRunOption, signedIn: boolean): string {
  const mode = runMode(option, signedIn);
  const perNote = sharing(option.perNote);
  const also =
    mode === 'Per User' && perNote !== 'shared' ? ` And Per Note in ${perNote} process` : '';
  return (
    `The interpreter will be instantiated ${mode} in ${runSharing(option, signedIn)} ` +
    `process${also}`
  );
}

/** Removes impersonation unless the option is per user and isolated (specification). */
export function cleanRunOption<O extends InterpreterRunOption>(option: O, signedIn: boolean): O {
  const may =
    runMode(option, signedIn) === 'Per User' && runSharing(option, signedIn) === 'isolated';
  return may || !option.isUserImpersonate ? option : { ...option, isUserImpersonate: false };
}

/**
 * Returns the option after choosing a mode, with the first sharing that Zeppelin 0.8.2 sets for it:
 * globally both are shared, per note the note is scoped, per user the user is scoped. Removes
 * impersonation, because none of these is isolated.
 */
export function withRunMode<O extends InterpreterRunOption>(
  option: O,
  mode: InterpreterRunMode,
): O {
  const chosen = {
    Globally: { perNote: 'shared', perUser: 'shared', ...flags('shared') },
    'Per Note': { perNote: 'scoped', perUser: '', ...flags('scoped') },
    'Per User': { perNote: 'shared', perUser: 'scoped', ...flags('scoped') },
  }[mode];
  return { ...option, ...chosen, isUserImpersonate: false };
}

/**
 * Returns the option after choosing a sharing per note or per user, with session and process set
 * accordingly (specification).
 */
export function withSharing<O extends InterpreterRunOption>(
  option: O,
  axis: 'perNote' | 'perUser',
  chosen: InterpreterSharing,
): O {
  const next = { ...option, [axis]: chosen, ...flags(chosen) };
  return cleanRunOption(next, true);
}
