import type { RestCall } from '../rest/rest-client.ts';

/** A run of a whole note over REST. */
export interface NoteRunOverRest {
  /**
   * Whether the call that started the run has been answered: newer servers do so immediately, older
   * ones at the end of the run.
   */
  settled: boolean;
  /** Whether the start call failed without a clear answer, so that the note may be running. */
  unsure: boolean;
  /** Paragraphs that were reported as running. */
  readonly seen: Set<string>;
  /** Last known state of each job, by paragraph. */
  jobs: Map<string, string>;
}

/** Reads the jobs of a note. `running` is `undefined` on servers that don't report it. */
export async function jobsOf(call: RestCall, noteId: string) {
  const answer = await call('noteJob', { params: { noteId } });
  return Array.isArray(answer)
    ? { jobs: answer, running: undefined }
    : { jobs: answer.paragraphs, running: answer.isRunning };
}

/** Returns the state of each job as a string that changes whenever the job does, by paragraph. */
export const jobFingerprints = ({
  jobs,
}: Awaited<ReturnType<typeof jobsOf>>): Map<string, string> =>
  new Map(jobs.map((job) => [job.id, JSON.stringify([job.status, job.started, job.finished])]));
