import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { knownMagic, knownMagics } from './known-magics.ts';
import { missingInterpreter } from './missing-interpreter.ts';

const usable = [
  { name: 'sql', others: ['duckdb'] },
  { name: 'python', others: ['ipython', 'python.sql'] },
  { name: 'sales', others: [] },
];

describe('a run whose magic names no interpreter', () => {
  it('names the interpreters of the user and similar names', () => {
    expect(missingInterpreter('pyhton', usable)).toBe(
      'Interpreter pyhton not found. ' +
        'Did you mean %python? ' +
        'You can use %sql, %python and %sales here.',
    );
    expect(missingInterpreter('SQL', usable)).toContain('Did you mean %sql?');
    expect(missingInterpreter('sal', usable)).toContain('Did you mean %sales or %sql?');
    expect(missingInterpreter('python.sqk', usable)).toContain('Did you mean %python.sql');
  });

  it('says what to do if no name is similar', () => {
    expect(missingInterpreter('oracle', usable)).toBe(
      'Interpreter oracle not found. ' +
        'You can use %sql, %python and %sales here. Ask an administrator to add another one.',
    );
    expect(missingInterpreter('oracle', [])).toBe(
      'Interpreter oracle not found. ' +
        'There is no interpreter that you may use here. Ask an administrator to add one.',
    );
  });

  it('says what to use instead of an interpreter of Zeppelin', () => {
    for (const magic of ['spark', 'pyspark', 'r', 'jdbc', 'scala', 'flink', 'cassandra', 'kotlin'])
      expect(missingInterpreter(magic, usable)).toBe(
        `Interpreter ${magic} not found. ${knownMagic(magic)!.advice} ` +
          'You can use %sql, %python and %sales here. Ask an administrator to add another one.',
      );
    expect(knownMagic('jdbc.sales')).toBe(knownMagic('jdbc'));
    expect(knownMagic('spark.pyspark')).toBe(knownMagic('pyspark'));
  });

  it('says that the magic is the default of the note', () => {
    expect(missingInterpreter('spark', usable, true)).toMatch(
      /^Interpreter spark not found\. This note uses it for paragraphs without a magic\. For /,
    );
  });

  it('has one sentence for each magic, and the same table in the docs', () => {
    const all = knownMagics.flatMap(({ magics }) => magics);
    expect(new Set(all).size).toBe(all.length);
    const page = readFileSync('docs/interpreters/missing.md', 'utf8');
    for (const { magics, advice } of knownMagics) {
      expect(advice).toMatch(/^[A-Z].*\.$/);
      const cell = magics.map((magic) => `\`%${magic}\``).join(', ');
      expect(page).toContain(`| ${cell} | ${advice} |`);
    }
  });
});
