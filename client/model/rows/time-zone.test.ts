import { expect, it } from 'vitest';
import { plainText } from './cell-text.ts';
import { wallClockMs, zoneOffsetMinutes } from './time-zone.ts';

it.each([
  ['Europe/Paris', '2024-01-01T00:30Z', 60, '2024-01-01 01:30:00+01:00'],
  ['Europe/Paris', '2024-07-01T00:30Z', 120, '2024-07-01 02:30:00+02:00'],
  // The clocks change at 01:00 in UTC.
  ['Europe/Paris', '2024-03-31T00:59Z', 60, '2024-03-31 01:59:00+01:00'],
  ['Europe/Paris', '2024-03-31T01:00Z', 120, '2024-03-31 03:00:00+02:00'],
  ['Asia/Kathmandu', '2023-12-31T18:15Z', 345, '2024-01-01 00:00:00+05:45'],
  ['-03:30', '2024-01-01T00:00Z', -210, '2023-12-31 20:30:00-03:30'],
  ['UTC', '2024-01-01T00:00Z', 0, '2024-01-01 00:00:00Z'],
])('%s at %s', (timezone, instant, minutes, text) => {
  const ms = Date.parse(instant);
  expect(zoneOffsetMinutes(timezone, ms)).toBe(minutes);
  const column = { name: 't', index: 0, kind: 'timestamp', digits: 6, timezone } as const;
  expect(plainText(BigInt(ms) * 1_000_000n, column)).toBe(text);
  expect(wallClockMs(timezone, ms)).toBe(Date.parse(`${text.slice(0, 19)}Z`));
});
