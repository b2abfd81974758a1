import * as arrow from 'apache-arrow';
import { parseTable } from 'tiding/model';
import { delimitedText, everything, writeFile } from '../../displays/table/exports.ts';
import { check, same } from '../../test-kit.tsx';
import { readColumns } from './columns.ts';
import { copyText } from './copy-cells.ts';
import { operatorsOf, type Filter } from './filter.ts';
import { naturalType } from './formats.ts';
import { countMatches, findMatch } from './find.ts';
import { markupWords } from './markup.ts';
import { arrange, runNow } from './order.ts';
import { textRows, type RowSource } from './row-source.ts';
import { readSettings, storeSettings } from './settings.ts';
import { nextSort, type Sort } from './sort.ts';
import { aggregate, summarise } from './summary.ts';
import { collator } from './text-keys.ts';
import { everyKind, sourceOf, textSource } from './typed-kit.ts';
import { plainText } from './value-text.ts';

const textAt = (source: RowSource, row: number): string[] =>
  source.columns.map((column) => plainText(source.value(row, column.index), column));
const typeOf = (source: RowSource) => (column: number) => naturalType(source.columns[column]!);
const order = (
  source: RowSource,
  sorts: readonly Sort[],
  filters: readonly (readonly [number, Filter])[] = [],
): number[] | null => {
  const found = runNow(
    arrange(source, { sorts, filters: new Map(filters), typeOf: typeOf(source) }),
  );
  return found && [...found];
};
const up = (column: number): Sort => ({ column, direction: 'ascending' });
const down = (column: number): Sort => ({ column, direction: 'descending' });
const seeded = (seed: number) => () =>
  (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;

describe('rows of record batches', () => {
  it('have the kinds of their types, and exact values', () => {
    const source = sourceOf(everyKind());
    same(
      source.columns.map(({ kind }) => kind),
      [
        'boolean',
        'integer',
        'float',
        'decimal',
        'text',
        'date',
        'time',
        'timestamp',
        'interval',
        'binary',
        'list',
        'struct',
        'struct',
        'text',
      ],
    );
    same(textAt(source, 0), [
      'true',
      '9007199254740993',
      '1.5',
      '12345678901234567890.12',
      '',
      '2024-05-01',
      '12:34:56.000001',
      '2024-05-01 12:00:00.123456Z',
      '1 year 2 months 3 days 00:00:01.5',
      'deadbeef',
      '[1,2,3]',
      '{"a":1,"b":"x \\"y\\""}',
      '{"k":7}',
      'red',
    ]);
    same(textAt(source, 2), [
      'false',
      '-1',
      '-2.25',
      '-0.05',
      'Zoë',
      '1969-12-31',
      '00:00:00.000000',
      '1969-12-31 23:59:59.999999Z',
      '0 days',
      '',
      '[]',
      '{"a":null,"b":"z"}',
      '{}',
      'blue',
    ]);
  });

  it('tell null from the empty text', () => {
    const source = sourceOf(everyKind());
    same(
      source.columns.map(({ index }) => source.value(1, index)),
      source.columns.map(() => null),
    );
    same([source.value(0, 4), source.value(3, 4) === undefined], ['', true]);
    same(order(source, [], [[4, { operator: 'null', term: '' }]]), [1]);
    same(order(source, [], [[4, { operator: 'notNull', term: '' }]]), [0, 2]);
  });

  it('are read in place, a long cell only as far as it is shown', () => {
    const long = 'ä'.repeat(5_000_000);
    const source = textSource(['short', long]);
    const shown = source.value(1, 0, 300) as string;
    check(shown.length < 2000 && shown.startsWith('ää'), `${shown.length} characters were read`);
    same((source.value(1, 0) as string).length, long.length);
    const [column] = readColumns(source);
    same([...column!.format(source.value(1, 0, 301))].length, 301);
    same(
      runNow(
        copyText({
          source,
          range: { top: 1, bottom: 1, left: 0, right: 0 },
          rowAt: (row) => row,
          columnAt: () => 0,
        }),
      ).length,
      long.length,
    );
  });

  it('grow: a snapshot keeps the rows it was taken with', () => {
    const source = textSource(['a', 'b', 'c'], 2);
    same([source.length, source.value(2, 0), source.chunks(0).length], [3, 'c', 2]);
  });

  it('show digits grouped without losing any', () => {
    const columns = readColumns(sourceOf(everyKind()));
    const format = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2 });
    same(
      columns[3]!.format(1234567890123456789012n),
      format.format('12345678901234567890.12' as never),
    );
    same(columns[1]!.format(9007199254740993n), new Intl.NumberFormat().format(9007199254740993n));
    same(columns[9]!.format(new Uint8Array(4000).fill(0xab)), `3.9 KB · ${'ab'.repeat(12)}…`);
  });
});

