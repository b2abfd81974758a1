/** The schedules a note offers without typing an expression. */

/** A schedule with a name; `cron` is a Quartz expression, absent for no schedule. */
export interface CronPreset {
  /** What people choose, for example `5m`. */
  readonly name: string;
  /** Quartz expression, seconds first: `0 0/5 * * * ?`. */
  readonly cron: string | undefined;
}

/** The presets in their order (names: specification, expressions: upstream 0.8.2). */
export const cronPresets: readonly CronPreset[] = [
  { name: 'None', cron: undefined },
  { name: '1m', cron: '0 0/1 * * * ?' },
  { name: '5m', cron: '0 0/5 * * * ?' },
  { name: '1h', cron: '0 0 0/1 * * ?' },
  { name: '3h', cron: '0 0 0/3 * * ?' },
  { name: '6h', cron: '0 0 0/6 * * ?' },
  { name: '12h', cron: '0 0 0/12 * * ?' },
  { name: '1d', cron: '0 0 0 * * ?' },
];

/** What the schedule button shows: the preset's name, or the expression itself (upstream 0.8.2). Blank counts as none. */
export function cronLabel(cron: string | undefined): string {
  const wanted = cron?.trim() || undefined;
  return cronPresets.find((preset) => preset.cron === wanted)?.name ?? wanted ?? '';
}
