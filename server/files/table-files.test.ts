/** Workbooks and databases become Parquet files, and hostile ones are refused. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableSource } from '@tiding/client/model';
import { strToU8, zipSync } from 'fflate';
import { Database } from 'node-sqlite3-wasm';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { TableFiles } from './table-files.ts';

const LIMIT = 64 * 2 ** 20;

const folder = temporaryFolder();
const tableFiles = new TableFiles({ folder: join(folder, '.work'), bytes: LIMIT });
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
const query: (sql: string) => Promise<unknown[][]> = async (sql) =>
  (await connection.runAndReadAll(sql)).getRowsJson() as unknown[][];

const at = (name: string) => join(folder, name);
const describeFile = (name: string) =>
  query(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '${at(name)}')`);
const rowsOf = (name: string) => query(`SELECT * FROM '${at(name)}'`);
const parquet = { reader: 'read_parquet', options: [], converted: [] };
const problemOf = (file: string, files = tableFiles) =>
  files.read(at(file)).then(
    () => undefined,
    (error: Error) => error.message,
  );

const NAMESPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relations = (...targets: (readonly [type: string, target: string])[]) =>
  `<Relationships>${targets
    .map(
      ([type, target], index) =>
        `<Relationship Id="r${index}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

/** The parts of a workbook whose sheets have these rows, in XML. */
function parts(sheets: Record<string, string>, properties = ''): Record<string, string> {
  const names = Object.keys(sheets);
  return {
    '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml':
      `<workbook ${NAMESPACE} xmlns:r="${RELATIONS}"><workbookPr ${properties}/><sheets>` +
      names
        .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="r${index}"/>`)
        .join('') +
      '</sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations(
      ...names.map((_, index) => ['worksheet', `worksheets/sheet${index}.xml`] as const),
      ['sharedStrings', '/xl/sharedStrings.xml'],
      ['styles', 'styles.xml'],
    ),
    'xl/sharedStrings.xml':
      `<sst ${NAMESPACE}><si><t>name</t></si><si><r><t>Os</t></r><r><t>lo &amp; co</t></r>` +
      '<rPh><t>phonetic</t></rPh></si><si><t>day</t></si></sst>',
    'xl/styles.xml':
      `<styleSheet ${NAMESPACE}><numFmts>` +
      '<numFmt numFmtId="164" formatCode="[$-407]d. mmm&quot; s&quot;"/>' +
      '<numFmt numFmtId="165" formatCode="[h]:mm"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="20"/>' +
      '<xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>',
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index}.xml`,
        `<worksheet ${NAMESPACE}><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
  };
}
const zip = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
const writeWorkbook = (name: string, ...given: Parameters<typeof parts>) =>
  writeFile(at(name), zip(parts(...given)));
const HEAD = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>2</v></c></row>';

describe('a workbook', () => {
  it('becomes one Parquet file for each sheet, with types', async () => {
    await writeWorkbook('book.xlsx', {
      'Q1/24': `${HEAD}<row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" s="1"><v>45292</v></c>
        <c r="C2" s="2"><v>45292.5</v></c><c r="D2" s="3"><v>0.354166666666667</v></c>
        <c r="E2"><v>7</v></c><c r="F2"><v>1.5E-3</v></c><c r="G2" t="b"><v>1</v></c>
        <c r="H2" s="4"><v>59</v></c><c r="I2" s="5"><v>1.5</v></c><c r="J2"><v>1</v></c></row>
        <row r="3"><c r="A3" t="inlineStr"><is><t>a_x000A_b</t></is></c><c r="E3"><v>8</v></c>
        <c r="F3"><v>3</v></c><c r="G3" t="e"><v>#N/A</v></c>
        <c r="J3" t="str"><v>n/a</v></c></row>`,
      Empty: '<row r="1"><c r="A1" s="1"/></row>',
      Plain:
        '<row><c><v>1</v></c><c t="str"><v>x</v></c></row><row r="3"><c s="1"/></row>' +
        '<row r="4"><c><v>2</v></c></row><row r="9"/>',
    });
    const { tables, skipped, remarks } = await tableFiles.read(at('book.xlsx'));
    expect(tables).toEqual([
      { name: 'Q1/24', path: 'book - Q1_24.parquet', rows: 2, columns: 10, ...parquet },
      { name: 'Plain', path: 'book - Plain.parquet', rows: 4, columns: 2, ...parquet },
    ]);
    expect(skipped).toEqual([{ name: 'Empty', reason: 'is empty' }]);
    expect(await describeFile('book - Q1_24.parquet')).toEqual([
      ['name', 'VARCHAR'],
      ['day', 'DATE'],
      ['C', 'TIMESTAMP'],
      ['D', 'TIME'],
      ['E', 'BIGINT'],
      ['F', 'DOUBLE'],
      ['G', 'BOOLEAN'],
      ['H', 'DATE'],
      ['I', 'INTERVAL'],
      ['J', 'BIGINT'],
    ]);
    expect(await rowsOf('book - Q1_24.parquet')).toEqual([
      [
        'Oslo & co',
        '2024-01-01',
        '2024-01-01 12:00:00',
        '08:30:00',
        '7',
        0.0015,
        true,
        '1900-02-28',
        { months: 0, days: 0, micros: `${36 * 3_600_000_000}` },
        '1',
      ],
      ['a\nb', null, null, null, '8', 3, null, null, null, null],
    ]);
    expect(remarks).toEqual(['Q1/24: n/a in J is a missing value']);
    expect(await rowsOf('book - Plain.parquet')).toEqual([
      ['1', 'x'],
      [null, null],
      [null, null],
      ['2', null],
    ]);
    expect((await readdir(folder)).filter((name) => name.startsWith('.upload'))).toEqual([]);
  });

  it.each<[title: string, rows: unknown[][], columns: string[], left: string[]]>([
    [
      'titles',
      [['Budget in EUR'], ['May'], ['item', 'cost'], ['desk', 7]],
      ['item', 'cost'],
      ['above the header: Budget in EUR / May'],
    ],
    [
      'years',
      [
        ['land', 2020, 2021],
        ['NO', 1, 2],
      ],
      ['land', '2020', '2021'],
      [],
    ],
    [
      'values',
      [
        ['Oslo', 2020],
        ['Rome', 2021],
      ],
      ['A', 'B'],
      [],
    ],
    [
      'groups',
      [
        ['land', 'Sales', ''],
        ['', 2020, 'Q2'],
        ['NO', 1, 2],
      ],
      ['land', 'Sales 2020', 'Sales Q2'],
      [],
    ],
    [
      'an empty name',
      [
        ['k', '', 'v'],
        ['a', 'unknown', 'c'],
        ['b', 'known', 'd'],
      ],
      ['k', 'B', 'v'],
      [],
    ],
    ['one column', [['city'], ['Oslo'], ['Rome']], ['city'], []],
    ['numbers', [[7], [8, 9]], ['A', 'B'], []],
    [
      'words for missing values',
      [
        ['a', 'n/a'],
        ['x', 'NA'],
        ['-', 'None'],
      ],
      ['a', 'n/a'],
      [],
    ],
  ])('finds the header: %s', async (title, rows, columns, left) => {
    const cellOf = (value: unknown) =>
      `<c${typeof value === 'string' ? ' t="str"' : ''}><v>${value}</v></c>`;
    const sheet = rows.map((row) => `<row>${row.map(cellOf).join('')}</row>`).join('');
    await writeWorkbook(`${title}.xlsx`, { S: sheet });
    const { tables, skipped } = await tableFiles.read(at(`${title}.xlsx`));
    expect((await describeFile(tables[0]!.path)).map(([name]) => name)).toEqual(columns);
    expect(skipped.map(({ reason }) => reason)).toEqual(left);
  });

  it.each([
    ['B1:C1', ['land', 'Sales 2020', 'Sales Q2'], ['North', '1', '2']],
    // One column: not a group.
    ['A1:A2', ['land', 'Sales', 'C'], [null, '2020', 'Q2']],
  ])('joins the names of groups and columns if %s is merged', async (merged, columns, first) => {
    const rows = [
      '<c t="str"><v>land</v></c><c t="str"><v>Sales</v></c>',
      '<c r="B2"><v>2020</v></c><c r="C2" t="str"><v>Q2</v></c>',
      '<c t="str"><v>North</v></c><c><v>1</v></c><c><v>2</v></c>',
    ];
    const sheet = rows.map((cells) => `<row>${cells}</row>`).join('');
    const made = parts({ S: sheet });
    const path = 'xl/worksheets/sheet0.xml';
    made[path] = made[path]!.replace(
      '</worksheet>',
      `<mergeCells count="1"><mergeCell ref="${merged}"/></mergeCells></worksheet>`,
    );
    await writeFile(at('groups.xlsx'), zip(made));
    const { tables, preview, remarks } = await tableFiles.read(at('groups.xlsx'));
    expect([preview.columns, preview.rows[0]]).toEqual([columns, first]);
    const types = (await describeFile(tables[0]!.path)).map(([, type]) => type);
    expect(types).toEqual(
      merged === 'B1:C1' ? ['VARCHAR', 'BIGINT', 'BIGINT'] : ['VARCHAR', 'BIGINT', 'VARCHAR'],
    );
    expect(remarks).toEqual([
      merged === 'B1:C1'
        ? 'S: the names are in the rows 1 and 2'
        : 'S: C is text, because its values have the types integer and text',
    ]);
  });

  it('has dates and amounts as texts in each sheet, which are read as such', async () => {
    const cells = (...values: string[]) =>
      `<row>${values.map((value) => `<c t="str"><v>${value}</v></c>`).join('')}</row>`;
    await writeWorkbook('texts.xlsx', {
      One: cells('day', 'zip') + cells('31.12.2023', '007') + cells('2024-01-15', '008'),
      Two: cells('money', 'k') + cells('€ 1,234.50', 'x') + cells('€ 3.00', 'y'),
    });
    const { tables, remarks } = await tableFiles.read(at('texts.xlsx'));
    const values = tables.map((table) =>
      query(`select * ${tableSource({ ...table, path: at(table.path) })}`),
    );
    expect(await Promise.all(values)).toEqual([
      [
        ['2023-12-31', '007'],
        ['2024-01-15', '008'],
      ],
      [
        [1234.5, 'x'],
        [3, 'y'],
      ],
    ]);
    expect(remarks).toEqual([
      'day: dates have the formats %d.%m.%Y and %Y-%m-%d; 31.12.2023 is read as 31 December',
      'Two: money: € 1,234.50 is read as 1234.50',
    ]);
  });

  it('is previewed with other choices, and makes no file', async () => {
    const cells = (...values: unknown[]) =>
      `<row>${values.map((value) => `<c t="str"><v>${value}</v></c>`).join('')}</row>`;
    await writeWorkbook('choices.xlsx', {
      One: cells('Group', 'Group') + cells('a', 'b') + cells('1', '2') + cells('3', 'x'),
      Two: '<row><c><f>1+1</f></c><c><v>5</v></c></row>',
    });
    const preview = async (choices: Record<string, string>) => {
      const read = await tableFiles.read(at('choices.xlsx'), { choices, preview: true });
      expect(read.tables).toHaveLength(1);
      return [read.preview.columns, read.preview.rows, read.remarks, read.skipped];
    };
    expect(await preview({ header: '2', 'type.b': 'BIGINT' })).toEqual([
      ['a', 'b'],
      [
        ['1', '2'],
        ['3', null],
      ],
      ['b: 1 value does not have the chosen type, and is missing'],
      [{ name: 'One', reason: 'above the header: Group / Group' }],
    ]);
    expect(await preview({ sheet: 'Two' })).toEqual([
      ['A', 'B'],
      [[null, '5']],
      [],
      [
        {
          name: 'Two',
          reason: '1 formula without a stored result. Save the workbook in Excel first',
        },
      ],
    ]);
    expect((await preview({ range: 'b2:B3', header: 'none' })).slice(0, 2)).toEqual([
      ['B'],
      [['b'], ['2']],
    ]);
    for (const [name, value, reason] of [
      ['sheet', 'Three', "can't be read with sheet = Three. Choose one of One, Two."],
      ['range', 'all', 'has no range all. Write it like B3:F200 or B:F.'],
      ['color', 'red', 'has no option color. Its options are sheet, range, header, type.Group,'],
    ] as const)
      await expect(preview({ [name]: value })).rejects.toThrow(`choices.xlsx ${reason}`);
    expect((await readdir(folder)).filter((name) => /^choices - /.test(name))).toEqual([]);
  });

  it('replaces its own files, and never those of others', async () => {
    await writeWorkbook('again.xlsx', { S: `${HEAD}<row><c><v>1</v></c></row>`, s: HEAD });
    await writeFile(at('again - s.parquet'), 'mine');
    const paths = async () =>
      (await tableFiles.read(at('again.xlsx'))).tables.map(({ path }) => path);
    const first = await paths();
    await writeWorkbook('again.xlsx', { S: `${HEAD}<row><c><v>2</v></c></row>`, s: HEAD });
    expect(await paths()).toEqual(first);
    expect(first).toEqual(['again - S.parquet', 'again - s-2.parquet']);
    expect(await rowsOf('again - S.parquet')).toEqual([['2', null]]);
    expect(await readFile(at('again - s.parquet'), 'utf8')).toBe('mine');
  });

  it('counts days from 1904 if it says so, and reads many rows of a growing width', async () => {
    const rows = Array.from({ length: 36_000 }, (_, row) =>
      row % 12_000 < 11_999
        ? `<row><c s="1"><v>${row}</v></c></row>`
        : `<row><c s="1"><v>${row}</v></c>${`<c><v>${row}</v></c>`.repeat(row / 12_000)}</row>`,
    );
    await writeWorkbook('1904.xlsx', { S: rows.join('') }, 'date1904="1"');
    const { tables } = await tableFiles.read(at('1904.xlsx'));
    expect(tables[0]).toMatchObject({ rows: 36_000, columns: 3 });
    expect(
      await query(`SELECT min("A"), max("A"), sum("B"), sum("C") FROM '${at('1904 - S.parquet')}'`),
    ).toEqual([['1904-01-01', '2002-07-24', '59998', '35999']]);
  });

  it('that is none, old, encrypted, damaged or empty is refused', async () => {
    await writeFile(at('text.xlsx'), 'a,b\n1,2\n');
    expect(await problemOf('text.xlsx')).toMatch(/^text\.xlsx isn't an Excel workbook, or it is/);
    await writeFile(at('word.xlsx'), zip({ '_rels/.rels': relations(), 'word/x.xml': '<x/>' }));
    expect(await problemOf('word.xlsx')).toBe("word.xlsx isn't an Excel workbook.");
    const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(4_000)]);
    await writeFile(at('old.xlsx'), compound);
    expect(await problemOf('old.xlsx')).toMatch(/old format \(\.xls\)\. Save it as \.xlsx\.$/);
    const encrypted = Buffer.concat([compound, Buffer.from('EncryptedPackage', 'utf16le')]);
    await writeFile(at('locked.xlsx'), encrypted);
    expect(await problemOf('locked.xlsx')).toMatch(/^locked\.xlsx is protected by a password\./);
    await writeWorkbook('damaged.xlsx', { S: '<row><c></row>' });
    expect(await problemOf('damaged.xlsx')).toMatch(/^damaged\.xlsx is damaged: /);
    await writeWorkbook('empty.xlsx', { S: '' });
    expect(await problemOf('empty.xlsx')).toBe('empty.xlsx has no sheet to read: S is empty.');
    await writeWorkbook('wide.xlsx', { S: '<row><c r="XFD1"><v>1</v></c></row>' });
    expect(await problemOf('wide.xlsx')).toBe(
      'wide.xlsx has no sheet to read: S has more than 2,000 columns.',
    );
    const entity = parts({ S: '' });
    entity['xl/workbook.xml'] = `<!DOCTYPE x [<!ENTITY a "b">]><workbook>&a;</workbook>`;
    await writeFile(at('entity.xlsx'), zip(entity));
    expect(await problemOf('entity.xlsx')).toMatch(/^entity\.xlsx is damaged: /);
  });

  it('that unpacks to more than the limit is refused, even if its list lies', async () => {
    const bomb = zip(parts({ S: `<row><c><v>${'1'.repeat(2 * LIMIT)}</v></c></row>` }));
    expect(bomb.length).toBeLessThan(LIMIT / 200);
    await writeFile(at('bomb.xlsx'), bomb);
    expect(await problemOf('bomb.xlsx')).toMatch(
      /^bomb\.xlsx has 134,21\d,\d{3} bytes when it is unpacked\. The limit .* is 67,108,864\./,
    );
    // The sizes in the list at the end of the file are set to 1,000.
    const liar = Buffer.from(bomb);
    for (let from = 0; ; from += 4) {
      from = liar.indexOf('504b0102', from, 'hex');
      if (from < 0) break;
      if (liar.readUInt32LE(from + 24) > LIMIT) liar.writeUInt32LE(1_000, from + 24);
    }
    await writeFile(at('liar.xlsx'), liar);
    expect(await problemOf('liar.xlsx')).toMatch(/^liar\.xlsx is damaged: too many bytes/);
    // A long text that many cells share.
    const shared = parts({
      S: `<row>${'<c t="s"><v>0</v></c>'.repeat(1_000)}</row>`.repeat(10),
    });
    shared['xl/sharedStrings.xml'] = `<sst><si><t>${'x'.repeat(30_000)}</t></si></sst>`;
    await writeFile(at('shared.xlsx'), zip(shared));
    expect(await problemOf('shared.xlsx')).toMatch(/^shared\.xlsx has more than 67,108,864 bytes/);
  });

  it('of one user delays those of others by one file [S95]', async () => {
    const order: string[] = [];
    const read = (asker: string) =>
      tableFiles.read(at('book.xlsx'), { asker, preview: true }).then(() => order.push(asker));
    await Promise.all(['eve', 'eve', 'eve', 'bob'].map(read));
    expect(order).toEqual(['eve', 'eve', 'bob', 'eve']);
  });

  it('that takes too long is given up, and the next one is read', async () => {
    const short = new TableFiles({ folder: join(folder, '.short'), bytes: LIMIT, limitMs: 1 });
    expect(await problemOf('book.xlsx', short)).toBe(
      'book.xlsx takes longer than 0.001 seconds to read. Save the part that you need as CSV.',
    );
    expect((await readdir(folder)).filter((name) => name.startsWith('.upload'))).toEqual([]);
    const abort = new AbortController();
    const aborted = tableFiles.read(at('book.xlsx'), { signal: abort.signal });
    abort.abort();
    const next = tableFiles.read(at('book.xlsx'));
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    expect((await next).tables.length).toBe(2);
  });
});

describe('a database', () => {
  const database = (name: string, sql: string) => {
    const opened = new Database(at(name));
    opened.exec(sql);
    opened.close();
  };

  it('becomes one Parquet file for each table, with types', async () => {
    database(
      'shop.sqlite',
      `CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, born DATE, vip BOOLEAN,
         credit REAL, photo BLOB, seen DATETIME, "any" , bad DATE);
       INSERT INTO customers VALUES (1, 'Ann', '1990-02-03', 1, 2.0, x'00ff', '2024-01-02 03:04:05',
         9007199254740993, '2024-02-31'), (2, NULL, NULL, 0, 0.5, NULL, NULL, 'x', '2024-02-28');
       CREATE TABLE "order lines"(id);
       CREATE VIEW rich AS SELECT * FROM customers;`,
    );
    const { tables, skipped, remarks } = await tableFiles.read(at('shop.sqlite'));
    expect(tables).toEqual([
      { name: 'customers', path: 'shop - customers.parquet', rows: 2, columns: 9, ...parquet },
      { name: 'order lines', path: 'shop - order lines.parquet', rows: 0, columns: 1, ...parquet },
    ]);
    expect(skipped).toEqual([{ name: 'rich', reason: 'is a view' }]);
    expect(remarks).toEqual([
      'customers: any is text, because its values have the types integer and text',
      'customers: bad is text, because its values have the types date and text',
    ]);
    expect((await describeFile('shop - customers.parquet')).map(([, type]) => type)).toEqual(
      'BIGINT VARCHAR DATE BOOLEAN DOUBLE BLOB TIMESTAMP VARCHAR VARCHAR'.split(' '),
    );
    expect(await rowsOf('shop - customers.parquet')).toEqual([
      [
        '1',
        'Ann',
        '1990-02-03',
        true,
        2,
        '\\x00\\xFF',
        '2024-01-02 03:04:05',
        '9007199254740993',
        '2024-02-31',
      ],
      ['2', null, null, false, 0.5, null, null, 'x', '2024-02-28'],
    ]);
    expect((await readdir(folder)).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  it('in WAL mode is read as well', async () => {
    database('wal.db', 'CREATE TABLE t(a); INSERT INTO t VALUES (1)');
    const bytes = await readFile(at('wal.db'));
    // Versions of the format for writing and reading: 2 is WAL.
    bytes.fill(2, 18, 20);
    await writeFile(at('wal.db'), bytes);
    expect((await tableFiles.read(at('wal.db'))).tables[0]).toMatchObject({ rows: 1 });
  });

  it('that is none, damaged or without tables is refused', async () => {
    await writeFile(at('text.db'), 'a,b\n');
    expect(await problemOf('text.db')).toBe(
      "text.db isn't an SQLite database, or it is encrypted.",
    );
    database('none.db', 'CREATE TABLE t(a); DROP TABLE t');
    expect(await problemOf('none.db')).toBe('none.db has no tables.');
    database('broken.db', 'CREATE TABLE t(a)');
    const bytes = await readFile(at('broken.db'));
    await writeFile(at('broken.db'), bytes.fill(0x7f, 100));
    expect(await problemOf('broken.db')).toMatch(/^broken\.db can't be read: .+\.$/);
  });

  it('with values beyond the limit, such as computed ones, is refused', async () => {
    database(
      'computed.db',
      `CREATE TABLE t(a, b GENERATED ALWAYS AS (hex(zeroblob(20000000))) VIRTUAL);
       INSERT INTO t(a) VALUES (1), (2), (3), (4);`,
    );
    expect(await problemOf('computed.db')).toMatch(/^computed\.db has more than 67,108,864 bytes/);
  });
});
