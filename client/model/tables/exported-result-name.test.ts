import { describe, expect, test } from 'vitest';
import { exportedResultName } from './exported-result-name.ts';

describe('the name of an exported result', () => {
  test.each([
    ['text/csv', undefined, 'magpie_export.csv'],
    ['text/csv; charset=utf-8', '2026-01-31T10:00:05Z', 'magpie_export_20260131_100005.csv'],
    ['application/json', Date.UTC(2026, 10, 21, 23, 59, 59), 'magpie_export_20261121_235959.json'],
    ['application/vnd.apache.arrow.stream', undefined, 'magpie_export.txt'],
    ['application/vnd.apache.parquet', undefined, 'magpie_export.parquet'],
    ['', 'not a date', 'magpie_export.txt'],
    ['TEXT/CSV', '2026-01-31T23:30:00-02:00', 'magpie_export_20260201_013000.csv'],
  ])('of %s at %s is %s [D45 O52]', (type, time, name) => {
    expect(exportedResultName(type, time)).toBe(name);
  });
});
