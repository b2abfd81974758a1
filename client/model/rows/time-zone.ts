const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Minutes of the parts of an offset such as `+05:45` or `-0330`, with optional seconds. */
const OFFSET = /^(?:GMT|UTC)?([+-]|\u2212)(\d\d?)(?::?(\d\d))?(?::?(\d\d))?$/;
const UTC = /^(?:(?:Etc\/)?(?:UTC|GMT|Zulu)|Z|[+-]00:?00)$/i;

/** Whether a time zone is UTC. */
export const isUtc = (zone: string): boolean => UTC.test(zone);

function offsetOf(text: string): number | undefined {
  const parts = OFFSET.exec(text);
  if (!parts) return undefined;
  const [, sign, hours, minutes = 0, seconds = 0] = parts;
  const size = Number(hours) * 60 + Number(minutes) + Number(seconds) / 60;
  return sign === '+' ? size : -size;
}

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** Offset of each day on which it doesn't change; formatting a date is slow. */
  readonly days: Map<number, number | undefined>;
}
const zones = new Map<string, Zone | number>();

function zoneOf(name: string): Zone | number {
  if (isUtc(name)) return 0;
  const fixed = offsetOf(name);
  if (fixed !== undefined) return fixed;
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' });
    return { format, days: new Map() };
  } catch {
    // A zone that this platform doesn't know is shown in UTC.
    return 0;
  }
}

function readZone(name: string): Zone | number {
  let zone = zones.get(name);
  if (zone === undefined) zones.set(name, (zone = zoneOf(name)));
  return zone;
}

/** Returns the offset of a time zone that always has the same one; `undefined` for others. */
export function fixedOffsetMinutes(name: string): number | undefined {
  const zone = readZone(name);
  return typeof zone === 'number' ? zone : undefined;
}

function readOffset({ format }: Zone, epochMs: number): number {
  const part = format.formatToParts(epochMs).find(({ type }) => type === 'timeZoneName');
  return offsetOf(part?.value ?? '') ?? 0;
}

/** Returns the offset of a time zone from UTC at an instant, in minutes; positive in the east. */
export function zoneOffsetMinutes(name: string, epochMs: number): number {
  const zone = readZone(name);
  // JavaScript dates end 100 million days before and after 1970.
  if (typeof zone === 'number') return zone;
  if (!(Math.abs(epochMs) < 99_999_998 * DAY_MS)) return 0;
  const day = Math.floor(epochMs / DAY_MS);
  if (!zone.days.has(day)) {
    const first = readOffset(zone, day * DAY_MS);
    zone.days.set(day, first === readOffset(zone, (day + 1) * DAY_MS) ? first : undefined);
  }
  return zone.days.get(day) ?? readOffset(zone, epochMs);
}

/** Returns the wall-clock time of an instant in a zone, as if it were in UTC; both in ms. */
export const wallClockMs = (zone: string, epochMs: number): number =>
  epochMs + zoneOffsetMinutes(zone, epochMs) * MINUTE_MS;
