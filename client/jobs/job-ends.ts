import { isRunning } from '../model/notes/paragraph-status.ts';
import type { JobEntry } from '../protocol/index.ts';

/** The end of a run of a note, or of some of its paragraphs. */
export interface JobEnd {
  /** Id of the note. */
  readonly noteId: string;
  /** Full path of the note. */
  readonly noteName: string;
  /** `failed` if a paragraph that ran has failed or was aborted. */
  readonly status: 'finished' | 'failed';
}

/** Returns a function that takes each job list and update, and calls `onEnd` for ends of runs. */
export function jobEnds(onEnd: (end: JobEnd) => void): (jobs: readonly JobEntry[]) => void {
  const notes = new Map<string, { isOn: boolean; last: number; ran: Set<string> }>();
  let isFirst = true;
  return (jobs) => {
    for (const job of jobs) {
      const { noteId, noteName = '', paragraphs = [], unixTimeLastRun: last = 0 } = job;
      const isOn = job.isRunningJob === true;
      const before = notes.get(noteId) ?? { isOn: false, last: isFirst ? last : 0, ran: new Set() };
      const ran = before.isOn ? before.ran : new Set<string>();
      for (const { id, status } of paragraphs) if (isRunning(status)) ran.add(id);
      if (job.isRemoved) notes.delete(noteId);
      else notes.set(noteId, { isOn, last, ran });
      if (isOn || job.isRemoved || (!before.isOn && before.last === last)) continue;
      // A short run may begin and end between two updates.
      const ended = paragraphs.filter(({ id }) => ran.size === 0 || ran.has(id));
      const hasFailed = ended.some(({ status }) => status === 'ERROR' || status === 'ABORT');
      onEnd({ noteId, noteName, status: hasFailed ? 'failed' : 'finished' });
    }
    isFirst = false;
  };
}
