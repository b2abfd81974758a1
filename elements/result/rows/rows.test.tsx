import { parseTable, plainText, runNow, textRows, toColumns } from '@tiding/client/model';
import * as arrow from 'apache-arrow';
import { allRows, delimitedText, writeFile } from '../displays/table-result/export-files.ts';
import { check, same } from '../test-support.tsx';
import { textOfHtmlCell } from '../visualizations/table/grid/cell-html.ts';
import { rowSelectionOf } from '../visualizations/table/input/row-selection.ts';
import { naturalType } from '../visualizations/table/layout/cell-formats.ts';
import { growColumns, readColumns } from '../visualizations/table/layout/columns.ts';
import { countMatches, findMatch } from '../visualizations/table/panels/find-cells.ts';
import {
  readTableSettings,
  storeTableSettings,
} from '../visualizations/table/state/table-settings.ts';
import { type ColumnFilter, type ColumnSort, nextSort, operatorsOf } from './arrangement.ts';
import { everyKind, sourceOf, textSource } from './arrow-test-tables.ts';
import { aggregateRows, summarizeColumn } from './column-summary.ts';
import { copyText } from './copy-cells.ts';
import { orderRows } from './row-order.ts';
import type { RemoteTable, RowSource } from './row-source.ts';
import { collator } from './text-keys.ts';

const textAt = (source: RowSource, row: number): string[] =>
  source.columns.map((column) => plainText(source.value(row, column.index), column));
