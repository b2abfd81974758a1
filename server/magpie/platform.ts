/** Assembles the data platform: catalogue, analysis, job runner, schedules and subscriptions. */
import { join } from 'node:path';
import type { SendEmail } from '../auth/mail.ts';
import type { Logger } from '../logging/log.ts';
import { profileDataSet, profileSchema } from './analysis/profile.ts';
import { discoverRelationships } from './analysis/relationships.ts';
import { runSuite } from './analysis/validation.ts';
import {
  jobNames,
  jobWork,
  type ScheduleWork,
  scheduleWork,
  type TaskWork,
} from './jobs/catalogue-jobs.ts';
import { runTask } from './jobs/execute-task.ts';
import { jobsOver, startSchedule } from './jobs/job-services.ts';
import { PythonTasks } from './jobs/python-task.ts';
import { JobRunner } from './jobs/runner.ts';
import { JobSchedules } from './jobs/schedules.ts';
import { JobSubscriptions } from './jobs/subscriptions.ts';
import { Magpie, type MagpieOptions } from './magpie.ts';

/** An open data platform. */
interface MagpiePlatform {
  readonly magpie: Magpie;
  /** Starts the schedules. Records starts that were missed while no server was running. */
  start(): Promise<void>;
  /** Ends runs, schedules and sessions. Resolves when everything is stored. */
  close(): Promise<void>;
}

/** Opens the data platform stored in a folder. Rejects if the catalogue is damaged. */
export async function openPlatform({
  log,
  sendEmail,
  ...options
}: Omit<MagpieOptions, 'analysis' | 'jobs'> & {
  readonly log: Logger;
  readonly sendEmail?: SendEmail | undefined;
}): Promise<MagpiePlatform> {
  const folder = join(options.folder, 'jobs');
  const writeLog = (message: string, fields: Record<string, unknown> = {}): void =>
    log.info({ event: 'job', ...fields }, message);
  const python = new PythonTasks({ folder: join(folder, 'tasks'), files: options.files });
  // Assigned when `Magpie.open` calls `jobs`.
  let runner!: JobRunner<TaskWork>;
  let subscriptions!: JobSubscriptions;
  let schedules!: JobSchedules<ScheduleWork>;
  const magpie = await Magpie.open({
    ...options,
    analysis: { profileDataSet, profileSchema, discoverRelationships, runSuite },
    jobs: (platform) => {
      subscriptions = new JobSubscriptions({
        folder,
        log: writeLog,
        catalogue: platform.catalogue,
        people: options.people,
        send: sendEmail,
      });
      runner = new JobRunner<TaskWork>({
        folder,
        log: writeLog,
        execute: (task, context) => runTask(platform, task, context, (work) => python.run(work)),
        jobOf: (projectName, jobName) => jobWork(platform.catalogue, projectName, jobName),
        nameOf: (jobId) => jobNames(platform.catalogue, jobId),
        onEvent: (run, entry) => subscriptions.onEvent(run, entry),
      });
      schedules = new JobSchedules<ScheduleWork>({
        folder,
        log: writeLog,
        schedules: () => scheduleWork(platform.catalogue),
        start: (schedule) => startSchedule(platform, runner, schedule),
      });
      return jobsOver(runner, platform.catalogue, {
        missed: (id) => schedules.missed(id),
        reported: (id) => subscriptions.history(id),
        sendsMail: sendEmail !== undefined,
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
