/**
 * Stores runs on disk: as a journal while they are in progress, and as one file when finished. The
 * oldest runs of a job are deleted.
 */
import { createHash, randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonFile, writeDurably } from '../../storage/files.ts';
import { type Change, RunRecord } from './run-record.ts';
import { type JobReference, qualifiedJobName, type RecordedRun } from './types.ts';

/** Maximum number of runs to keep for a job. */
const MAX_RUNS = 100;
/** Maximum journal size in characters. Output beyond it is only stored in the finished file. */
const MAX_JOURNAL = 4_000_000;

/** Writes to the server log. Must never receive output of user code. */
export type Log = (message: string, fields?: Record<string, unknown>) => void;

export interface RunJournal {
  /** Records a change. Never throws: a full disk does not end a run. */
  write(change: Change): void;
  /** Replaces the journal with the finished run. */
  end(run: RecordedRun): Promise<void>;
}

export class RunStore {
  readonly #folder: string;
  readonly #log: Log;
  readonly #idOf: (job: JobReference) => number | undefined;
  /** Ids of finished runs by job, oldest first. */
  readonly #ids = new Map<string, string[]>();
  readonly #ready: Promise<void>;
  #last = 0;

  /** `idOf` returns the id of a job whose runs were stored by name. */
  constructor(folder: string, log: Log, idOf: (job: JobReference) => number | undefined) {
    this.#folder = join(folder, 'runs');
    this.#log = log;
    this.#idOf = idOf;
    this.#ready = this.#recover().catch((error: Error) =>
      log('runs of jobs cannot be read', { error: error.message }),
    );
  }

  /** Resolves when the runs of an earlier server process are loaded and closed. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /** Creates a run id. Later ids sort after earlier ones. */
  newId(now: Date): string {
    this.#last = Math.max(this.#last + 1, now.getTime());
    return `r${this.#last.toString(36).padStart(9, '0')}${randomBytes(3).toString('hex')}`;
  }

  begin(run: RecordedRun): RunJournal {
    const key = keyOf(run);
    const folder = join(this.#folder, key);
    const file = join(folder, `${run.jobRunId}.jsonl`);
    let waiting: string[] = [];
    let size = 0;
    let failed = false;
    let last: Promise<unknown> = this.#ready.then(() =>
      mkdir(folder, { recursive: true, mode: 0o700 }),
    );
    const problem = (error: Error): void => {
      if (!failed)
        this.#log('a run of a job cannot be stored', { run: run.jobRunId, error: error.message });
      failed = true;
    };
    const flush = async (): Promise<void> => {
      const text = waiting.join('');
      waiting = [];
      if (text !== '') await appendFile(file, text, { mode: 0o600 });
    };
    const write = (change: Change): void => {
      const line = `${JSON.stringify(change)}\n`;
      if (size + line.length > MAX_JOURNAL && change.kind === 'log') return;
      size += line.length;
      waiting.push(line);
      if (waiting.length === 1) last = last.then(flush).catch(problem);
    };
    write({ kind: 'run', run });
    return {
      write,
      end: async (finished) => {
        await last;
        try {
          await writeDurably(this.#fileOf(key, run.jobRunId), `${JSON.stringify(finished)}\n`);
          await rm(file, { force: true });
          this.#add(key, run.jobRunId);
          await this.#removeOld(key);
        } catch (error) {
          problem(error as Error);
        }
      },
    };
  }

  /** Finished runs of a job, newest first, at most `limit`. */
  async runs(job: JobReference, limit: number): Promise<RecordedRun[]> {
    await this.#ready;
    const key = keyOf(job);
    const runs: RecordedRun[] = [];
    for (const id of (this.#ids.get(key) ?? []).slice(-limit).reverse()) {
      const run = await this.#read(key, id);
      if (run) runs.push(run);
    }
    return runs;
  }

  /** Finds a finished run. */
  async find(jobRunId: string): Promise<RecordedRun | undefined> {
    await this.#ready;
    const key = [...this.#ids].find(([, ids]) => ids.includes(jobRunId))?.[0];
    return key === undefined ? undefined : this.#read(key, jobRunId);
  }

  /** Deletes the runs of a dropped job. */
  async forget(job: JobReference): Promise<void> {
    await this.#ready;
    const key = keyOf(job);
    this.#ids.delete(key);
    await rm(join(this.#folder, key), { recursive: true, force: true });
  }

  #fileOf(key: string, id: string): string {
    return join(this.#folder, key, `${id}.json`);
  }

  async #read(key: string, id: string): Promise<RecordedRun | undefined> {
    try {
      return (await readJsonFile(this.#fileOf(key, id))) as RecordedRun | undefined;
    } catch (error) {
      this.#log('a run of a job cannot be read', { run: id, error: (error as Error).message });
      return undefined;
    }
  }

  #add(key: string, id: string): void {
    const ids = this.#ids.get(key) ?? [];
    this.#ids.set(key, [...ids, id].sort());
  }

  async #removeOld(key: string): Promise<void> {
    const ids = this.#ids.get(key) ?? [];
    const old = ids.slice(0, -MAX_RUNS);
    this.#ids.set(key, ids.slice(-MAX_RUNS));
    for (const id of old) await rm(this.#fileOf(key, id), { force: true });
  }

  /** Loads the list of runs, and closes runs that were in progress when the server ended. */
  async #recover(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (const key of await readdir(this.#folder)) {
      const names = await readdir(join(this.#folder, key)).catch(() => []);
      for (const name of names)
        if (/^r\w+\.json$/.test(name) && !this.#ids.get(key)?.includes(name.slice(0, -5)))
          this.#add(key, name.slice(0, -5));
      for (const name of names) {
        if (!/^r\w+\.jsonl$/.test(name)) continue;
        const id = name.slice(0, -6);
        const file = join(this.#folder, key, name);
        // The finished file may already exist: the server can end before it deletes the journal.
        if (!this.#ids.get(key)?.includes(id)) {
          const record = RunRecord.read(
            (await readFile(file, 'utf8')).split('\n').filter((line) => line !== ''),
          );
          if (record) {
            await writeDurably(
              this.#fileOf(key, id),
              `${JSON.stringify(endedWithServer(record))}\n`,
            );
            this.#add(key, id);
          }
        }
        await rm(file, { force: true });
      }
      await this.#byId(key);
    }
  }

  /** Moves runs that were stored under the job's name to the folder of the job's id. */
  async #byId(key: string): Promise<void> {
    const ids = this.#ids.get(key) ?? [];
    const [first] = ids;
    const run = idKey.test(key) || first === undefined ? undefined : await this.#read(key, first);
    const jobId = run && this.#idOf(run);
    if (!run || jobId === undefined) return;
    const next = keyOf({ ...run, jobId });
    await mkdir(join(this.#folder, next), { recursive: true, mode: 0o700 });
    for (const id of ids) {
      await rename(this.#fileOf(key, id), this.#fileOf(next, id));
      // The loop may reach that folder later and list the same run.
      if (!this.#ids.get(next)?.includes(id)) this.#add(next, id);
    }
    this.#ids.delete(key);
    await rm(join(this.#folder, key), { recursive: true, force: true });
  }
}

/** Message of a run that was in progress when its server ended. */
export const SERVER_ENDED = 'The server ended while this job was running.';

/** Marks a run as failed, at the last known time. */
function endedWithServer(record: RunRecord): RecordedRun {
  const { run } = record;
  const times = [
    run.startTime,
    ...run.logs.map(({ eventTime }) => eventTime),
    ...run.taskRuns.flatMap(({ startTime, logs }) => [
      startTime,
      ...logs.map(({ eventTime }) => eventTime),
    ]),
  ];
  const endTime = times.sort().at(-1)!;
  for (const { logs: _, ...task } of run.taskRuns)
    if (task.endTime === undefined)
      record.apply({ kind: 'task', task: { ...task, state: 'Failed', endTime } });
  record.apply({
    kind: 'log',
    entry: { eventType: 'JobFailed', eventTime: endTime, message: SERVER_ENDED },
  });
  record.apply({ kind: 'state', state: 'Failed', endTime });
  return record.run;
}

/** Folder name of a job that has an id. */
const idKey = /^job-\d+$/;
/** Folder name of a job. Job names may contain any character, so they are hashed. */
function keyOf(job: JobReference): string {
  if (job.jobId !== undefined) return `job-${job.jobId}`;
  const names = JSON.stringify([job.projectName, job.jobName]);
  // For people who look into the folder.
  const suffix = qualifiedJobName(job).replaceAll(/[^\w.-]/g, '_');
  const hash = createHash('sha256').update(names).digest('hex');
  return `${hash.slice(0, 32)}-${suffix.slice(0, 60)}`;
}
