/** Values that a database sends as text, as Arrow columns. */
import { arrowFormat, hasArrowValue } from '@tiding/client/model';
import { DataType, RecordBatchReader, RecordBatchStreamWriter } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { kindOf as mySqlKindOf } from './mysql/types.ts';
import { kindOf } from './postgresql/types.ts';
import { ArrowColumns, type ColumnKind } from './text-columns.ts';

/** The texts of a column after a way through an Arrow stream, and the names of what was lost. */
function shown(kind: ColumnKind, ...values: (string | null)[]) {
  const rows = values.map((value) => [value]);
  const columns = new ArrowColumns([{ name: 'c', kind }], rows);
  const writer = new RecordBatchStreamWriter();
  writer.write(columns.batch(rows));
  const [batch] = RecordBatchReader.from(writer.finish().toUint8Array(true));
  const data = batch!.data.children[0]!;
  const text = arrowFormat(data.type).text(data);
  return {
    type: data.type,
    texts: values.map((_, row) => (hasArrowValue(data, row) ? text(row) : null)),
    lost: columns.lost,
    isText: columns.texts.length > 0,
  };
}

describe('values of a database as Arrow columns', () => {
  it.each<[ColumnKind, string[]]>([
    ['boolean', ['true', 'false']],
    ['int16', ['-32768', '32767']],
    ['int64', ['9223372036854775807', '-9223372036854775808', '0']],
    ['uint64', ['18446744073709551615']],
    ['float64', ['1.5', '-0.1', 'NaN', 'Infinity', '-Infinity']],
    ['float32', ['0.1']],
    ['date', ['1970-01-01', '2026-02-28', '0001-01-01', '0044-03-15 (BC)', '12026-01-01']],
    ['time', ['23:59:59.999999', '00:00:00']],
    [
      'timestamp',
      ['2026-01-31 10:00:00.123456', '1969-12-31 23:59:59', '0044-03-15 (BC) 10:00:00'],
    ],
    [{ precision: 10, scale: 2 }, ['12345678.90', '-0.01']],
    [{ precision: 38, scale: 0 }, ['99999999999999999999999999999999999999']],
    ['text', ['a\tb', '', 'ü€😀']],
  ])('%j keeps its values', (kind, values) => {
    const { lost, texts } = shown(kind, ...values, null);
    expect(texts).toEqual([...values, null]);
    expect(lost).toEqual([]);
  });

  it('stores instants in UTC', () => {
    const { texts } = shown(
      'instant',
      '2026-01-31 10:00:00+02',
      '2026-01-31 10:00:00.5-03:30',
      '1890-01-01 00:00:00+00:53:28',
    );
    expect(texts).toEqual([
      '2026-01-31 08:00:00Z',
      '2026-01-31 13:30:00.5Z',
      '1889-12-31 23:06:32Z',
    ]);
  });

  it('reads the eras of PostgreSQL', () => {
    expect(shown('date', '0044-03-15 BC').texts).toEqual(['0044-03-15 (BC)']);
    expect(shown('instant', '0044-03-15 10:00:00+00 BC').texts).toEqual([
      '0044-03-15 (BC) 10:00:00Z',
    ]);
  });

  it.each<[ColumnKind, string[]]>([
    ['timestamp', ['2026-01-31 10:00:00', 'infinity', '-infinity']],
    ['instant', ['2026-01-31 10:00:00+00', 'infinity']],
    ['date', ['2026-01-31', '-infinity']],
    ['date', ['5874897-12-31', '4713-01-01 BC']],
    ['timestamp', ['294276-12-31 23:59:59', '4713-01-01 00:00:00 BC']],
    ['date', ['2026-01-01', '0000-00-00', 'gestern']],
    ['time', ['24:00:00', '838:59:59']],
    [{}, ['1', 'NaN']],
    [{}, ['9'.repeat(39)]],
    [{}, ['0.1', '9'.repeat(38)]],
    [{}, [`0.${'1'.repeat(39)}`]],
    [{ precision: 38, scale: 10 }, ['1.0000000000', 'NaN']],
  ])('%j with the values %j is text, so that everybody can read it', (kind, values) => {
    const { isText, lost, texts, type } = shown(kind, ...values, null);
    expect(DataType.isUtf8(type)).toBe(true);
    expect(texts).toEqual([...values, null]);
    expect({ isText, lost }).toEqual({ isText: true, lost: [] });
  });

  it('stores bytes', () => {
    const { type, texts } = shown('bytes', '\\x00ff41');
    expect(DataType.isBinary(type)).toBe(true);
    expect(texts).toEqual(['\\x00\\xFFA']);
  });

  it('chooses the scale of decimals without one by the first rows', () => {
    const { texts, type } = shown({}, '1', '2.50', '-3.125');
    expect(type).toMatchObject({ precision: 38, scale: 3 });
    expect(texts).toEqual(['1.000', '2.500', '-3.125']);
  });

  it('rounds later decimals, and says so', () => {
    const columns = new ArrowColumns([{ name: 'price', kind: {} }], [['1.5']]);
    const { data } = columns.batch([['2.25'], ['-2.25'], ['2.20'], ['NaN'], ['1'.repeat(38)]]);
    const [values] = data.children;
    const text = arrowFormat(values!.type).text(values!);
    expect([text(0), text(1), text(2)]).toEqual(['2.3', '-2.3', '2.2']);
    expect([3, 4].map((row) => hasArrowValue(values!, row))).toEqual([false, false]);
    expect(columns.lost).toEqual(['price']);
  });

  it.each<[ColumnKind, string]>([
    ['date', 'infinity'],
    ['timestamp', '-infinity'],
    ['date', 'gestern'],
    ['date', '5874897-12-31'],
    ['timestamp', '294276-12-31 23:59:59'],
    ['instant', '290309-01-01 00:00:00+00 BC'],
  ])('a later %s %s is missing, and never another value', (kind, text) => {
    const columns = new ArrowColumns([{ name: 'c', kind }], [[null]]);
    const data = columns.batch([[text]]).data.children[0]!;
    expect(hasArrowValue(data, 0)).toBe(false);
    expect(columns.lost).toEqual(['c']);
  });

  it('gives columns of the same name different names', () => {
    const columns = new ArrowColumns(
      [
        { name: 'n', kind: 'int32' },
        { name: 'n', kind: 'text' },
      ],
      [],
    );
    expect(columns.schema.fields.map(({ name }) => name)).toEqual(['n', 'n_2']);
  });
});

