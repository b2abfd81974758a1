/** The first test compiles this file: lines under `@ts-expect-error` must not compile. */
import { dirname, join } from 'node:path';
import type { WidgetPayload } from '@tiding/client/widgets';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { Emitter } from './emit.ts';

const outputs: string[] = [];
const emit = new Emitter({
  write: (text) => void outputs.push(text),
  add: (_, data) => void outputs.push(data),
  replace: (data) => void outputs.splice(-1, 1, data),
  whole: () => {},
  storing: () => {},
  clear: () => {},
});

it('this file compiles, except for the lines that must not', () => {
  const config = join(import.meta.dirname, '../../../test/tsconfig.json');
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, ts.sys.readFile).config,
    ts.sys,
    dirname(config),
  );
  const program = ts.createProgram(
    [import.meta.filename, ...fileNames.filter((file) => file.endsWith('.d.ts'))],
    options,
  );
  const file = program.getSourceFile(import.meta.filename)!;
  const problems = [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ];
  expect(
    problems.map(
      ({ messageText, start = 0 }) =>
        `${file.getLineAndCharacterOfPosition(start).line + 1}: ` +
        `${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    ),
  ).toEqual([]);
});

describe('a widget', () => {
  it('accepts a payload without lists, and with null for missing values', () => {
    emit.widget('data-set-profile', {
      tableName: 'core.trips',
      query: null,
      rowCount: 100,
      totalRowCount: 5_000,
      fieldProfiles: [{ fieldName: 'a', numericalProfile: { mean: null, nonFiniteCount: 3 } }],
    });
    emit.replaceWidget('schema-profile', {
      schemaName: 'core',
      tableSummaries: [{ tableName: 'trips', error: 'gone' }],
    });
    expect(outputs.at(-1)).toContain('"error":"gone"');
  });

  it('refuses unknown keys and wrong types at compile time', () => {
    // @ts-expect-error an unknown key
    emit.widget('data-set-profile', { tableName: 'core.trips', totalRows: 5_000 });
    const profile = { tableName: 'core.trips', totalRows: 5_000 };
    // @ts-expect-error an unknown key in a variable, which is not an object literal
    emit.widget('data-set-profile', profile);
    const tables = [{ tableName: 'trips', problem: 'gone' }];
    // @ts-expect-error an unknown key inside a list
    emit.widget('schema-profile', { schemaName: 'core', tableSummaries: tables });
    // @ts-expect-error a number as text
    emit.widget('data-set-profile', { rowCount: '100' });
    // @ts-expect-error a missing key that is required
    emit.widget('data-set-profile', { fieldProfiles: [{ nullCount: 1 }] });
    const untyped: object = { rowCount: 100 };
    // @ts-expect-error an object of unknown content
    emit.widget('data-set-profile', untyped);
    const record: Record<string, unknown> = { rowCount: 100 };
    // @ts-expect-error a record of unknown content
    emit.widget('data-set-profile', record);
    // @ts-expect-error a payload of another widget
    emit.replaceWidget('secret', { schemaName: 'core' } satisfies WidgetPayload<'schema-profile'>);
    // @ts-expect-error an unknown widget
    emit.widget('data-set', {});
    expect(outputs.length).toBeGreaterThan(0);
  });
});
