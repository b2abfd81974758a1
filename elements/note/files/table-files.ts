/** Paragraphs that read data files, after the server has found out how. */
import type { Client, FileTables, ReadTablesOptions } from '@tiding/client';
import { tableSource } from '@tiding/client/model';
import { profileSql } from './profile-sql.ts';

export interface TablesParagraph {
  readonly text: string;
  /** The SQL that reads the first table. */
  readonly source: string;
}

/**
 * Has the server examine a file. The paths of the answer are those in code.
 * @param owner what the path begins with, which code leaves out
 */
export async function readFileTables(
  client: Client,
  path: string,
  owner: string,
  options: ReadTablesOptions = {},
): Promise<FileTables> {
  const { tables, ...rest } = await client.files.readTables(path, options);
  return {
    ...rest,
    tables: tables.map((table) => ({ ...table, path: table.path.slice(owner.length) })),
  };
}

/**
 * Returns the paragraph for the tables of a file: a list of the tables, the first rows of the first
 * one, and a profile of its columns: type, range, distinct values, missing values.
 */
export function paragraphForTables(
  file: string,
  { tables, skipped, remarks }: Pick<FileTables, 'tables' | 'skipped' | 'remarks'>,
): TablesParagraph {
  const [first] = tables as [FileTables['tables'][number]];
  const source = tableSource(first);
  const list =
    tables.length === 1
      ? []
      : [
          `-- The tables of ${file}`,
          'select parse_filename(file_name) as "file", num_rows as "rows"',
          'from parquet_file_metadata([',
          tables.map((table) => `  '${table.path}'`).join(',\n'),
          ']);',
          '',
        ];
  const comments = [
    ...remarks,
    ...skipped.map(({ name, reason }) => `Left out: ${name} ${reason}`),
  ].map(
    (line, index) =>
      `-- ${index === 0 && first.reader === 'read_csv' ? `${file}: ` : ''}${oneLine(line)}`,
  );
  const rows = [
    `select * ${source} limit 1000;`,
    '',
    '-- The columns',
    profileSql(source, first.rows * first.columns),
    '',
  ];
  return { source, text: ['%sql', ...comments, ...list, ...rows].join('\n') };
}

const oneLine = (name: string): string => name.replace(/\s+/g, ' ');
