/** Workbooks and databases, whose tables the server turns into Parquet files. */
import type { Client, FileTables } from '@tiding/client';
import { paragraphFor } from './data-files.ts';

/** The paragraph that reads the tables of a file. */
export interface TablesParagraph {
  readonly text: string;
  /** Path of the first table in code. */
  readonly path: string;
}

/**
 * Makes the Parquet files and returns the paragraph that reads them: a list of the tables, and the
 * rows and a profile of the first one.
 * @param owner what the path begins with, which code leaves out
 */
export async function readFileTables(
  client: Client,
  path: string,
  owner: string,
  signal?: AbortSignal,
): Promise<TablesParagraph> {
  const { tables, skipped } = await client.files.readTables(path, signal ? { signal } : {});
  return paragraphForTables(path.slice(owner.length), {
    tables: tables.map((table) => ({ ...table, path: table.path.slice(owner.length) })),
    skipped,
  });
}

/** Returns the paragraph for the tables of a file; their paths are those in code. */
export function paragraphForTables(file: string, { tables, skipped }: FileTables): TablesParagraph {
  const path = tables[0]?.path ?? '';
  const { rows: count = 0, columns = 0 } = tables[0] ?? {};
  const [language, ...rows] = (paragraphFor(path, count * columns) ?? '').split('\n');
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
  const leftOut = skipped.map(({ name, reason }) => `-- Left out: ${oneLine(name)} ${reason}`);
  return { path, text: [language, ...leftOut, ...list, ...rows].join('\n') };
}

const oneLine = (name: string): string => name.replace(/\s+/g, ' ');
