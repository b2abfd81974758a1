/** The platform with everything that works for it: what computes, what runs jobs, and what starts them in time. */
import { join } from 'node:path';
import type { SendLetter } from '../auth/mail.ts';
import type { Logger } from '../log.ts';
import { profileDataSet, profileSchema } from './analysis/profile.ts';
import { discoverRelationships } from './analysis/relationships.ts';
import { runSuite } from './analysis/validation.ts';
import { Magpie, type MagpieOptions } from './index.ts';
import { PythonTasks } from './jobs/python-task.ts';
import { JobRunner } from './jobs/runner.ts';
import { JobSchedules } from './jobs/schedules.ts';
import { Subscriptions } from './jobs/subscriptions.ts';
import {
  doTask,
  jobNames,
  jobsOver,
  jobWork,
  scheduleWork,
  startSchedule,
  type ScheduleWork,
  type TaskWork,
} from './work.ts';

/** The platform, and its end. */
export interface Platform {
  readonly magpie: Magpie;
  /** Begins with what is scheduled; what was due while no server ran is recorded. */
  start(): Promise<void>;
  /** Ends runs, schedules and sessions; resolves when everything is stored. */
  close(): Promise<void>;
}

/** Opens the platform of a folder. Rejects where its catalogue is damaged. */
export async function openPlatform({
  log,
  sendLetter,
  ...options
}: Omit<MagpieOptions, 'analysis' | 'jobs'> & {
  readonly log: Logger;
  readonly sendLetter?: SendLetter | undefined;
}): Promise<Platform> {
  const folder = join(options.folder, 'jobs');
  const say = (message: string, fields: Record<string, unknown> = {}): void =>
    log.info({ event: 'job', ...fields }, message);
  const python = new PythonTasks({ folder: join(folder, 'tasks'), files: options.files });
  let runner!: JobRunner<TaskWork>;
  let subscriptions!: Subscriptions;
  let schedules!: JobSchedules<ScheduleWork>;
  const magpie = await Magpie.open({
    ...options,
    analysis: { profileDataSet, profileSchema, discoverRelationships, runSuite },
    jobs: (platform) => {
      subscriptions = new Subscriptions({
        folder,
        log: say,
        catalogue: platform.catalogue,
        people: options.people,
        send: sendLetter,
      });
      runner = new JobRunner<TaskWork>({
        folder,
        log: say,
        execute: (task, context) => doTask(platform, task, context, (work) => python.run(work)),
        jobOf: (projectName, jobName) => jobWork(platform.catalogue, projectName, jobName),
        nameOf: (jobId) => jobNames(platform.catalogue, jobId),
        onEvent: (run, entry) => subscriptions.onEvent(run, entry),
      });
      schedules = new JobSchedules<ScheduleWork>({
        folder,
        log: say,
        schedules: () => scheduleWork(platform.catalogue),
        start: (schedule) => startSchedule(platform, runner, schedule),
      });
      return jobsOver(runner, platform.catalogue, {
        missed: (id) => schedules.missed(id),
        told: (id) => subscriptions.history(id),
        sendsLetters: sendLetter !== undefined,
      });
    },
  });
  return {
    magpie,
    start: () => schedules.start(),
    async close() {
      await schedules.close();
      await runner.close();
      await subscriptions.close();
      await magpie.close();
    },
  };
}