const typeOf = (source: RowSource) => (column: number) => naturalType(source.columns[column]!);
const order = (
  source: RowSource,
  sorts: readonly ColumnSort[],
  filters: readonly (readonly [number, ColumnFilter])[] = [],
): number[] | null => {
  const found = runNow(
    orderRows(source, { sorts, filters: new Map(filters), typeOf: typeOf(source) }),
  );
  return found && [...found];
};
const up = (column: number): ColumnSort => ({ column, direction: 'ascending' });
const down = (column: number): ColumnSort => ({ column, direction: 'descending' });
const seeded = (seed: number) => () =>
  (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;

describe('rows of record batches', () => {
  it('widen columns of numbers that are loaded later, never those of texts', () => {
    const all = sourceOf(
      new arrow.Table({
        units: arrow.vectorFromArray([1, 2, 3, 1_234_567], new arrow.Int32()),
        name: arrow.vectorFromArray(['a', 'b', 'c', 'a long name'], new arrow.Utf8()),
      }),
    );
    const loaded = (latest: RemoteTable['latest']): RowSource => ({
      ...all,
      remote: { sampled: 2, latest } as RemoteTable,
    });
    const read = readColumns(loaded([0, 2]));
    same(read[0]!.longest.includes('1,234,567'), false);
    same(growColumns(read, loaded([0, 3])) === read, true);
    const [units, name] = growColumns(read, loaded([2, 4]));
    same(units!.longest.includes('1,234,567'), true);
    same(name === read[1], true);
    same(growColumns(read, all) === read, true);
  });

  it('have the column kinds of their types, and exact values', () => {
    const source = sourceOf(everyKind());
    same(
      source.columns.map(({ kind }) => kind),
      (
        'boolean integer float decimal text date time timestamp interval binary list ' +
        'struct struct text'
      ).split(' '),
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
      '00:00:00',
      '1969-12-31 23:59:59.999999Z',
      '00:00:00',
      '',
      '[]',
      '{"a":null,"b":"z"}',
      '{}',
      'blue',
    ]);
  });

  it('distinguish null from empty text', () => {
    const source = sourceOf(everyKind());
    same(
      source.columns.map(({ index }) => source.value(1, index)),
      source.columns.map(() => null),
    );
    same([source.value(0, 4), source.value(3, 4) === undefined], ['', true]);
    same(order(source, [], [[4, { operator: 'null', term: '' }]]), [1]);
    same(order(source, [], [[4, { operator: 'notNull', term: '' }]]), [0, 2]);
  });

  it('are read in place, long cells only up to the limit', () => {
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

  it('of text tables are numbers with all their digits', () => {
    const source = textRows(
      parseTable(
        'sum\tdecimal\tid\tname\n' +
          '45429.69999999998\t1.234567890123456789\t12345678901234568\t007\n' +
          '27518688.30000002\t-2.5\t12345678901234567\t8\n0.5\t\t12345678901234569\tx\n',
      ),
    );
    same(
      source.columns.map(({ kind }) => kind),
      ['float', 'float', 'text', 'text'],
    );
    const [sum, decimal, id] = readColumns(source);
    same(
      [
        sum!.format(source.value(0, 0)),
        decimal!.format(source.value(0, 1)),
        decimal!.format(source.value(2, 1)),
        id!.format(source.value(0, 2)),
      ],
      ['45,429.69999999998', '1.234567890123456789', '', '12345678901234568'],
    );
    same(order(source, [up(0)]), [2, 0, 1]);
    same(order(source, [], [[0, { operator: 'greater', term: '45429.6' }]]), [0, 1]);
    same(order(source, [up(2)]), [1, 0, 2]);
    const { min, max, mean } = runNow(summarizeColumn(source, null, 0, 'number'));
    same(
      [min, max, mean],
      ['0.5', '27518688.30000002', (45429.69999999998 + 27518688.30000002 + 0.5) / 3],
    );
    same(rowSelectionOf(source, 0).values, {
      sum: 45429.69999999998,
      decimal: '1.234567890123456789',
      id: '12345678901234568',
      name: '007',
    });
    same(
      (runNow(delimitedText(allRows(source), ',')) as string).split('\r\n')[1],
      '45429.69999999998,1.234567890123456789,12345678901234568,007',
    );
    // A column that its engine or the reader calls a number keeps whole numbers exact, also beyond
    // 2^53.
    const ids = textRows(source.table, ['number', 'number', 'number', 'string']);
    same(order(ids, [up(2)]), [1, 0, 2]);
    same(order(ids, [], [[2, { operator: 'equal', term: '12345678901234568' }]]), [0]);
    same(readColumns(ids)[2]!.format(ids.value(0, 2)), '12345678901234568');
    const total = textRows(
      { ...source.table, columns: toColumns(['sum', 'decimal', 'total', 'name']) },
      ['number', 'number', 'number', 'string'],
    );
    same(readColumns(total)[2]!.format(total.value(0, 2)), '12,345,678,901,234,568');
  });

  it('grow, while a snapshot keeps the rows it was taken with', () => {
    const source = textSource(['a', 'b', 'c'], 2);
    same([source.length, source.value(2, 0), source.chunks(0).length], [3, 'c', 2]);
  });

  it('are displayed with grouped digits without losing any', () => {
    const columns = readColumns(sourceOf(everyKind()));
    const format = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2 });
    same(
      columns[3]!.format(1234567890123456789012n),
      format.format('12345678901234567890.12' as never),
    );
    same(columns[1]!.format(9007199254740993n), new Intl.NumberFormat().format(9007199254740993n));
    same(columns[9]!.format(new Uint8Array(4000).fill(0xab)), `4 kB · ${'ab'.repeat(12)}…`);
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
    it(`of ${name} matches the collator, with missing values last`, () => {
      const source = textSource(values);
      same(order(source, [up(0)]), byCollator(values, 1), 'ascending');
      same(order(source, [down(0)]), byCollator(values, -1), 'descending');
    });
  }

  it('of every type is by value', () => {
    const source = sourceOf(everyKind());
    for (const column of [0, 1, 2, 3, 5, 6, 7, 13])
      same(order(source, [up(column)]), [2, 0, 1], source.columns[column]!.name);
    same(order(source, [down(1)]), [0, 2, 1]);
    same(order(source, [up(4)]), [0, 2, 1], 'the empty text is a value');
  });

  it('is by several columns, the first one most significant', () => {
    const source = textRows(parseTable('k\tv\nb\t1\na\t10\nb\t2\na\t9\n'));
    same(order(source, [up(0), down(1)]), [1, 3, 2, 0]);
    same(nextSort(nextSort([up(0)], 1, true), 1, true), [up(0), down(1)]);
    same(nextSort([up(0), down(1)], 1, true), [up(0)]);
    same(nextSort([up(0), up(1)], 1, false), [down(1)]);
  });

  it('of integers beyond 2^53 is exact', () => {
    const values = [9007199254740993n, 9007199254740992n, -9007199254740993n, 5n];
    const source = sourceOf(new arrow.Table({ n: arrow.makeVector(BigInt64Array.from(values)) }));
    same(order(source, [up(0)]), [2, 3, 1, 0]);
    same(order(source, [], [[0, { operator: 'equal', term: '9007199254740993' }]]), [0]);
    same(order(source, [], [[0, { operator: 'greater', term: '9007199254740992' }]]), [0]);
  });
});

describe('filters', () => {
  const source = sourceOf(everyKind());
  const rows = (column: number, filter: ColumnFilter): number[] | null =>
    order(source, [], [[column, filter]]);
  it('compare by type', () => {
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
  it('find the same texts in bytes as in strings', () => {
    const values = ['Snow', 'x snOW', 'sno', null, 'schnee ß snow'];
    same(
      order(textSource(values, 2), [], [[0, { operator: 'contains', term: 'SNOW' }]]),
      [0, 1, 4],
    );
  });
});

describe('column statistics', () => {
  it('count, and sum without losing digits', () => {
    const source = sourceOf(everyKind());
    const price = runNow(summarizeColumn(source, null, 3, 'number'));
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
    same(runNow(aggregateRows(source, null, 3, 'number', 'sum')).text, '12345678901234567890.07');
    same(runNow(aggregateRows(source, null, 2, 'number', 'avg')).value, -0.375);
    same(runNow(aggregateRows(source, Uint32Array.of(2), 4, 'string', 'count')).value, 1);
    const words = runNow(summarizeColumn(textSource(['b', 'a', 'b', null, '']), null, 0, 'string'));
    same(
      [words.distinct, words.top[0], words.min, words.max],
      [3, { count: 2, value: 'b' }, '', 'b'],
    );
    // As in DuckDB: `SELECT min(x), max(x) FROM (VALUES …)`.
    const texts = textSource(['b', 'B', 'a10', 'a9', '\ufdfa', '\u{1d4b3}', 'é']);
    const { min: first, max: last } = runNow(summarizeColumn(texts, null, 0, 'string'));
    same([first, last], ['B', '\u{1d4b3}']);
    same(runNow(aggregateRows(texts, null, 0, 'string', 'max')).value, '\u{1d4b3}');
    const odd = sourceOf(
      new arrow.Table({ x: arrow.makeVector(Float64Array.of(1, Number.NaN, Infinity, 3)) }),
    );
    const { notFinite, mean, min, max, distinct } = runNow(summarizeColumn(odd, null, 0, 'number'));
    same([notFinite, mean, min, max, distinct], [2, 2, 1, 3, 4]);
    same(runNow(aggregateRows(odd, null, 0, 'number', 'avg')).value, 2);
    const histogram = runNow(summarizeColumn(source, null, 2, 'number')).histogram!;
    same([histogram[0], histogram.at(-1), histogram.length], [1, 1, 24]);
  });
});

describe('search', () => {
  it('searches cells as displayed, wraps around, in both directions', () => {
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
  it('ignores the tags of HTML cells', () =>
    same(
      textOfHtmlCell('%html <script>bad()</script><b title="t">a &amp; b</b><br>c&#33;'),
      'a & b c!',
    ));
});

describe('settings of a table', () => {
  const columns = textRows(parseTable('a\tb\ta\n1\t2\t3\n')).columns;
  it('survive a round trip, matched by name and index', () => {
    const state = {
      ...readTableSettings(undefined, columns),
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
    const read = readTableSettings(
      JSON.parse(JSON.stringify(storeTableSettings(undefined, state, columns))),
      columns,
    );
    for (const key of Object.keys(state) as (keyof typeof state)[])
      same(toJson(read[key]), toJson(state[key]), key);
  });
  it('preserve unknown fields and missing columns', () => {
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
    const state = readTableSettings(stored, columns);
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
    const again = storeTableSettings(stored, state, columns) as typeof stored;
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
  it('of another type or version are ignored', () => {
    const state = readTableSettings(
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

describe('exported files', () => {
  const source = sourceOf(everyKind());
  const some = { source, order: Uint32Array.of(2, 0), columns: [7, 3, 11] };
  it('are CSV and TSV with all digits, quoted', () => {
    same(
      runNow(delimitedText(some, ',')),
      '\uFEFFmoment,price,record\r\n' +
        '1969-12-31 23:59:59.999999Z,-0.05,"{""a"":null,""b"":""z""}"\r\n' +
        '2024-05-01 12:00:00.123456Z,12345678901234567890.12,"{""a"":1,""b"":""x ' +
        '\\""y\\""""}"\r\n',
    );
    const ragged = textRows(parseTable('a\tb\n1\n2\t3\t4\n'));
    same(runNow(delimitedText(allRows(ragged), '\t')), '\uFEFFa\tb\r\n1\t\r\n2\t3\t4\r\n');
  });
  it('are Arrow: unchanged, or exact subsets of rows and columns', async () => {
    const all = arrow.tableFromIPC(
      (await writeFile('arrow', allRows(source), 'x.arrow', 's')).data as Uint8Array,
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
      (await writeFile('arrow', allRows(textRows(parseTable('a\tb\n1\tx\n2\n'))), 'x.arrow', 's'))
        .data as Uint8Array,
    );
    same([text.numRows, text.getChild('b')!.get(1)], [2, null]);
  });
  it('are Excel: a zipped workbook with header and values', async () => {
    const { unzipSync, strFromU8 } = await import('fflate');
    const { data, name, type } = await writeFile('xlsx', some, 'x.xlsx', 'Data');
    const files = unzipSync(data as Uint8Array);
    const sheet = strFromU8(files['xl/worksheets/sheet1.xml']!);
    const strings = Object.entries(files)
      .map(([path, bytes]) => (path.endsWith('.xml') ? strFromU8(bytes) : ''))
      .join('');
    same([name, type.includes('spreadsheetml'), sheet.includes('-0.05')], ['x.xlsx', true, true]);
    const text = await writeFile(
      'xlsx',
      allRows(textRows(parseTable('sum\tid\n45429.69999999998\t12345678901234567\n'))),
      'x.xlsx',
      'Data',
    );
    const cells = strFromU8(unzipSync(text.data as Uint8Array)['xl/worksheets/sheet1.xml']!);
    check(
      cells.includes('<v>45429.69999999998</v>') && !cells.includes('<v>12345678901234567'),
      'the sum is no number, or the id is one',
    );
    check(
      strings.includes('12345678901234567890.12') && strings.includes('moment'),
      'a value is missing',
    );
    const long = allRows(textRows(parseTable(`a\tlong\n1\t${'x'.repeat(32_768)}\n`)));
    same((await writeFile('xlsx', long, 'x.xlsx', 'Data')).notices, [
      'An Excel cell holds at most 32,767 characters. Longer texts are cut in: long.',
    ]);
    const wide = parseTable(Array.from({ length: 16_385 }, (_, at) => at).join('\t'));
    check(
      await writeFile('xlsx', allRows(textRows(wide)), 'x.xlsx', 'Data').then(
        () => false,
        ({ message }: Error) => message.includes('16,384 columns'),
      ),
      'too many columns are refused',
    );
  });
});
