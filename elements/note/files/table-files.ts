/** Text files that the server examines; workbooks and databases, which become Parquet files. */
import type { Client, FileTables } from '@tiding/client';
import { paragraphFor, sourceOf } from './data-files.ts';

export interface TablesParagraph {
  readonly text: string;
  /** The SQL that reads the first table. */
  readonly source: string | undefined;
}

/**
 * Has the server examine a file and returns the paragraph that reads it: a list of the tables, and
 * the rows and a profile of the first one.
 * @param owner what the path begins with, which code leaves out
 */
export async function readFileTables(
  client: Client,
  path: string,
  owner: string,
  signal?: AbortSignal,
): Promise<TablesParagraph> {
  const { tables, ...rest } = await client.files.readTables(path, signal ? { signal } : {});
  return paragraphForTables(path.slice(owner.length), {
    tables: tables.map((table) => ({ ...table, path: table.path.slice(owner.length) })),
    ...rest,
  });
}

/** Returns the paragraph for the tables of a file; their paths are those in code. */
export function paragraphForTables(
  file: string,
  { tables, skipped, remarks = [] }: FileTables,
): TablesParagraph {
  const { path = '', rows: count = 0, columns = 0, options, converted = [] } = tables[0] ?? {};
  const source = options ? textSource(path, options, converted) : sourceOf(path);
  const [language, ...rows] = (paragraphFor(path, count * columns, source) ?? '').split('\n');
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
  ].map((line, index) => `-- ${index === 0 && options ? `${file}: ` : ''}${oneLine(line)}`);
  return { source, text: [language, ...comments, ...list, ...rows].join('\n') };
}

/** Returns the SQL that reads a text file with these options. */
function textSource(path: string, options: readonly string[], converted: readonly string[]) {
  const read = `from read_csv('${path}', ${options.join(', ')})`;
  if (converted.length === 0) return read;
  return `from (select * replace (\n  ${converted.join(',\n  ')}\n) ${read})`;
}

const oneLine = (name: string): string => name.replace(/\s+/g, ' ');
