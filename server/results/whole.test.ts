import { rmSync } from 'node:fs';
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataType, RecordBatchReader, type Table, tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, untilEnd } from '../../test/support/until-end.ts';
import { sql } from '../interpreters/sql/sql.ts';
import { type Recorded, runCode, testHost } from '../interpreters/test-support.ts';
import { createLog } from '../logging/log.ts';
import { newNote, newParagraph, type StoredNote } from '../notes/note.ts';
import { formats } from './formats.ts';
import { ResultStore } from './store.ts';
import { ALL, type RowRange, type StoredTable } from './stored-table.ts';

const log = createLog('silent');
const unlimited = { rows: 10_000_000, bytes: 2 ** 31, totalBytes: 2 ** 33 };

const host = testHost();
const interpreter = untilEnd(sql.create(host));

async function store(
  given: Partial<typeof unlimited> = {},
): Promise<{ results: ResultStore; data: string; note: StoredNote }> {
  const data = temporaryFolder();
  const results = new ResultStore(data, { ...unlimited, ...given }, log);
  await results.load();
  return { results, data, note: newNote('whole', [newParagraph()]) };
}
const filesOf = async (data: string): Promise<string[]> => {
  for (;;) {
    // A folder may be deleted while it is read.
    const names = await readdir(join(data, 'results'), { recursive: true }).catch(
      (error: NodeJS.ErrnoException) =>
        error.code === 'ENOENT' ? undefined : Promise.reject(error),
    );
    if (names) return names.filter((name) => /\.(arrow|tmp)$/.test(name));
  }
};
/** Waits for background work. */
const settled = async (check: () => Promise<boolean>) => {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 5));
};

/** Runs code and stores its outputs and complete tables in the note's paragraph. */
async function run(
  code: string,
  { results, note }: Awaited<ReturnType<typeof store>>,
  options: Record<string, string> = {},
): Promise<Recorded> {
  const paragraph = note.paragraphs[0]!;
  const keep = results.keeper(note, paragraph.id);
  const recorded = await runCode(interpreter, code, { options, keep });
  const tables = recorded.outputs.flatMap((output, index) =>
    output.type === 'TABLE' ? [{ index, data: output.data }] : [],
  );
  const shown = tables.map(({ index, data }, at) => ({
    index,
    data,
    table: recorded.whole[at] as ReturnType<typeof keep.begin>,
  }));
  const commit = await keep.commit(shown);
  paragraph.results = {
    code: 'SUCCESS',
    msg: recorded.outputs.map((output, index) => {
      const rows = shown.find((each) => each.index === index)?.table.rows;
      return rows === undefined ? output : { ...output, rows };
    }),
  };
  commit();
  return recorded;
}
function found(
  { results, note }: Awaited<ReturnType<typeof store>>,
  index = 0,
): StoredTable | undefined {
  const [paragraph] = note.paragraphs;
  const message = paragraph!.results!.msg![index]!;
  return results.find(note.id, paragraph!.id, index, message);
}
async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
const as = (name: string, table: StoredTable, range: RowRange = ALL) =>
  bytesOf(formats.find((format) => format.name === name)!.write(table, range));
const arrow = async (table: StoredTable, range?: RowRange): Promise<Table> =>
  tableFromIPC(await as('arrow', table, range));