describe('the order of rows', () => {
  const texts = (
    seed: number,
    alphabet: string,
    longest: number,
    start = '',
  ): (string | null)[] => {
    const next = seeded(seed);
    return Array.from({ length: 3000 }, () =>
      next() < 0.05
        ? null
        : start +
          Array.from(
            { length: Math.floor(next() * longest) },
            () => alphabet[Math.floor(next() * alphabet.length)],
          ).join(''),
    );
  };
  const byCollator = (values: readonly (string | null)[], sign: number): number[] =>
    values
      .map((_, at) => at)
      .sort(
        (a, b) =>
          (values[a] === null || values[b] === null
            ? Number(values[a] === null) - Number(values[b] === null)
            : sign * collator.compare(values[a]!, values[b]!)) || a - b,
      );
  for (const [name, values] of [
    ['short texts', texts(1, 'aAbB01 9-_.zZ', 6)],
    ['texts that begin alike', texts(2, 'aAbB01 9-_.zZ', 40, 'https://example.org/a/long/path/')],
    ['accents', texts(3, 'aäÄoöée0ß', 5)],
    ['few words', texts(4, 'aA', 3)],
  ] as const) {
    it(`of ${name} is the collator's, rows without value last`, () => {
      const source = textSource(values);
      same(order(source, [up(0)]), byCollator(values, 1), 'ascending');
      same(order(source, [down(0)]), byCollator(values, -1), 'descending');
    });
  }

  it('of every kind goes by value', () => {
    const source = sourceOf(everyKind());
    for (const column of [0, 1, 2, 3, 5, 6, 7, 13])
      same(order(source, [up(column)]), [2, 0, 1], source.columns[column]!.name);
    same(order(source, [down(1)]), [0, 2, 1]);
    same(order(source, [up(4)]), [0, 2, 1], 'the empty text is a value');
  });

  it('goes by several columns, the first counting most', () => {
    const source = textRows(parseTable('k\tv\nb\t1\na\t10\nb\t2\na\t9\n'));
    same(order(source, [up(0), down(1)]), [1, 3, 2, 0]);
    same(nextSort(nextSort([up(0)], 1, true), 1, true), [up(0), down(1)]);
    same(nextSort([up(0), down(1)], 1, true), [up(0)]);
    same(nextSort([up(0), up(1)], 1, false), [down(1)]);
  });

  it('of whole numbers beyond 2^53 is exact', () => {
    const values = [9007199254740993n, 9007199254740992n, -9007199254740993n, 5n];
    const source = sourceOf(new arrow.Table({ n: arrow.makeVector(BigInt64Array.from(values)) }));
    same(order(source, [up(0)]), [2, 3, 1, 0]);
    same(order(source, [], [[0, { operator: 'equal', term: '9007199254740993' }]]), [0]);
    same(order(source, [], [[0, { operator: 'greater', term: '9007199254740992' }]]), [0]);
  });
});

describe('filters', () => {
  const source = sourceOf(everyKind());
  const rows = (column: number, filter: Filter): number[] | null =>
    order(source, [], [[column, filter]]);
  it('judge by type', () => {
    same(rows(2, { operator: 'between', term: '-3', to: '1.5' }), [0, 2]);
    same(rows(2, { operator: 'less', term: '0' }), [2]);
    same(rows(5, { operator: 'equal', term: '2024-05' }), [0]);
    same(rows(5, { operator: 'greater', term: '2024-05-01' }), []);
    same(rows(7, { operator: 'between', term: '2024-05-01', to: '2024-05-01' }), [0]);
    same(rows(0, { operator: 'false', term: '' }), [2]);
    same(rows(4, { operator: 'contains', term: 'ZOË' }), [2]);
    same(rows(4, { operator: 'equal', term: 'zoë' }), [2]);
    same(rows(11, { operator: 'contains', term: '"b":"z"' }), [2]);
    same(rows(3, { operator: 'less', term: '0' }), [2]);
    same(rows(2, { operator: 'equal', term: 'no number' }), []);
    same(operatorsOf(true, 'string'), ['contains', 'true', 'false', 'null', 'notNull']);
  });
  it('find texts in bytes as they find them in words', () => {
    const values = ['Snow', 'x snOW', 'sno', null, 'schnee ß snow'];
    same(
      order(textSource(values, 2), [], [[0, { operator: 'contains', term: 'SNOW' }]]),
      [0, 1, 4],
    );
  });
});

