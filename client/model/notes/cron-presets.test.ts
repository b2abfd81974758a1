import { expect, test } from 'vitest';
import { cronLabel, cronPresets } from './cron-presets.ts';

test('offers the documented schedules in order [W135]', () => {
  expect(cronPresets.map(({ name, cron }) => [name, cron])).toEqual([
    ['None', undefined],
    ['1m', '0 0/1 * * * ?'],
    ['5m', '0 0/5 * * * ?'],
    ['1h', '0 0 0/1 * * ?'],
    ['3h', '0 0 0/3 * * ?'],
    ['6h', '0 0 0/6 * * ?'],
    ['12h', '0 0 0/12 * * ?'],
    ['1d', '0 0 0 * * ?'],
  ]);
});

test('the button shows the name of a preset, and other expressions unchanged', () => {
  expect(cronLabel('0 0/5 * * * ?')).toBe('5m');
  expect(cronLabel(' 0 0 0 * * ? ')).toBe('1d');
  expect(cronLabel('0 15 10 ? * MON-FRI')).toBe('0 15 10 ? * MON-FRI');
  expect(cronLabel(undefined)).toBe('None');
  expect(cronLabel('')).toBe('None');
});