/** Columns of every type, with boundary values and nulls. */
const KINDS = `
  select * from (values
    (true, 127::tinyint, (-32768)::smallint, 2147483647, 9223372036854775807,
      255::utinyint, 65535::usmallint, 4294967295::uinteger, 18446744073709551615::ubigint),
    (false, (-128)::tinyint, 32767::smallint, -2147483648, -9223372036854775808,
      0::utinyint, 0::usmallint, 0::uinteger, 0::ubigint),
    (null, null, null, null, null, null, null, null, null))
    t(yes, i8, i16, i32, i64, u8, u16, u32, u64)
  positional join (values
    (1.5::float, 0.1::double, 1234567890123456789012345678.0123456789::decimal(38,10),
      12.34::decimal(4,2), -99999.9999::decimal(9,4), 123456789012.123456::decimal(18,6),
      99999999999999999999999999999999999999::hugeint),
    ('nan'::float, 'infinity'::double, (-0.0000000001)::decimal(38,10),
      -0.01::decimal(4,2), 0::decimal(9,4), -1::decimal(18,6),
      (-99999999999999999999999999999999999999)::hugeint),
    (null, null, null, null, null, null, null)) u(f32, f64, d38, d4, d9, d18, huge)
  positional join (values
    ('', date '2026-02-28', time '23:59:59.999999', timestamp '2026-02-28 01:02:03.456789',
      timestamptz '2026-02-28 01:02:03+05:30', interval '14 months 3 days 04:05:06.7',
      'a\\x00\\xFF'::blob),
    ('a long text with ü and "quotes", and a
line', date '0001-01-01', time '00:00:00', timestamp '1969-12-31 23:59:59.5',
      timestamptz '1969-12-31 23:59:59.5+00', interval '-1 hour', ''::blob),
    (null, null, null, null, null, null, null)) v(text, day, clock, moment, zoned, span, bytes)
  positional join (values
    ([{'a': 1, 'b': 'x'}, null, {'a': null, 'b': ''}], {'n': 1, 'inner': [1, null]},
      map {'k': 1, 'l': null}, [1, 2, 3]::int[3], 'small'::varchar::enum('small', 'large'),
      '6f1d4b0a-0000-4000-8000-000000000001'::uuid),
    ([], {'n': null, 'inner': []}, map {}, [null, 0, 1]::int[3],
      'large'::varchar::enum('small', 'large'), 'ffffffff-ffff-4fff-bfff-ffffffffffff'::uuid),
    (null, null, null, null, null, null)) w(items, struct, pairs, fixed, size, id)`;

