/** Schemas that the definitions of several types of objects share. */
import { parseQuartz } from '@tiding/client/schedules';
import { z } from 'zod';

/**
 * Letters, digits, `_`, `-` and inner spaces. Dots are not allowed, because they separate the parts
 * of a reference.
 */
const namePattern = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_ -]{0,126}[\p{L}\p{N}_-])?$/u;
export const nameSchema = z
  .string()
  .regex(
    namePattern,
    'must be a name: at most 128 letters, digits, spaces, _ and -. ' +
      'It begins with a letter, a digit or _ and does not end with a space',
  );
export const descriptionSchema = z.string().max(4_000).optional();
export const textSchema = z.string().max(4_000);
/** One of these words, in any case. The result has the case given here. */
export const keyword = (...values: readonly [string, ...string[]]) =>
  z.string().transform((given, context) => {
    const found = values.find((value) => value.toLowerCase() === given.toLowerCase());
    if (found === undefined)
      context.addIssue({ code: 'custom', message: `must be one of ${values.join(', ')}` });
    return found ?? values[0];
  });
/** ISO 8601 with a zone, converted to UTC. */
export const instantSchema = z.string().transform((given, context) => {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/.test(given)
    ? Date.parse(given)
    : Number.NaN;
  if (Number.isNaN(time)) {
    context.addIssue({ code: 'custom', message: 'must be a time such as 2024-05-02T10:00:00Z' });
    return given;
  }
  return new Date(time).toISOString();
});
export const timeZoneSchema = z.string().refine((given) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: given }) !== undefined;
  } catch {
    return false;
  }
}, 'must be a time zone such as America/New_York');
export const quartzSchema = z.string().superRefine((given, context) => {
  try {
    parseQuartz(given);
  } catch (error) {
    context.addIssue({
      code: 'custom',
      message: `must be a Quartz expression: ${(error as Error).message}`,
    });
  }
});
export const optionalFlag = z.boolean().optional();
export const durationSchema = z
  .string()
  .refine((given) => durationMs(given) !== undefined, 'must be a duration such as 30m or PT30M');

/**
 * Parses a duration and returns it in ms: `90s`, `30m`, `2h`, `1d`, or ISO 8601. Undefined if it is
 * invalid.
 */
export function durationMs(given: string): number | undefined {
  const short = /^\s*(\d{1,9})\s*(ms|s|m|h|d)\s*$/i.exec(given);
  if (short) return Number(short[1]) * durationUnits.get(short[2]!.toLowerCase())! || undefined;
  const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i.exec(given.trim());
  return (iso && isoMs(iso)) || undefined;
}

/** Units of durations, in ms. */
export const durationUnits: ReadonlyMap<string, number> = new Map(
  Object.entries({ ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }),
);

/** The ms of a match whose groups are the days, hours, minutes and seconds of an ISO duration. */
export const isoMs = (parts: RegExpExecArray): number =>
  ['d', 'h', 'm', 's'].reduce(
    (sum, unit, at) => sum + Number(parts[at + 1] ?? 0) * durationUnits.get(unit)!,
    0,
  );
