/**
 * Schedules of notes and jobs: Quartz cron expressions.
 *
 * @module @tiding/client/schedules
 */

export { type CronSchedule, parseQuartz } from './notes/quartz-cron.ts';
