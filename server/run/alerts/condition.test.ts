import type { AlertCondition } from '@tiding/client/protocol';
import { expect, it } from 'vitest';
import { temporaryFolder, untilEnd } from '../../../test/support/until-end.ts';
import { sql } from '../../interpreters/sql/sql.ts';
import { runCode, testHost } from '../../interpreters/test-support.ts';
import { createLog } from '../../logging/log.ts';
import { newNote, newParagraph } from '../../notes/note.ts';
import type { KeptFile } from '../../results/kept-file.ts';
import { ResultStore } from '../../results/store.ts';
import { checkCondition } from './condition.ts';

const host = testHost();
const interpreter = untilEnd(sql.create(host));
const results = new ResultStore(
  temporaryFolder(),
  { rows: 1_000_000, bytes: 2 ** 28, totalBytes: 2 ** 30 },
  createLog('silent'),
);
await results.load();
const note = newNote('values', [newParagraph({ text: '%sql' }), newParagraph({ text: '%md' })]);
const [paragraph, other] = note.paragraphs as [
  (typeof note.paragraphs)[0],
  (typeof note.paragraphs)[0],
];
const keep = results.keeper(note, paragraph.id);
const { outputs, whole } = await runCode(
  interpreter,
  `select * from (values
    (1, 9007199254740993::bigint, 0.10::decimal(38,10), 0.1::double, 'beta', true, null,
      date '2026-01-01', timestamp '2026-01-13 23:30:00.000001',
      timestamptz '2026-03-29 01:30:00+01:00', time '06:00:00'),
    (2, 9007199254740992::bigint, 0.20::decimal(38,10), 'nan'::double, 'alpha', false,
      null, null, null, null, null),
    (null, null, null, 0.2::double, null, null, null, null, null, null, null))
  t(small, large, price, rate, word, yes, nothing, day, clock, moment, hour)`,
  { options: {}, keep },
);
const commit = await keep.commit([
  { index: 0, data: outputs[0]!.data, table: whole[0] as unknown as KeptFile },
]);
paragraph.results = { code: 'SUCCESS', msg: [{ ...outputs[0]!, rows: 3 }] };
commit();
other.results = { code: 'SUCCESS', msg: [{ type: 'TEXT', data: 'x' }] };

note.config.cronTimeZone = 'Europe/Paris';
const now = new Date('2026-01-13T23:15:00Z');
const check = (
  given: Omit<AlertCondition, 'paragraph' | 'aggregate'> & Partial<AlertCondition>,
): Promise<string | undefined> =>
  checkCondition(note, { paragraph: paragraph.id, aggregate: 'first', ...given }, results, now);

it.each([
  ['large', 'max', '=', '9007199254740993', '9007199254740993'],
  ['large', 'sum', '>', '18014398509481984', '18014398509481985'],
  ['large', 'first', '!=', '9007199254740992', '9007199254740993'],
  ['price', 'sum', '=', '0.3', '0.3000000000'],
  ['price', 'max', '>=', '0.2', '0.2000000000'],
  ['price', 'min', '<', '0.10000000000000000001', '0.1000000000'],
  ['price', 'first', '>', '-1', '0.1000000000'],
  ['rate', 'max', '<=', '0.2', '0.2'],
  ['small', 'count', '=', '2', '2'],
  ['nothing', 'count', '=', '0', '0'],
  ['word', 'min', '=', 'alpha', 'alpha'],
  ['yes', 'first', '=', 'true', 'true'],
  ['day', 'max', '=', '2026-01-01', '2026-01-01'],
  ['day', 'max', '<', 'today - 12 days', '2026-01-01'],
  ['clock', 'first', '>', '2026-01-13 23:30', '2026-01-13 23:30:00.000001'],
  ['clock', 'first', '=', '2026-01-13T23:30:00.000001', '2026-01-13 23:30:00.000001'],
  // It is 0:15 on the 14th in Paris.
  ['clock', 'first', '<', 'today', '2026-01-13 23:30:00.000001'],
  ['clock', 'first', '>=', 'now - 46 minutes', '2026-01-13 23:30:00.000001'],
  ['moment', 'min', '=', '2026-03-29T00:30:00Z', '2026-03-29 00:30:00Z'],
  ['moment', 'min', '<', '2026-03-29 03:30+02:00', '2026-03-29 00:30:00Z'],
  ['moment', 'min', '>', 'Today + 74 days', '2026-03-29 00:30:00Z'],
] as const)('%s: %s %s %s is met by %s', async (column, aggregate, is, value, shown) => {
  const what = aggregate === 'first' ? `"${column}"` : `${aggregate} of "${column}"`;
  expect(await check({ column, aggregate, is, value })).toBe(
    `${what} in paragraph 1 is ${shown}, which is ${is} ${value}.`,
  );
});

it.each([
  ['large', 'max', '>', '9007199254740993'],
  ['price', 'sum', '!=', '0.30'],
  ['nothing', 'first', '!=', '1'],
  ['nothing', 'max', '<', '1'],
  ['rate', 'sum', '=', '0.3'],
  ['word', 'max', '=', 'alpha'],
  ['day', 'max', '<', 'today - 13 days'],
  ['clock', 'first', '>=', 'now - 44 minutes'],
  ['moment', 'min', '>', 'today + 75 days'],
] as const)('%s: %s %s %s is not met', async (column, aggregate, is, value) => {
  expect(await check({ column, aggregate, is, value })).toBe(undefined);
});

it('says why it can’t be checked', async () => {
  const is = { is: '<', value: '1' } as const;
  const reasons = [
    await check({ column: 'revenue', ...is }),
    await check({ column: 'hour', aggregate: 'max', ...is }),
    await check({ column: 'day', aggregate: 'sum', ...is }),
    await check({ column: 'day', is: '<', value: '2026-02-30' }),
    await check({ column: 'clock', is: '<', value: '2026-01-01 06:00Z' }),
    await check({ column: 'word', aggregate: 'sum', ...is }),
    await check({ column: 'small', is: '<', value: '1e3' }),
    await check({ column: 'yes', ...is }),
    await check({ column: 'x', paragraph: other.id, ...is }),
    await check({ column: 'x', paragraph: 'gone', ...is }),
  ];
  paragraph.config = { enabled: false };
  reasons.push(await check({ column: 'small', ...is }));
  expect(reasons.map((each) => each?.replace('The condition could not be checked: ', ''))).toEqual([
    'paragraph 1 has no column "revenue".',
    'max is not possible for "hour", which has values of type time.',
    'sum is not possible for "day", which has values of type date.',
    '"2026-02-30" is not a date. Write 2026-01-31, 2026-01-31 06:00, today or now - 2 hours.',
    '"clock" has no time zone. Leave out Z.',
    'sum is not possible for "word", which has values of type text.',
    '"1e3" is not a number.',
    '"1" is not true or false.',
    'paragraph 2 has no table.',
    'the paragraph has been removed.',
    'paragraph 1 did not run.',
  ]);
});