describe('types of PostgreSQL', () => {
  const numeric = (dataTypeModifier: number) => kindOf({ dataTypeID: 1700, dataTypeModifier });
  it('reads precision and scale of numbers', () => {
    expect(numeric(-1)).toEqual({});
    expect(numeric(((10 << 16) | 2) + 4)).toEqual({ precision: 10, scale: 2 });
    expect(numeric(((3 << 16) | (-2 & 0x7ff)) + 4)).toEqual({ precision: 3, scale: -2 });
  });
  it('shows unknown types as text', () => {
    expect(kindOf({ dataTypeID: 600, dataTypeModifier: -1 })).toBe('text');
    expect(kindOf({ dataTypeID: 99_999, dataTypeModifier: -1 })).toBe('text');
  });
});

describe('types of MySQL', () => {
  it('reads signs, sizes and character sets', () => {
    const kinds = [
      { columnType: 8, flags: 32 },
      { columnType: 3 },
      { columnType: 246, columnLength: 12, decimals: 2 },
      { columnType: 246, columnLength: 11, decimals: 2, flags: 32 },
      { columnType: 246, columnLength: 11, decimals: 0 },
      { columnType: 253, characterSet: 63 },
      { columnType: 253, characterSet: 45 },
      { columnType: 11 },
      { columnType: 245 },
    ].map((field) => mySqlKindOf({ name: 'c', ...field }));
    expect(kinds).toEqual([
      'uint64',
      'int32',
      { precision: 10, scale: 2 },
      { precision: 10, scale: 2 },
      { precision: 10, scale: 0 },
      'bytes',
      'text',
      'text',
      'text',
    ]);
  });
});