describe('figures of a column', () => {
  it('count, and sum without losing digits', () => {
    const source = sourceOf(everyKind());
    const price = runNow(summarise(source, null, 3, 'number'));
    same(
      [
        price.count,
        price.nulls,
        price.distinct,
        plainText(price.min, source.columns[3]!),
        plainText(price.max, source.columns[3]!),
      ],
      [3, 1, 2, '-0.05', '12345678901234567890.12'],
    );
    same(runNow(aggregate(source, null, 3, 'number', 'sum')).text, '12345678901234567890.07');
    same(runNow(aggregate(source, null, 2, 'number', 'avg')).value, -0.375);
    same(runNow(aggregate(source, Uint32Array.of(2), 4, 'string', 'count')).value, 1);
    const words = runNow(summarise(textSource(['b', 'a', 'b', null, '']), null, 0, 'string'));
    same(
      [words.distinct, words.top[0], words.min, words.max],
      [3, { count: 2, value: 'b' }, '', 'b'],
    );
    const histogram = runNow(summarise(source, null, 2, 'number')).histogram!;
    same([histogram[0], histogram.at(-1), histogram.length], [1, 1, 24]);
  });
});

describe('search', () => {
  it('goes through cells as they are shown, round the end, both ways', () => {
    const source = textRows(parseTable('a\tb\nx1\t2\ny\tx3\nz\t4\n'));
    const searched = {
      source,
      columns: readColumns(source).map((column) => ({ ...column, width: 100 })),
      count: 3,
      rowAt: (row: number) => row,
      needle: 'x',
    };
    same(runNow(countMatches(searched)).count, 2);
    same(runNow(findMatch(searched, { row: 0, column: 0 }, false)), { row: 1, column: 1 });
    same(runNow(findMatch(searched, { row: 1, column: 1 }, false)), { row: 0, column: 0 });
    same(runNow(findMatch(searched, { row: 0, column: 0 }, true)), { row: 1, column: 1 });
    same(runNow(findMatch({ ...searched, needle: 'nowhere' }, { row: 0, column: 0 }, true)), null);
  });
  it('takes the words of markup alone', () =>
    same(
      markupWords('%html <script>bad()</script><b title="t">a &amp; b</b><br>c&#33;'),
      'a & b c!',
    ));
});

describe('settings of a table', () => {
  const columns = textRows(parseTable('a\tb\ta\n1\t2\t3\n')).columns;
  it('are what they were after they are stored, by name and place', () => {
    const state = {
      ...readSettings(undefined, columns),
      order: [2, 0, 1],
      hidden: new Set([1]),
      pinned: new Set([2]),
      widths: new Map([[0, 123]]),
      sorts: [down(1), up(2)],
      filters: new Map([[2, { operator: 'between' as const, term: '1', to: '9' }]]),
      types: new Map([
        [0, 'string' as const],
        [2, 'date' as const],
      ]),
      formats: new Map([[2, 'YYYY-MM']]),
      aggregates: new Map([[1, 'avg' as const]]),
      pageSize: 250,
      options: { useFilter: true, showPagination: true, showAggregationFooter: false },
    };
    const read = readSettings(
      JSON.parse(JSON.stringify(storeSettings(undefined, state, columns))),
      columns,
    );
    for (const key of Object.keys(state) as (keyof typeof state)[])
      same(toJson(read[key]), toJson(state[key]), key);
  });
  it('keep what nobody here knows, and columns that are gone', () => {
    const stored = {
      future: 1,
      tableOptionValue: { useFilter: true, other: 2 },
      tableColumnTypeState: { names: { gone: 'date', a: 'number' }, updated: true, more: 3 },
      tableGridState: {
        columns: [
          { name: 'gone', visible: false },
          { name: 'b', visible: false, own: 4, filters: [{ term: 'x', condition: 5 }], sort: {} },
        ],
        scrollFocus: {},
        treeView: { y: 1 },
      },
    };
    const state = readSettings(stored, columns);
    same(
      [
        [...state.hidden],
        state.order,
        state.filters.get(1),
        state.types.get(0),
        state.types.get(2),
      ],
      [[1], [0, 1, 2], { operator: 'contains', term: 'x' }, 'number', undefined],
    );
    const again = storeSettings(stored, state, columns) as typeof stored;
    same(
      [
        again.future,
        again.tableOptionValue.other,
        again.tableColumnTypeState.more,
        (again.tableColumnTypeState.names as { gone: string }).gone,
        again.tableGridState.treeView,
        again.tableGridState.columns.at(-1),
      ],
      [1, 2, 3, 'date', { y: 1 }, { name: 'gone', visible: false }],
    );
    same(
      again.tableGridState.columns.find(({ name }) => name === 'b'),
      {
        name: 'b',
        visible: false,
        own: 4,
        index: 1,
        pinned: '',
        sort: {},
        filters: [{ term: 'x', condition: 5, operator: 'contains' }],
      },
      'the column that is there',
    );
  });
  it('of another kind or version are not taken', () => {
    const state = readSettings(
      {
        tableOptionSpecHash: 'other',
        tableOptionValue: { useFilter: true },
        tableColumnTypeState: { names: { a: 'colour' } },
        tableGridState: {
          columns: [{ name: 'a', width: 'wide', sort: { direction: 'up' }, filters: 'x' }, 7],
          pagination: { paginationPageSize: 33 },
        },
      },
      columns,
    );
    same(
      [
        state.options.useFilter,
        state.types.size,
        state.widths.size,
        state.sorts.length,
        state.filters.size,
        state.pageSize,
      ],
      [false, 0, 0, 0, 0, 50],
    );
  });
});

