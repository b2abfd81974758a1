import { DataType, tableFromIPC, tableToIPC } from 'apache-arrow';
import { expect, test } from 'vitest';
import { toArrow } from './arrow.ts';
import { parseTable } from './table.ts';

/** Columns as name, type and values. */
async function columns(text: string) {
  const table = await toArrow(parseTable(text));
  return table.schema.fields.map((field, index) => [
    field.name,
    String(field.type),
    [...(table.getChildAt(index) ?? [])],
  ]);
}

test('numbers are int32, or float64 if one does not fit, and all else is utf8', async () => {
  expect(await columns('i\tf\tbig\tt\n1\t.5\t3000000000\tx\n0\t2\t-1\t1')).toEqual([
    ['i', 'Int32', [1, 0]],
    ['f', 'Float64', [0.5, 2]],
    ['big', 'Float64', [3000000000, -1]],
    ['t', 'Utf8', ['x', '1']],
  ]);
});

test('doubles with all their digits are float64; longer numbers stay text', async () => {
  expect(
    await columns(
      'sum\tdecimal\tid\n45429.69999999998\t1.234567890123456789\t12345678901234567\n' +
        '27518688.30000002\t0.5\t1',
    ),
  ).toEqual([
    ['sum', 'Float64', [45429.69999999998, 27518688.30000002]],
    ['decimal', 'Utf8', ['1.234567890123456789', '0.5']],
    ['id', 'Utf8', ['12345678901234567', '1']],
  ]);
});

test('a column of numbers whose text would change is utf8', async () => {
  expect(
    await columns(
      'version\tprice\tcode\tfloat\tjava\n1.10\t4.50\t12E4\t1.0\t1.0E10\n1.1\t-2.25\t7\t-2.5\t2.5',
    ),
  ).toEqual([
    ['version', 'Utf8', ['1.10', '1.1']],
    ['price', 'Utf8', ['4.50', '-2.25']],
    ['code', 'Utf8', ['12E4', '7']],
    ['float', 'Float64', [1, -2.5]],
    ['java', 'Float64', [1e10, 2.5]],
  ]);
});

test('int32 ends where it ends', async () => {
  expect(
    (await columns('a\tb\n2147483647\t2147483648\n-2147483648\t1')).map(([, type]) => type),
  ).toEqual(['Int32', 'Float64']);
});

test('missing cells and the text null are null', async () => {
  expect(await columns('n\tt\n1\tx\nnull\tnull\n2\n\t')).toEqual([
    ['n', 'Int32', [1, null, 2, null]],
    ['t', 'Utf8', ['x', null, null, '']],
  ]);
  expect((await toArrow(parseTable('n\n1'))).schema.fields[0]?.nullable).toBe(true);
});

test('columns with the same name are distinct, and extra cells are dropped', async () => {
  expect(await columns('a\ta\ta_2\ta\n1\tx\t2\ty\tz')).toEqual([
    ['a', 'Int32', [1]],
    ['a_3', 'Utf8', ['x']],
    ['a_2', 'Int32', [2]],
    ['a_4', 'Utf8', ['y']],
  ]);
});

test('names that are integers keep their order', async () => {
  expect((await columns('b\t2\t1\nx\ty\tz')).map(([name]) => name)).toEqual(['b', '2', '1']);
});

test('the table can be serialized as a stream of bytes', async () => {
  const bytes = tableToIPC(await toArrow(parseTable('n\tt\tn\n1\tx\t.5\n\ty')));
  expect(
    tableFromIPC(bytes)
      .toArray()
      .map((row) => Object.values(row.toJSON())),
  ).toEqual([
    [1, 'x', 0.5],
    [null, 'y', null],
  ]);
});

test('a table without rows, and one without columns', async () => {
  const headers = await toArrow(parseTable('a\tb'));
  expect([headers.numRows, headers.numCols]).toEqual([0, 2]);
  const nothing = await toArrow(parseTable(''));
  expect([nothing.numRows, nothing.numCols]).toEqual([0, 0]);
});

test('100 000 rows are converted completely', async () => {
  const lines = Array.from({ length: 100_000 }, (_, row) => `${row + 1}\tname ${row}`);
  const table = await toArrow(parseTable(['n\tt', ...lines].join('\n')));
  expect(table.numRows).toBe(100_000);
  expect(table.get(99_999)?.toArray()).toEqual([100_000, 'name 99999']);
  expect(DataType.isInt(table.schema.fields[0]?.type)).toBe(true);
});
