/** Steps that clean a column, run by the note's engine. */
import type { Client, Note, NoteRunResult } from '@tiding/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { type StepName, type StepValues, withStep } from '../elements/note/clean/clean-sql.ts';
import { adminClient, startEmbedded } from './support/embedded.ts';
import { untilEnd } from './support/until-end.ts';

let client: Client;
let note: Note;
beforeAll(async () => {
  const { server } = untilEnd(await startEmbedded());
  client = await adminClient(server.url);
  note = await client.open(await client.notes.create({ path: 'clean' }));
});

async function run(text: string): Promise<NoteRunResult> {
  note.paragraphs[0]!.edit(text);
  await note.commit();
  const result = await client.run(note.id);
  if (result.error !== undefined) throw new Error(result.error);
  return result;
}

const rowsOf = async (text: string): Promise<readonly Record<string, unknown>[]> =>
  (await run(text)).rows({ dates: 'iso' });

/** A query of one column of texts. */
const textsOf = (...values: readonly (string | null)[]): string =>
  `%sql\nselect * from (values ${values
    .map((value) => `(${value === null ? 'null' : `'${value.replaceAll("'", "''")}'`})`)
    .join(', ')}) t("it's ""x""");`;
const COLUMN = 'it\'s "x"';

describe('a step', () => {
  it.each<[StepName, StepValues, (string | null)[], unknown[]]>([
    ['trim', {}, [' a b ', '\tb\u00a0\r\n', null], ['a b', 'b', null]],
    ['empty', {}, ['', ' \t', ' x '], [null, null, ' x ']],
    ['case', { case: 'upper' }, ['ab', 'é'], ['AB', 'É']],
    ['fill', { value: "it's" }, ['a', null], ['a', "it's"]],
    ['replace', { from: "'", to: '%' }, ["it's", '%'], ['it%s', '%']],
    ['type', { type: 'BIGINT' }, ['9007199254740993', null], ['9007199254740993n', null]],
    ['type', { type: 'DOUBLE' }, ['1.50', '-0'], [1.5, -0]],
    ['date', { format: '%d.%m.%Y' }, ['29.02.2024', null], ['2024-02-29', null]],
    ['missing', {}, ['a', null, 'b'], ['a', 'b']],
    ['duplicates', {}, ['a', 'a'], ['a']],
  ])('%s %j turns %j into %j', async (step, values, before, after) => {
    const rows = await rowsOf(withStep(textsOf(...before), COLUMN, step, values)!);
    expect(
      rows.map((row) => (typeof row[COLUMN] === 'bigint' ? `${row[COLUMN]}n` : row[COLUMN])),
    ).toEqual(after);
  });

  it('splits a column, and keeps it', async () => {
    const values = { separator: ', ', parts: '3' };
    expect(await rowsOf(withStep(textsOf('a, b', 'c'), COLUMN, 'split', values)!)).toEqual([
      { [COLUMN]: 'a, b', [`${COLUMN} 1`]: 'a', [`${COLUMN} 2`]: 'b', [`${COLUMN} 3`]: '' },
      { [COLUMN]: 'c', [`${COLUMN} 1`]: 'c', [`${COLUMN} 2`]: '', [`${COLUMN} 3`]: '' },
    ]);
  });

  it('fails rather than losing a value that does not fit', async () => {
    const text = withStep(textsOf('1', 'one'), COLUMN, 'type', { type: 'BIGINT' })!;
    await expect(rowsOf(text)).rejects.toThrow(/'one'/);
  });

  it('follows others in their order, and keeps that of the rows', async () => {
    const first =
      "%sql\n-- Sorted; with a 'quote.\n" +
      "with t as (select i, ' ' || i || ';' as s from range(5) r(i))\n" +
      'select * from t order by i desc -- last';
    const text = [
      ['trim', {}],
      ['replace', { from: ';', to: '' }],
      ['type', { type: 'BIGINT' }],
    ].reduce(
      (code, [step, values]) => withStep(code, 's', step as StepName, values as StepValues)!,
      first,
    );
    expect(text.match(/step_\d as/g)).toEqual(['step_0 as', 'step_1 as', 'step_2 as', 'step_3 as']);
    expect((await rowsOf(text)).map(({ s }) => s)).toEqual([4n, 3n, 2n, 1n, 0n]);
  });

  it('keeps the options of the paragraph', async () => {
    const text = withStep('%sql(limit=2) from range(5) t(n)', 'n', 'missing')!;
    expect(text).toMatch(/^%sql\(limit=2\) with step_0/);
    expect(await rowsOf(text)).toHaveLength(5);
  });

  it('does not take the name of a table of the query', async () => {
    await run('%sql\ncreate or replace table step_1 as select 7 as n');
    expect(await rowsOf(withStep('%sql\nfrom step_1', 'n', 'missing')!)).toEqual([{ n: 7 }]);
  });

  it.each([
    '%sql\ncreate table t (a int)',
    '%sql\nselect 1; select 2',
    '%sql\n',
    '%python\nselect = 1',
    'select 1',
  ])('is not added to %j', (text) => {
    expect(withStep(text, 'a', 'trim')).toBeUndefined();
  });
});
