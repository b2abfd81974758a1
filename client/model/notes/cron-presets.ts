/** A predefined schedule. */
export interface CronPreset {
  /** Name shown to users, for example `5m`. */
  readonly name: string;
  /** Quartz expression, seconds first: `0 0/5 * * * ?`. `undefined` for no schedule. */
  readonly cron: string | undefined;
}

/**
 * The predefined schedules in display order (names: specification; expressions: Zeppelin 0.8.2).
 */
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

/**
 * Returns the label of the schedule button: the preset's name, or else the expression itself (as in
 * Zeppelin 0.8.2). A blank expression means no schedule.
 */
export function cronLabel(cron: string | undefined): string {
  const expression = cron?.trim() || undefined;
  return cronPresets.find((preset) => preset.cron === expression)?.name ?? expression ?? '';
}
