/** Which jobs of the list are shown, and in which order. Pure: it goes through all of them at each change. */
import { noteTitle } from 'tiding/model';
import type { JobEntry } from 'tiding/protocol';

/** What a reader has chosen. */
export interface JobChoice {
  /** Part of the note's name with its folders, in any case; `''`: all. */
  readonly name: string;
  /** Jobs of which interpreter: of a named one, `null`: of none that is set, `undefined`: of any. */
  readonly interpreter: string | null | undefined;
  /** `recent`: what ran last comes first; `oldest`: last. */
  readonly sort: 'recent' | 'oldest';
  /** What runs comes before all others. */
  readonly runningOnTop: boolean;
}

/** The note's title: the last part of its name, `Note {id}` without one. */
export const titleOf = ({ noteId, noteName }: JobEntry): string =>
  noteTitle({ id: noteId, name: noteName ?? '' });

/** The jobs that fit, in their order. */
export function selectJobs(
  jobs: readonly JobEntry[],
  { name, interpreter, sort, runningOnTop }: JobChoice,
): readonly JobEntry[] {
  const wanted = name.toLowerCase();
  const fits = (job: JobEntry): boolean =>
    (interpreter === undefined || (job.interpreter || null) === interpreter) &&
    (wanted === '' || (job.noteName || titleOf(job)).toLowerCase().includes(wanted));
  const direction = sort === 'recent' ? -1 : 1;
  const rank = (job: JobEntry): number => (runningOnTop && job.isRunningJob ? 0 : 1);
  return jobs
    .filter(fits)
    .sort(
      (a, b) =>
        rank(a) - rank(b) || direction * ((a.unixTimeLastRun ?? 0) - (b.unixTimeLastRun ?? 0)),
    );
}

/** Names of the interpreters that jobs have, in order. */
export function interpretersOf(jobs: readonly JobEntry[]): readonly string[] {
  return [...new Set(jobs.flatMap(({ interpreter }) => interpreter || []))].sort((a, b) =>
    a.localeCompare(b),
  );
}
