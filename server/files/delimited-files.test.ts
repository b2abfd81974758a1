/** Text files of all kinds give their values, and what was guessed is said. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableSource } from '@tiding/client/model';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { TableFiles } from './table-files.ts';

const folder = temporaryFolder();
const tableFiles = new TableFiles({ folder: join(folder, '.work'), bytes: 64 * 2 ** 20 });
const connection = await (await DuckDBInstance.create(':memory:')).connect();

/** Reads a file as its paragraph does. */
async function read(
  name: string,
  content: string | Uint8Array,
  choices: Readonly<Record<string, string>> = {},
) {
  await writeFile(join(folder, name), content);
  const { tables, remarks } = await tableFiles.read(join(folder, name), { choices });
  const [{ path, ...table }] = tables as [(typeof tables)[number]];
  const result = await connection.runAndReadAll(
    `select * ${tableSource({ ...table, path: join(folder, path) })}`,
  );
  return {
    columns: result.columnNames().map((column, at) => `${column} ${result.columnType(at)}`),
    rows: result.getRowsJson(),
    remarks,
    path,
  };
}

const start = (delimiter = 'comma', rest = 'header in line 1') =>
  `UTF-8, delimiter: ${delimiter}, ${rest}`;

const FILES: readonly (readonly [
  title: string,
  text: string,
  columns: readonly string[],
  rows: readonly string[],
  remarks: readonly string[],
])[] = [
  [
    'decimal commas and thousands',
    'artikel;preis;menge\nSchraube;1,25;1.000\nMutter;0,80;250\n',
    ['artikel VARCHAR', 'preis DOUBLE', 'menge BIGINT'],
    ['["Schraube",1.25,"1000"]', '["Mutter",0.8,"250"]'],
    [start('semicolon', 'header in line 1, decimal comma'), 'menge: 1.000 is read as 1000'],
  ],
  [
    'currencies, percent signs and the month first',
    'd,price,share\n01/13/2024,"$1,234.50",12.5%\n02/03/2024,$9.99,3%\n',
    ['d DATE', 'price DOUBLE', 'share DOUBLE'],
    ['["2024-01-13",1234.5,12.5]', '["2024-02-03",9.99,3]'],
    [
      start('comma', 'header in line 1, decimal point'),
      'd: 01/13/2024 is read as 13 January',
      'price: $1,234.50 is read as 1234.50',
      'share: 12.5% is read as 12.5',
    ],
  ],
  [
    'a name with quotes in a converted column',
    'n;"sold as ""net"""\nx;1,25\ny;0,80\n',
    ['n VARCHAR', 'sold as "net" DOUBLE'],
    ['["x",1.25]', '["y",0.8]'],
    [start('semicolon', 'header in line 1, decimal comma')],
  ],
  [
    'thousands of France',
    'a;b\n1 234,50;x\n12\u202f000,00;y\n',
    ['a DOUBLE', 'b VARCHAR'],
    ['[1234.5,"x"]', '[12000,"y"]'],
    [start('semicolon', 'header in line 1, decimal comma')],
  ],
  [
    'dates that can be read in two ways',
    'd,n\n01/02/2024,1\n03/04/2024,2\n',
    ['d DATE', 'n BIGINT'],
    ['["2024-02-01","1"]', '["2024-04-03","2"]'],
    [
      start(),
      'd: 01/02/2024 is read as 1 February. That is a guess: if the month is first, swap %d and %m',
    ],
  ],
  [
    'two formats of dates, and missing numbers',
    'd,n\n2024-01-02,1\n13.02.2024,NA\n',
    ['d DATE', 'n BIGINT'],
    ['["2024-01-02","1"]', '["2024-02-13",null]'],
    [
      start(),
      'd: dates have the formats %d.%m.%Y and %Y-%m-%d; 13.02.2024 is read as 13 February',
      'n: NA is a missing value',
    ],
  ],
  [
    'names of months, halves of days, lakhs and rupees',
    'd,t,v,w\n05-Jan-2024,1/13/2024 1:05 PM,"12,34,567.50",₹5.00\n' +
      '17-FEB-2024,1/14/2024 11:00 AM,"1,00,000.00",₹10.50\n',
    ['d DATE', 't TIMESTAMP', 'v DOUBLE', 'w DOUBLE'],
    [
      '["2024-01-05","2024-01-13 13:05:00",1234567.5,5]',
      '["2024-02-17","2024-01-14 11:00:00",100000,10.5]',
    ],
    [
      start('comma', 'header in line 1, decimal point'),
      't: 1/13/2024 1:05 PM is read as 13 January',
      'w: ₹5.00 is read as 5.00',
    ],
  ],
  [
    'dates of contradictory order',
    'd,v\n13/01/2024,1\n01/13/2024,2\n',
    ['d VARCHAR', 'v BIGINT'],
    ['["13/01/2024","1"]', '["01/13/2024","2"]'],
    [start(), 'd: some dates begin with the day and some with the month, so they stay text'],
  ],
  [
    'large ids, NaN and infinity',
    'id,x\n12345678901234567890,nan\n9007199254740993,-inf\n',
    ['id HUGEINT', 'x DOUBLE'],
    ['["12345678901234567890","NaN"]', '["9007199254740993","-Infinity"]'],
    [start()],
  ],
  [
    'leading zeros, versions and a code that looks missing',
    'zip,v,land\n01067,1.2.3,NA\n00501,1.2.10,NO\n',
    ['zip VARCHAR', 'v VARCHAR', 'land VARCHAR'],
    ['["01067","1.2.3","NA"]', '["00501","1.2.10","NO"]'],
    [start()],
  ],
  [
    'rows of other lengths',
    'a,b,c\n1,2,3\n4,5\n6,7,8,9\n',
    ['a BIGINT', 'b BIGINT', 'c BIGINT', 'column3 BIGINT'],
    ['["1","2","3",null]', '["4","5",null,null]', '["6","7","8","9"]'],
    [
      start(),
      '2 rows have another number of fields than the first (lines 3, 4): missing fields are ' +
        'empty, and there are 4 columns',
    ],
  ],
  [
    'a short row after a line break in quotes',
    'a,b\n1,"x\ny"\n2\n',
    ['a BIGINT', 'b VARCHAR'],
    ['["1","x\\ny"]', '["2",null]'],
    [
      start(),
      '1 row has another number of fields than the first (line 4): missing fields are empty, ' +
        'and there are 2 columns',
    ],
  ],
  [
    'titles above the header',
    'Report: sales\nCreated: 2024-05-01\n\nregion,sales\nNorth,10\nSouth,20\n',
    ['region VARCHAR', 'sales BIGINT'],
    ['["North","10"]', '["South","20"]'],
    [start('comma', 'header in line 4'), 'lines 1 to 3 are titles'],
  ],
  [
    'the first line of Excel',
    'sep=;\na;b\n1;2\n',
    ['a BIGINT', 'b BIGINT'],
    ['["1","2"]'],
    [start('semicolon', 'header in line 2'), 'line 1 is a title'],
  ],
  [
    'years as names',
    'land,2020,2021\nNO,1,2\n',
    ['land VARCHAR', '2020 BIGINT', '2021 BIGINT'],
    ['["NO","1","2"]'],
    [start()],
  ],
  [
    'no header',
    'North,10\nSouth,20\n',
    ['column0 VARCHAR', 'column1 BIGINT'],
    ['["North","10"]', '["South","20"]'],
    [start('comma', 'no header')],
  ],
  [
    'quotes inside fields',
    'a\tb\n1\t5" pipe\n2\t"quoted\n',
    ['a BIGINT', 'b VARCHAR'],
    ['["1","5\\" pipe"]', '["2","\\"quoted"]'],
    [start('tab'), 'quotes are read as text, because they do not enclose whole fields'],
  ],
  [
    'backslashes before quotes',
    'a,b\n"x\\"y",1\n',
    ['a VARCHAR', 'b BIGINT'],
    ['["x\\"y","1"]'],
    [start()],
  ],
  [
    'other delimiters in quotes',
    'id,t\n1,"a; b"\n2,"c; d"\n',
    ['id BIGINT', 't VARCHAR'],
    ['["1","a; b"]', '["2","c; d"]'],
    [start()],
  ],
  [
    'one column of texts',
    'note\nhello, you\nfoo\nbar\n',
    ['note VARCHAR'],
    ['["hello, you"]', '["foo"]', '["bar"]'],
    [start('semicolon')],
  ],
  [
    'titles, a longer row and line breaks in quotes',
    'Report\r\n\r\na,a,d\r\n1,"x\r\ny",13/01/2024\r\n2,z,14/01/2024,9\r\n',
    ['a BIGINT', 'a_1 VARCHAR', 'd DATE', 'column3 BIGINT'],
    ['["1","x\\r\\ny","2024-01-13",null]', '["2","z","2024-01-14","9"]'],
    [
      start('comma', 'header in line 3'),
      'lines 1 to 2 are titles',
      '1 row has another number of fields than the first (line 6): missing fields are empty, ' +
        'and there are 4 columns',
      'd: 13/01/2024 is read as 13 January',
    ],
  ],
  [
    'comments',
    '# by hand\na|b\n# x, y\n1|2\n3|"C#"\n# end\n',
    ['a BIGINT', 'b VARCHAR'],
    ['["1","2"]', '["3","C#"]'],
    [
      start('vertical bar', 'header in line 2'),
      '2 lines that begin with # are comments and left out',
      'line 1 is a title',
    ],
  ],
  [
    'a # in other rows, which the engine would cut',
    'a|b\n# x\n1|C# 7\n',
    ['a VARCHAR', 'b VARCHAR'],
    ['["# x",null]', '["1","C# 7"]'],
    [
      start('vertical bar'),
      '1 row has another number of fields than the first (line 2): missing fields are empty, ' +
        'and there are 2 columns',
    ],
  ],
  [
    'numbers between spaces',
    'a b c\n1 2 3.5\n',
    ['a BIGINT', 'b BIGINT', 'c DOUBLE'],
    ['["1","2",3.5]'],
    [start('space')],
  ],
  [
    'numbers of sections',
    's,n\n1-2-24,1\n',
    ['s VARCHAR', 'n BIGINT'],
    ['["1-2-24","1"]'],
    [start()],
  ],
  [
    'decimal commas and longer rows',
    'k;v\n1,5;1.234,50\n2,5;2,5;3\n3,5;4,5;5\n',
    ['k DOUBLE', 'v DOUBLE', 'column2 BIGINT'],
    ['[1.5,1234.5,null]', '[2.5,2.5,"3"]', '[3.5,4.5,"5"]'],
    [
      start('semicolon', 'header in line 1, decimal comma'),
      '2 rows have another number of fields than the first (lines 3, 4): missing fields are ' +
        'empty, and there are 3 columns',
    ],
  ],
  [
    'lines that end in two ways',
    'a,b\r\n1,"x ""y"""\n3,"a\r\nb"\r\n5,z\n',
    ['a BIGINT', 'b VARCHAR'],
    ['["1","x \\"y\\""]', '["3","a\\r\\nb"]', '["5","z"]'],
    [start()],
  ],
  ['lines of an old Mac', 'a,b\r1,2\r', ['a BIGINT', 'b BIGINT'], ['["1","2"]'], [start()]],
];

