import { describe, expect, it } from 'vitest';
import { readWidget, widgetOfObject } from './index.ts';
import { keyLabel, labelledEntries } from './shared/labelled-entries.ts';
import { usageObject, usagePermission, usageState } from './usage-events.ts';

describe('usage events', () => {
  it('failed only if they say so [O26]', () => {
    expect(
      [{}, { isSuccess: true }, { isSuccess: undefined }, { isSuccess: false }].map(usageState),
    ).toEqual(['Succeeded', 'Succeeded', 'Succeeded', 'Failed']);
  });

  it('show the role for GlobalRole, Read for Result, otherwise the permission [O26]', () => {
    expect(
      [
        { eventType: 'GlobalRole', role: 'SuperAdmin', permissionType: 'Write' },
        { eventType: 'globalrole', role: 'SuperAdmin' },
        { eventType: 'GlobalRole' },
        { eventType: 'Result' },
        { eventType: 'Result', permissionType: 'Write' },
        { eventType: 'Metadata', permissionType: 'Use', role: 'analyst' },
        {},
      ].map(usagePermission),
    ).toEqual(['SuperAdmin', 'SuperAdmin', undefined, 'Read', 'Read', 'Use', undefined]);
  });

  it('name the used object [O26]', () => {
    expect(
      [
        { schemaName: 'core', structureName: 'trips' },
        { projectName: 'flights', jobName: 'daily_load' },
        { projectName: 'flights' },
        { dataSourceName: 'lake' },
        { structureName: 'trips' },
        { dataSourceName: 'lake', schemaName: 'core', structureName: 'trips' },
        {},
      ].map(usageObject),
    ).toEqual([
      'core.trips',
      'flights.daily_load',
      'flights',
      'lake',
      'trips',
      'lake, core.trips',
      '',
    ]);
  });
});

describe('objects', () => {
  it('have the widget of their type', () => {
    expect(
      [
        'Table',
        'TABLE',
        'DataSource',
        'data source',
        'Identity_Provider',
        'Planet',
        'constructor',
        undefined,
      ].map(widgetOfObject),
    ).toEqual([
      'table',
      'table',
      'data-source',
      'data-source',
      'identity-provider',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('with unspecified fields become labels and values', () => {
    expect(
      labelledEntries({
        maxClusters: 2,
        none: null,
        empty: [],
        allowedInstanceTypes: ['small', { name: 'large' }, { cores: 8 }],
        driver: { count: 1, deep: { a: 1 } },
        isOn: false,
        blank: '',
        hole: NaN,
      }),
    ).toEqual([
      { key: 'maxClusters', label: 'Max clusters', value: 2 },
      {
        key: 'allowedInstanceTypes',
        label: 'Allowed instance types',
        value: 'small, large, {"cores":8}',
      },
      { key: 'driver.count', label: 'Driver count', value: 1 },
      { key: 'driver.deep', label: 'Driver deep', value: '{"a":1}' },
      { key: 'isOn', label: 'Is on', value: false },
    ]);
    expect(['maxWorkersPerCluster', 'URLPath', 'memory_gb', 'CPU', ''].map(keyLabel)).toEqual([
      'Max workers per cluster',
      'URL path',
      'Memory gb',
      'CPU',
      '',
    ]);
    expect(labelledEntries(undefined)).toEqual([]);
  });
});

describe('a text in place of a secret object', () => {
  it('is never used as its name [O27]', () => {
    const secret = readWidget({ secret: 'hunter2' }, 'secret')!;
    expect(secret).toMatchObject({ data: {}, problems: [{ path: 'secret', found: 'string' }] });
    expect(JSON.stringify(secret)).not.toContain('hunter2');
    expect(JSON.stringify(readWidget({ privateKey: '-----BEGIN' }, 'cluster'))).not.toContain(
      'BEGIN',
    );
    expect(readWidget({ secret: { name: 7, colour: 'red' } }, 'secret')).toMatchObject({
      data: { secret: { name: '7', colour: 'red' } },
      problems: [{ path: 'secret.name', expected: 'string', found: 'number' }],
    });
  });
});
