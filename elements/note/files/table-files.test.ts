import { same } from '../../result/test-support.tsx';
import { hasTables, isDataFile } from './data-files.ts';
import { profileSql } from './profile-sql.ts';
import { paragraphForTables } from './table-files.ts';

const table = (name: string) => ({
  ...{ name, path: `b - ${name}.parquet`, rows: 1, columns: 1 },
  ...{ reader: 'read_parquet', options: [], converted: [] },
});
const first =
  "select * from read_parquet('b - One.parquet') limit 1000;\n\n-- The columns\n" +
  `${profileSql("from read_parquet('b - One.parquet')")}\n`;

describe('the paragraph of a workbook or database', () => {
  it('lists the tables and reads the first one', () => {
    same(
      paragraphForTables('b.xlsx', {
        tables: [table('One'), table('Two')],
        skipped: [],
        remarks: [],
      }),
      {
        source: "from read_parquet('b - One.parquet')",
        text:
          '%sql\n-- The tables of b.xlsx\nselect parse_filename(file_name) as "file", ' +
          'num_rows as "rows"\nfrom parquet_file_metadata([\n' +
          `  'b - One.parquet',\n  'b - Two.parquet'\n]);\n\n${first}`,
      },
    );
  });

  it('has no list for one table, and names what was left out in one line each', () => {
    const skipped = [{ name: 'A\nB', reason: 'is empty' }];
    same(
      paragraphForTables('b.xlsx', { tables: [table('One')], skipped, remarks: [] }).text,
      `%sql\n-- Left out: A B is empty\n${first}`,
    );
  });

  it('is for files of certain types', () => {
    same(['a.XLSX', 'a.b.sqlite3', 'a.xls', 'a.csv', 'db'].map(hasTables), [
      true,
      true,
      false,
      true,
      false,
    ]);
    same(['a.db', 'a.csv', 'a.arrow', 'a.xls'].map(isDataFile), [true, true, true, false]);
  });
});