const toJson = (value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? [...value] : value;

describe('files of a table', () => {
  const source = sourceOf(everyKind());
  const some = { source, order: Uint32Array.of(2, 0), columns: [7, 3, 11] };
  it('are CSV and TSV with every digit, quoted', () => {
    same(
      runNow(delimitedText(some, ',')),
      '\uFEFFmoment,price,record\r\n1969-12-31 23:59:59.999999Z,-0.05,"{""a"":null,""b"":""z""}"\r\n2024-05-01 12:00:00.123456Z,12345678901234567890.12,"{""a"":1,""b"":""x \\""y\\""""}"\r\n',
    );
    const ragged = textRows(parseTable('a\tb\n1\n2\t3\t4\n'));
    same(runNow(delimitedText(everything(ragged), '\t')), '\uFEFFa\tb\r\n1\t\r\n2\t3\t4\r\n');
  });
  it('are Arrow: all as it came, or rows and columns taken out exactly', async () => {
    const all = arrow.tableFromIPC(
      (await writeFile('arrow', everything(source), 'x.arrow', 's')).data as Uint8Array,
    );
    same(textAt(sourceOf(all), 0), textAt(source, 0));
    const columns = source.columns.map(({ index }) => index);
    const turned = sourceOf(
      arrow.tableFromIPC(
        (
          await writeFile(
            'arrow',
            { source, order: Uint32Array.of(2, 1, 0), columns },
            'x.arrow',
            's',
          )
        ).data as Uint8Array,
      ),
    );
    same(
      [0, 1, 2].map((row) => textAt(turned, row)),
      [2, 1, 0].map((row) => textAt(source, row)),
    );
    same(turned.value(1, 4), null);
    const part = sourceOf(
      arrow.tableFromIPC((await writeFile('arrow', some, 'x.arrow', 's')).data as Uint8Array),
    );
    same(
      [part.columns.map(({ name }) => name), textAt(part, 1)],
      [['moment', 'price', 'record'], [7, 3, 11].map((column) => textAt(source, 0)[column])],
    );
    const text = arrow.tableFromIPC(
      (
        await writeFile(
          'arrow',
          everything(textRows(parseTable('a\tb\n1\tx\n2\n'))),
          'x.arrow',
          's',
        )
      ).data as Uint8Array,
    );
    same([text.numRows, text.getChild('b')!.get(1)], [2, null]);
  });
  it('are Excel: a packed workbook with the header and the values', async () => {
    const { unzipSync, strFromU8 } = await import('fflate');
    const { data, name, type } = await writeFile('xlsx', some, 'x.xlsx', 'Data');
    const files = unzipSync(data as Uint8Array);
    const sheet = strFromU8(files['xl/worksheets/sheet1.xml']!);
    const strings = Object.entries(files)
      .map(([path, bytes]) => (path.endsWith('.xml') ? strFromU8(bytes) : ''))
      .join('');
    same([name, type.includes('spreadsheetml'), sheet.includes('-0.05')], ['x.xlsx', true, true]);
    check(
      strings.includes('12345678901234567890.12') && strings.includes('moment'),
      'a value is missing',
    );
  });
});
