/** Filters and sorts the job list. Pure; runs over all jobs on each change. */
import { noteTitle } from '@tiding/client/model';
import type { JobEntry } from '@tiding/client/protocol';

/** The filter and sort options chosen by the user. */
export interface JobFilter {
  /** Part of the note name including folders, case-insensitive; `''` matches all. */
  readonly name: string;
  /** A name matches jobs of that interpreter, `null` jobs without one, `undefined` all jobs. */
  readonly interpreter: string | null | undefined;
  /** `recent` puts the last run first, `oldest` puts it last. */
  readonly sort: 'recent' | 'oldest';
  /** Lists running jobs before all others. */
  readonly runningOnTop: boolean;
  /** Lists only notes with a schedule. */
  readonly scheduledOnly: boolean;
}

/** Title of the note: the last part of its name, or `Note {id}` if it has none. */
export const jobTitle = ({ noteId, noteName }: JobEntry): string =>
  noteTitle({ id: noteId, name: noteName ?? '' });

/** Returns the matching jobs in sort order. */
export function selectJobs(
  jobs: readonly JobEntry[],
  { name, interpreter, sort, runningOnTop, scheduledOnly }: JobFilter,
): readonly JobEntry[] {
  const wanted = name.toLowerCase();
  const fits = (job: JobEntry): boolean =>
    (!scheduledOnly || job.noteType === 'cron') &&
    (interpreter === undefined || (job.interpreter || null) === interpreter) &&
    (wanted === '' || (job.noteName || jobTitle(job)).toLowerCase().includes(wanted));
  const direction = sort === 'recent' ? -1 : 1;
  const rank = (job: JobEntry): number => (runningOnTop && job.isRunningJob ? 0 : 1);
  return jobs
    .filter(fits)
    .sort(
      (a, b) =>
        rank(a) - rank(b) || direction * ((a.unixTimeLastRun ?? 0) - (b.unixTimeLastRun ?? 0)),
    );
}

export function interpretersOf(jobs: readonly JobEntry[]): readonly string[] {
  return [...new Set(jobs.flatMap(({ interpreter }) => interpreter || []))].sort((a, b) =>
    a.localeCompare(b),
  );
}
