/** How the engine reads a table of a file. */
export interface TableReading {
  /** Name of the file in code. */
  readonly path: string;
  /** Function of the engine, such as `read_csv`. */
  readonly reader: string;
  /** Its options, such as `delim = ';'`. */
  readonly options: readonly string[];
  /** Columns that are converted, such as `"a"::date as "a"`. */
  readonly converted: readonly string[];
}

/** Returns the SQL after `select …` that reads a table of a file. */
export function tableSource({ path, reader, options, converted }: TableReading): string {
  const file = `'${path.replaceAll("'", "''")}'`;
  const read = `from ${reader}(${[file, ...options].join(', ')})`;
  if (converted.length === 0) return read;
  return `from (select * replace (\n  ${converted.join(',\n  ')}\n) ${read})`;
}
