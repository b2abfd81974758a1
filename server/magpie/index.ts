/**
 * Public interface of `%magpie` for the rest of the server. Files outside of this folder import
 * only this file.
 */
import type { CommandLanguage, RunOutput } from '../interpreters/contract.ts';
import type { Profile } from './catalogue/state.ts';
import type { ExportStore } from './exports.ts';

export { StatementError } from './contract.ts';
export { quotedName } from './language/reader.ts';
export { serverPeople } from './people.ts';
export { openPlatform } from './platform.ts';
export { downloadText } from './statements/files/download.ts';

/** The command language, as REST calls and interpreters use it. */
export interface MagpieService extends CommandLanguage {
  /** What the command language knows about a user. */
  profileOf(userName: string): Profile | undefined;
  /** Files that statements exported for download. */
  readonly exports: Pick<ExportStore, 'owns' | 'find'>;
  /**
   * The current state of a job run. Undefined if there is none, or the user may not read its job.
   * Rejects with {@link StatementError} if there is no such user.
   */
  jobRun(jobRunId: string, userName: string): Promise<object | undefined>;
  /**
   * Runs one script in its own session, without a note. Rejects with {@link StatementError}, or
   * with the signal's reason.
   */
  runScript(
    userName: string,
    script: string,
    output: RunOutput,
    signal: AbortSignal,
  ): Promise<void>;
}