describe('a complete table', () => {
  it('has exact values of every type and distinguishes null from empty text', async () => {
    const place = await store();
    const { end } = await run(KINDS, place);
    expect(end).toEqual({ code: 'SUCCESS' });
    const table = found(place)!;
    const read = await arrow(table);
    expect(read.schema.fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'yes Bool',
      'i8 Int8',
      'i16 Int16',
      'i32 Int32',
      'i64 Int64',
      'u8 Uint8',
      'u16 Uint16',
      'u32 Uint32',
      'u64 Uint64',
      'f32 Float32',
      'f64 Float64',
      'd38 Decimal[38e+10]',
      'd4 Decimal[4e+2]',
      'd9 Decimal[9e+4]',
      'd18 Decimal[18e+6]',
      'huge Decimal[38e0]',
      'text Utf8',
      'day Date32<DAY>',
      'clock Time64<MICROSECOND>',
      'moment Timestamp<MICROSECOND>',
      'zoned Timestamp<MICROSECOND, UTC>',
      'span Interval<MONTH_DAY_NANO>',
      'bytes Binary',
      'items List<Struct<{a:Int32, b:Utf8}>>',
      'struct Struct<{n:Int32, inner:List<Int32>}>',
      'pairs Map<{key:Utf8, value:Int32}>',
      'fixed FixedSizeList[3]<Int32>',
      'size Utf8',
      'id Utf8',
    ]);
    expect([
      read.numRows,
      read.getChild('i64')!.get(0),
      read.getChild('u64')!.get(0),
      read.getChild('text')!.toArray(),
    ]).toEqual([
      3,
      2n ** 63n - 1n,
      2n ** 64n - 1n,
      ['', 'a long text with ü and "quotes", and a\nline', null],
    ]);
    expect(
      JSON.parse((await as('json', table)).toString().replace(/:(-?\d[\d.]{14,})/g, ':"$1"')),
    ).toEqual([
      {
        yes: true,
        i8: 127,
        i16: -32768,
        i32: 2147483647,
        i64: '9223372036854775807',
        u8: 255,
        u16: 65535,
        u32: 4294967295,
        u64: '18446744073709551615',
        f32: 1.5,
        f64: 0.1,
        d38: '1234567890123456789012345678.0123456789',
        d4: 12.34,
        d9: -99999.9999,
        d18: '123456789012.123456',
        huge: '99999999999999999999999999999999999999',
        text: '',
        day: '2026-02-28',
        clock: '23:59:59.999999',
        moment: '2026-02-28T01:02:03.456789',
        zoned: '2026-02-27T19:32:03Z',
        span: '1 year 2 months 3 days 04:05:06.7',
        bytes: 'YQD/',
        items: [{ a: 1, b: 'x' }, null, { a: null, b: '' }],
        struct: { n: 1, inner: [1, null] },
        pairs: { k: 1, l: null },
        fixed: [1, 2, 3],
        size: 'small',
        id: '6f1d4b0a-0000-4000-8000-000000000001',
      },
      {
        yes: false,
        i8: -128,
        i16: 32767,
        i32: -2147483648,
        i64: '-9223372036854775808',
        u8: 0,
        u16: 0,
        u32: 0,
        u64: 0,
        f32: null,
        f64: null,
        d38: -0.0000000001,
        d4: -0.01,
        d9: 0,
        d18: -1,
        huge: '-99999999999999999999999999999999999999',
        text: 'a long text with ü and "quotes", and a\nline',
        day: '0001-01-01',
        clock: '00:00:00',
        moment: '1969-12-31T23:59:59.5',
        zoned: '1969-12-31T23:59:59.5Z',
        span: '-01:00:00',
        bytes: '',
        items: [],
        struct: { n: null, inner: [] },
        pairs: {},
        fixed: [null, 0, 1],
        size: 'large',
        id: 'ffffffff-ffff-4fff-bfff-ffffffffffff',
      },
      Object.fromEntries(read.schema.fields.map(({ name }) => [name, null])),
    ]);
  });

  it('is exported as Parquet with its types, which the engine can read', async () => {
    const place = await store();
    await run(KINDS, place);
    const file = join(host.files, 'kinds.parquet');
    await writeFile(file, await as('parquet', found(place)!));
    const compared = await runCode(
      interpreter,
      `
      create temp table given as ${KINDS};
      create temp table back as from read_parquet('${file}');
      select count(*) from (
        (select yes, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, d38, d4, d9, d18,
          huge::varchar, text, day, clock, moment, zoned, span::varchar, bytes,
          to_json(items)::varchar, to_json(struct)::varchar, to_json(pairs)::varchar,
          to_json(fixed)::varchar, size::varchar, id::varchar from given)
        except
        (select yes, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, d38, d4, d9, d18,
          huge::varchar, text, day, clock, moment, zoned, span, bytes, items::varchar,
          struct::varchar, pairs::varchar, fixed::varchar, size, id from back));
      describe back`,
    );
    expect(compared.end).toEqual({ code: 'SUCCESS' });
    expect(compared.outputs.find(({ type }) => type === 'TABLE')!.data).toBe('count_star()\n0\n');
    const types = compared.outputs
      .filter(({ type }) => type === 'TABLE')[1]!
      .data.split('\n')
      .slice(1)
      .map((line) => line.split('\t').slice(0, 2).join(' '));
    expect(types).toEqual(
      expect.arrayContaining([
        'i8 TINYINT',
        'u64 UBIGINT',
        'd38 DECIMAL(38,10)',
        'day DATE',
        'clock TIME',
        'moment TIMESTAMP',
        'zoned TIMESTAMP WITH TIME ZONE',
        'bytes BLOB',
        'f32 FLOAT',
      ]),
    );
  });

  it('is exported as CSV that distinguishes null from empty text', async () => {
    const place = await store();
    await run(`select * from (values (1, '', null), (null, 'a,b', 'x')) t("A", b, c)`, place);
    expect((await as('csv', found(place)!)).toString()).toBe('A,b,c\r\n1,"",\r\n,"a,b",x\r\n');
    await run(`select 1 as a, 2 as a, 3 as a_2`, place);
    expect((await as('csv', found(place)!)).toString()).toBe('a,a_3,a_2\r\n1,2,3\r\n');
    await run(`select nullif(i, 1) as i from range(3) t(i)`, place);
    expect((await as('csv', found(place)!)).toString()).toBe('i\r\n0\r\n""\r\n2\r\n');
  });

  it('has the whole of a value that is cut in the note, and the note says so', async () => {
    const place = await store();
    const { outputs } = await run("select repeat('x', 200000) as v", place);
    expect(outputs[1]!.data).toBe(
      'Values are shown up to 100,000 characters; the table view, downloads and scripts have ' +
        'all of them.\n',
    );
    expect((await as('csv', found(place)!)).toString()).toBe(`v\r\n${'x'.repeat(200_000)}\r\n`);
  });

  it('has more rows than are shown, and returns any range of them', async () => {
    const place = await store();
    const { outputs } = await run(
      `select i, 'row ' || i as text, i % 7 = 0 as seventh, case when i % 3 > 0 then [i, ` +
        'i + 1] end as pair from range(10000) t(i)',
      place,
      { limit: '5' },
    );
    expect(outputs[0]!.data.split('\n').filter(Boolean)).toHaveLength(6);
    expect(outputs[1]).toEqual({
      type: 'TEXT',
      data:
        'The note has the first 5 of 10,000 rows; the table view, downloads and scripts have ' +
        'all of them.\n',
    });
    expect(place.note.paragraphs[0]!.results!.msg![0]!.rows).toBe(10_000);
    const table = found(place)!;
    const whole = await arrow(table);
    expect([whole.numRows, whole.batches.length > 3]).toEqual([10_000, true]);
    for (const [offset, limit] of [
      [0, 1],
      [0, 10_000],
      [2_047, 2],
      [2_048, 2_048],
      [5, 3],
      [1, 9_999],
      [1_000, 5_001],
      [9_999, 100],
      [10_000, 5],
      [20_000, 1],
      [4_096, Infinity],
      [3, 0],
    ] as const) {
      const { length, pieces } = await table.arrow({ offset, limit });
      const bytes = await bytesOf(pieces());
      expect(bytes.length).toBe(length);
      const part = tableFromIPC(bytes);
      const wanted = whole.slice(offset, Math.min(offset + limit, 10_000));
      expect(part.schema.fields.map(String)).toEqual(whole.schema.fields.map(String));
      expect(JSON.stringify(part.toArray(), plain)).toBe(
        JSON.stringify(offset < 10_000 ? wanted.toArray() : [], plain),
      );
    }
    const csv = (await as('csv', table, { offset: 2_047, limit: 2 })).toString();
    expect(csv).toBe(
      'i,text,seventh,pair\r\n2047,row 2047,false,"[2047,2048]"\r\n' +
        '2048,row 2048,false,"[2048,2049]"\r\n',
    );
  });

  it('is truncated at the limits with a notice', async () => {
    for (const limits of [{ rows: 5_000 }, { bytes: 40_000 }, { totalBytes: 40_000 }]) {
      const place = await store(limits);
      const { outputs } = await run('select i from range(1000000) t(i)', place, { limit: '5' });
      const rows = place.note.paragraphs[0]!.results!.msg![0]!.rows!;
      expect(outputs[1]!.data).toBe(
        'The note has the first 5 rows; the table view, downloads and scripts have the first ' +
          `${rows.toLocaleString('en-US')}, and there are more.\n`,
      );
      expect(rows).toBe(limits.rows ?? 2_048 * 2);
      expect((await arrow(found(place)!)).getChild('i')!.get(rows - 1)).toBe(BigInt(rows - 1));
    }
  });

  it('is deleted if its run fails halfway', async () => {
    const place = await store();
    const { end } = await run(
      `select case when i < 900000 then i else error('broken') end from range(1000000) t(i)`,
      place,
    );
    expect(end.code).toBe('ERROR');
    expect(place.note.paragraphs[0]!.results!.msg!.every(({ rows }) => rows === undefined)).toBe(
      true,
    );
    expect(await filesOf(place.data)).toEqual([]);
  });

  it('is omitted if the disk fails, and the run continues', async () => {
    const place = await store();
    rmSync(join(place.data, 'results'), { recursive: true });
    await writeFile(join(place.data, 'results'), 'no folder');
    const { end, outputs } = await run('select i from range(20) t(i)', place);
    expect([end.code, outputs.length, outputs[0]!.data.split('\n').length]).toEqual([
      'SUCCESS',
      1,
      22,
    ]);
    expect(found(place)).toBeUndefined();
  });

  it('of a hundred megabytes is written, read and sent in little memory', async () => {
    const place = await store();
    global.gc?.();
    const before = process.memoryUsage();
    let most = 0;
    const watch = setInterval(
      () =>
        (most = Math.max(
          most,
          process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed,
        )),
      20,
    );
    await run(
      `select i, i * 0.5 as half, md5(i::varchar) || repeat('x', ` +
        '60) as text from range(1000000) t(i)',
      place,
      { limit: '10' },
    );
    let bytes = 0;
    for await (const piece of (await found(place)!.arrow()).pieces()) bytes += piece.length;
    for await (const piece of formats[0]!.write(found(place)!, ALL)) bytes += piece.length;
    clearInterval(watch);
    expect(bytes).toBeGreaterThan(200e6);
    // Each of them has more than 100 MB.
    expect(most - before.arrayBuffers - before.heapUsed).toBeLessThan(80e6);
  }, 300_000);

  it('survives a restart and is deleted with its output', async () => {
    const place = await store();
    const { note, data } = place;
    await run('select 1 as a; select 2 as b', place);
    expect(await filesOf(data)).toHaveLength(2);
    const again = new ResultStore(data, unlimited, log);
    await again.load();
    again.check(note);
    again.sweep([note], new Map());
    expect((await arrow(found({ ...place, results: again }, 1)!)).getChild('b')!.get(0)).toBe(2);
    // A different text is a different output.
    const [paragraph] = note.paragraphs;
    const [first, second] = paragraph!.results!.msg!;
    paragraph!.results = { code: 'SUCCESS', msg: [{ ...first!, data: 'a\n3\n' }, second!] };
    again.check(note);
    expect(paragraph!.results.msg!.map(({ rows }) => rows)).toEqual([undefined, 1]);
    again.settle(note.id, note);
    await settled(async () => (await filesOf(data)).length === 1);
    again.settle(note.id, undefined);
    await settled(async () => (await readdir(join(data, 'results'))).length === 0);
  });

  it('is copied with its note, and the copy is independent', async () => {
    const place = await store();
    await run('select 7 as a', place);
    const copy = newNote('copy', [
      { ...newParagraph(), results: { code: 'SUCCESS', msg: [{ type: 'TABLE', data: 'a\n7\n' }] } },
    ]);
    await place.results.copy(place.note, copy);
    expect(copy.paragraphs[0]!.results!.msg![0]!.rows).toBe(1);
    place.results.settle(place.note.id, undefined);
    await settled(async () => (await filesOf(place.data)).length === 1);
    expect((await arrow(found({ ...place, note: copy })!)).getChild('a')!.get(0)).toBe(7);
  });

  it('is deleted at startup if a crash left it incomplete', async () => {
    const place = await store();
    await run('select i from range(10000) t(i)', place);
    const [name] = await filesOf(place.data);
    const file = join(place.data, 'results', name!);
    const bytes = await readFile(file);
    await writeFile(join(place.data, 'results', place.note.id, '.0011223344556677.tmp'), bytes);
    const cuts = [0, 1, 7, 300, Math.floor(bytes.length / 2), bytes.length - 1];
    for (const cut of cuts) {
      await writeFile(file, bytes);
      await truncate(file, cut);
      const again = new ResultStore(place.data, unlimited, log);
      await again.load();
      expect(found({ ...place, results: again })).toBeUndefined();
      expect(await filesOf(place.data)).toEqual([]);
      await import('node:fs/promises').then(({ mkdir }) =>
        mkdir(join(place.data, 'results', place.note.id), { recursive: true }),
      );
    }
    const note = structuredClone(place.note);
    const again = new ResultStore(place.data, unlimited, log);
    await again.load();
    again.check(note);
    expect(note.paragraphs[0]!.results!.msg![0]).not.toHaveProperty('rows');
  });

  it('can be adopted from a file with a valid stream only', async () => {
    const place = await store();
    await run('select i from range(5000) t(i)', place);
    const stream = await as('arrow', found(place)!);
    const paragraph = place.note.paragraphs[0]!;
    const adopted = async (content: Buffer, limits: Partial<typeof unlimited> = {}) => {
      const other = await store(limits);
      const file = join(other.data, 'given');
      await writeFile(file, content);
      const keep = other.results.keeper(place.note, paragraph.id);
      const table = keep.adopt(file);
      const data = 'i\n0\n';
      (await keep.commit([{ index: 0, data, table }]))();
      return table.rows === undefined
        ? undefined
        : other.results.find(place.note.id, paragraph.id, 0, {
            type: 'TABLE',
            data,
            rows: table.rows,
          });
    };
    expect((await arrow((await adopted(stream))!)).numRows).toBe(5_000);
    expect((await arrow((await adopted(stream, { rows: 3_000, bytes: 2 ** 31 }))!)).numRows).toBe(
      2_048,
    );
    expect(await adopted(Buffer.from('{"password": "x"}'))).toBeUndefined();
    expect(await adopted(stream.subarray(0, stream.length - 100))).toBeUndefined();
    expect(await adopted(Buffer.alloc(0))).toBeUndefined();
  });

  it('can be read by any Arrow reader', async () => {
    const place = await store();
    await run('select i from range(3000) t(i)', place);
    const [name] = await filesOf(place.data);
    const reader = RecordBatchReader.from(await readFile(join(place.data, 'results', name!)));
    expect(DataType.isInt(reader.open().schema.fields[0]!.type)).toBe(true);
    expect([...reader].reduce((sum, { numRows }) => sum + numRows, 0)).toBe(3_000);
  });
});

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
