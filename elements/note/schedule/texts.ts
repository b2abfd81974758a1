import { textArea } from '../../text/areas.ts';

/** Texts of the dialog that schedules a note. */
export const scheduleTexts = textArea('schedule', {
  title: 'Run note with cron scheduler',
  lead: 'Either choose a preset, or write your own cron expression.',
  preset: 'Preset',
  expression: 'Cron expression',
  zone: 'Time zone',
  serverZone: 'Server time zone',
  next: 'Next runs',
  never: 'Never runs.',
  release: 'After execution stop the interpreter',
  user: 'Runs as {user}',
});