describe('a text file', () => {
  it.each(FILES)('has %s', async (title, text, columns, rows, remarks) => {
    const name = `${title}.csv`;
    const made = await read(name, text);
    expect(made).toEqual({ ...made, columns, remarks, path: name });
    expect(made.rows.map((row) => JSON.stringify(row))).toEqual(rows);
  });

  const german = 'ort;wert\nKöln;1,5\nGröße;2\n';
  const utf16 = Buffer.from(`\ufeff${german}😀;3\n`, 'utf16le');
  it.each([
    ['Latin-1', Buffer.from(german, 'latin1'), ''],
    ['Windows-1252', Buffer.concat([Buffer.from(german, 'latin1'), Buffer.of(0x80, 59, 52)]), '€'],
    ['UTF-16LE', utf16, '😀'],
    ['UTF-16BE', Buffer.from(utf16).swap16(), '😀'],
  ])('can be in %s', async (encoding, bytes, last) => {
    const made = await read(`${encoding}.csv`, bytes);
    expect(made.rows.map(([place]) => place)).toEqual(['Köln', 'Größe', last].filter(Boolean));
    expect(made.remarks?.[0]).toBe(
      `${encoding}, delimiter: semicolon, header in line 1, decimal comma`,
    );
    expect(made.path).toBe(`${encoding} - UTF-8.csv`);
    expect(await readFile(join(folder, made.path), 'utf8')).not.toContain('\ufffd');
    expect((await read(`${encoding}.csv`, bytes)).path).toBe(made.path);
  });

  it.each<[Record<string, string>, text: string, columns: string[], rows: unknown[][]]>([
    [{ dates: 'month' }, 'd\n01/02/2024\n', ['d DATE'], [['2024-01-02']]],
    [{ decimal: ',' }, 'a;b\n1.234;x\n', ['a BIGINT', 'b VARCHAR'], [['1234', 'x']]],
    [{ decimal: '.' }, 'a;b\n1.234;x\n', ['a DOUBLE', 'b VARCHAR'], [[1.234, 'x']]],
    [{ comment: 'none' }, 'a,b\n#x\n', ['a VARCHAR', 'b VARCHAR'], [['#x', null]]],
    [{ delimiter: ':' }, 'a:b\n1:2\n', ['a BIGINT', 'b BIGINT'], [['1', '2']]],
    [{ quotes: 'single' }, "a;b\n'x;''y';1\n", ['a VARCHAR', 'b BIGINT'], [["x;'y", '1']]],
    [{ quotes: 'none' }, 'a,b\n"x,y"\n', ['a VARCHAR', 'b VARCHAR'], [['"x', 'y"']]],
    [
      { header: 'none' },
      'a,b\nc,d\n',
      ['column0 VARCHAR', 'column1 VARCHAR'],
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [{ header: '2' }, 'x,y\na,b\n1,2\n', ['a BIGINT', 'b BIGINT'], [['1', '2']]],
    [{ 'type.a': 'VARCHAR' }, 'a,b\n1.50,2\n', ['a VARCHAR', 'b BIGINT'], [['1.50', '2']]],
    [{ 'type.a': 'BIGINT' }, 'a,b\n"1,234 €",2\n', ['a BIGINT', 'b BIGINT'], [['1234', '2']]],
    [{ encoding: 'UTF-8' }, 'a,b\né,2\n', ['a VARCHAR', 'b BIGINT'], [['é', '2']]],
  ])('is read with %o', async (choices, text, columns, rows) => {
    expect(await read('chosen.csv', text, choices)).toMatchObject({ columns, rows });
  });

  it('shows a guess for an unknown encoding in a preview, and reads the chosen one', async () => {
    const file = join(folder, 'words.csv');
    await writeFile(file, Buffer.from('a,b\n\xcf\xf0\xe8\xe2\xe5\xf2,1\n', 'latin1'));
    const { preview, remarks } = await tableFiles.read(file, { preview: true });
    expect(preview.rows).toEqual([['Привет', '1']]);
    expect(remarks.at(-1)).toMatch(/^The encoding was not recognized/);
    expect((await readdir(folder)).filter((name) => name.startsWith('words'))).toHaveLength(1);
    const choices = { encoding: 'Windows-1251' };
    expect((await read('words.csv', await readFile(file), choices)).rows).toEqual([
      ['Привет', '1'],
    ]);
    await expect(
      tableFiles.read(file, { choices: { header: '9', encoding: 'Latin-1' } }),
    ).rejects.toThrow('words.csv has no rows from line 9 on.');
    await expect(tableFiles.read(file, { choices: { encoding: 'UTF-8' } })).rejects.toThrow(
      'words.csv is not in UTF-8. Choose another encoding.',
    );
  });

  it.each([
    ['packed.csv.gz', 'a,b\n1,2\n', 'packed.csv.gz'],
    ['packed.json.gz', '[{"a": 1, "b": 2}]', 'packed.json.gz'],
    ['lines.jsonl', '{"a": 1}\n\n{"b": 2, "a": 3}\n', 'lines.jsonl'],
    ['packed.ndjson.gz', '{"a": 1, "b": 2}\n', 'packed.ndjson.gz'],
    ['latin.tsv.gz', 'a\tb\n1\t2\n\xe9\t3\n', 'latin - UTF-8.tsv'],
    ['bom.json', '\xef\xbb\xbf[{"a": 1, "b": 2}]', 'bom - UTF-8.json'],
    ['wide.json', '\xff\xfe[\0{\0"\0a\0"\0:\x001\0}\0]\0', 'wide - UTF-8.json'],
  ])('can be packed, or JSON with a mark: %s', async (name, text, path) => {
    const bytes = Buffer.from(text, 'latin1');
    const made = await read(name, name.endsWith('.gz') ? gzipSync(bytes) : bytes);
    expect([made.path, made.rows[0]!.map(String).slice(0, 1)]).toEqual([path, ['1']]);
  });

  it('has a list of objects in one object, which has a remark', async () => {
    const { remarks, rows } = await read('api.json', '{"n": 1, "items": [{"a": 1}, {"a": 2}]}');
    expect(rows).toHaveLength(1);
    expect(remarks).toEqual([
      'items is a list of objects: select unnest("items", max_depth := 2) gives a row for each',
    ]);
  });

  it('keeps all digits of whole numbers of JSON', async () => {
    const long = '123456789012345678901234';
    const row = (id: string) => `{"id": ${id}, "x": 1.5, "deep": {"it's": [${id}]}, "y": 1e30}`;
    const made = await read('long.json', `[${row(long)}, ${row('-7')}]`);
    expect(made.columns).toEqual(['id HUGEINT', 'x DOUBLE', 'deep VARCHAR', 'y DOUBLE']);
    expect(made.rows[0]).toEqual([long, 1.5, `{"it's":[${long}]}`, 1e30]);
    const longest = await read('longest.ndjson', `{"id": 1${'0'.repeat(50)}}\n{"id": 2}\n`);
    expect([longest.columns, longest.rows]).toEqual([
      ['id VARCHAR'],
      [[`1${'0'.repeat(50)}`], ['2']],
    ]);
  });

  it('never loses a copy that somebody changed', async () => {
    await writeFile(join(folder, 'mine - UTF-8.csv'), 'mine');
    expect((await read('mine.csv', Buffer.from(german, 'latin1'))).path).toBe('mine - UTF-8-2.csv');
    expect(await readFile(join(folder, 'mine - UTF-8.csv'), 'utf8')).toBe('mine');
  });

  it('keeps a longer row behind the rows that the engine samples', async () => {
    const rows = Array.from({ length: 21_000 }, (_, at) => `${at},${at}`);
    const made = await read('late.csv', ['a,b', ...rows, '1,2,3', ''].join('\n'));
    expect(made.rows.at(-1)).toEqual(['1', '2', '3']);
    expect(made.rows).toHaveLength(21_001);
  });

  it.each([
    [
      'Cyrillic.csv',
      Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]),
      /encoding .* save it as UTF-8/,
    ],
    ['ends.csv', 'a,b\n1,"x"\r5,z\n', /^ends.csv has 1 line that ends with a carriage return/],
    ['none.csv', '', /^none.csv is empty\.$/],
    ['plain.csv.gz', 'a,b', /^plain.csv.gz is not a gzip file, or it is damaged\.$/],
    ['bomb.json.gz', gzipSync(Buffer.alloc(65 * 2 ** 20)), /more than 67,108,864 bytes when it is/],
    ['book.csv', Buffer.from('PK\x03\x04'), /is not a text file/],
  ])('is refused with a reason: %s', async (name, content, reason) => {
    await expect(read(name, content)).rejects.toThrow(reason);
  });
});
