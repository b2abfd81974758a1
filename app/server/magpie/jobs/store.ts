/** Runs on the disk: a journal while one goes on, one file when it is over. The oldest of a job are removed. */
import { createHash, randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readJson, writeDurably } from '../../files.ts';
import { RunRecord, type Change } from './record.ts';
import { jobText, type JobReference, type JobRun } from './types.ts';

/** Runs of a job that are kept. */
const KEPT_RUNS = 100;
/** Characters that a journal may have: what tasks print beyond it is only in the finished file. */
const MAX_JOURNAL = 4_000_000;

/** What a log is told; never what users' code prints. */
export type Log = (message: string, fields?: Record<string, unknown>) => void;

/** Writes down a run that goes on. */
export interface Journal {
  /** Adds a change. Never throws: a full disk does not end a run. */
  write(change: Change): void;
  /** Puts the finished run in the journal's place. */
  end(run: JobRun): Promise<void>;
}

/** See the head of this file. */
export class RunStore {
  readonly #folder: string;
  readonly #log: Log;
  readonly #idOf: (job: JobReference) => number | undefined;
  /** Ids of finished runs by job, the oldest first. */
  readonly #ids = new Map<string, string[]>();
  readonly #ready: Promise<void>;
  #last = 0;

  /** `idOf`: the id of a job that runs were kept of by its name. */
  constructor(
    folder: string,
    log: Log,
    idOf: (job: JobReference) => number | undefined = () => undefined,
  ) {
    this.#folder = join(folder, 'runs');
    this.#log = log;
    this.#idOf = idOf;
    this.#ready = this.#recover().catch((error: Error) =>
      log('runs of jobs cannot be read', { error: error.message }),
    );
  }

  /** Resolves when what an earlier server left is read and closed. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /** An id; later ones sort behind it. */
  newId(now: Date): string {
    this.#last = Math.max(this.#last + 1, now.getTime());
    return `r${this.#last.toString(36).padStart(9, '0')}${randomBytes(3).toString('hex')}`;
  }

  /** Begins the journal of a run. */
  begin(run: JobRun): Journal {
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
          await writeDurably(join(folder, `${run.jobRunId}.json`), `${JSON.stringify(finished)}\n`);
          await rm(file, { force: true });
          this.#add(key, run.jobRunId);
          await this.#removeOld(key);
        } catch (error) {
          problem(error as Error);
        }
      },
    };
  }

  /** The finished runs of a job, the newest first, at most `limit`. */
  async runs(job: JobReference, limit: number): Promise<JobRun[]> {
    await this.#ready;
    const key = keyOf(job);
    const runs: JobRun[] = [];
    for (const id of (this.#ids.get(key) ?? []).slice(-limit).reverse()) {
      const run = await this.#read(key, id);
      if (run) runs.push(run);
    }
    return runs;
  }

  /** A finished run. */
  async find(jobRunId: string): Promise<JobRun | undefined> {
    await this.#ready;
    const key = [...this.#ids].find(([, ids]) => ids.includes(jobRunId))?.[0];
    return key === undefined ? undefined : this.#read(key, jobRunId);
  }

  /** Removes the runs of a job that is dropped. */
  async forget(job: JobReference): Promise<void> {
    await this.#ready;
    const key = keyOf(job);
    this.#ids.delete(key);
    await rm(join(this.#folder, key), { recursive: true, force: true });
  }

  async #read(key: string, id: string): Promise<JobRun | undefined> {
    try {
      return (await readJson(join(this.#folder, key, `${id}.json`))) as JobRun | undefined;
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
    const old = ids.slice(0, -KEPT_RUNS);
    this.#ids.set(key, ids.slice(-KEPT_RUNS));
    for (const id of old) await rm(join(this.#folder, key, `${id}.json`), { force: true });
  }

  /** Lists what there is, and ends runs that were going on when a server ended. */
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
        // The finished file may be there already: the server ended before it removed the journal.
        if (!this.#ids.get(key)?.includes(id)) {
          const record = RunRecord.read(
            (await readFile(file, 'utf8')).split('\n').filter((line) => line !== ''),
          );
          if (record) {
            await writeDurably(
              join(this.#folder, key, `${id}.json`),
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

  /** Puts runs that were kept by the name of their job where those of its id are. */
  async #byId(key: string): Promise<void> {
    const ids = this.#ids.get(key) ?? [];
    const [first] = ids;
    const run = idKey.test(key) || first === undefined ? undefined : await this.#read(key, first);
    const jobId = run && this.#idOf(run);
    if (!run || jobId === undefined) return;
    const next = keyOf({ ...run, jobId });
    await mkdir(join(this.#folder, next), { recursive: true, mode: 0o700 });
    for (const id of ids) {
      await rename(join(this.#folder, key, `${id}.json`), join(this.#folder, next, `${id}.json`));
      // Its own folder may come later in the list.
      if (!this.#ids.get(next)?.includes(id)) this.#add(next, id);
    }
    this.#ids.delete(key);
    await rm(join(this.#folder, key), { recursive: true, force: true });
  }
}

/** What is said of a run that a server took with it. */
export const SERVER_ENDED = 'The server ended while this job was running.';

/** The run as failed at the last moment that is known of it. */
function endedWithServer(record: RunRecord): JobRun {
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

/** The folder of a job of the catalogue. */
const idKey = /^job-\d+$/;
/** The folder of a job: names may hold anything. */
const keyOf = (job: JobReference): string =>
  job.jobId === undefined ? keyByName(job) : `job-${job.jobId}`;
const keyByName = (job: JobReference): string =>
  createHash('sha256')
    .update(JSON.stringify([job.projectName, job.jobName]))
    .digest('hex')
    .slice(0, 32) + suffixOf(job);
/** For whoever looks into the folder. */
const suffixOf = (job: JobReference): string =>
  `-${jobText(job)
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 60)}`;
