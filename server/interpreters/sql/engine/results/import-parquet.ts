/** Turns the table of another interpreter, in a Parquet file, into a database file. */
import { statSync } from 'node:fs';
import * as api from '@duckdb/node-api';
import { Schema } from 'apache-arrow';
import type { DatabaseTarget } from '../../../contract.ts';
import { enumOrder } from '../../../table-text.ts';
import { quoteName, quoteText } from '../../script.ts';
import { arrowOf, streamOf } from '../arrow.ts';
import { inSlot, selectedNumber } from '../database.ts';
import { describe } from '../files/first-rows.ts';
import type { ImportedTable } from '../messages.ts';
import { arrowSchemaOf, withZone } from './parquet-types.ts';
import { STORED_TABLE } from './table-file.ts';

/** Memory for the conversion. */
const MEMORY_LIMIT = '512MiB';

/** Writes the rows up to the limit. Rejects if the database is larger than the limit. */
export async function importParquet(
  file: string,
  target: DatabaseTarget,
  signal: AbortSignal,
): Promise<ImportedTable> {
  const instance = await api.DuckDBInstance.create(target.file, { memory_limit: MEMORY_LIMIT });
  try {
    return await inSlot(instance, signal, async (connection) => {
      const source = `read_parquet(${quoteText(file)})`;
      const names = (await describe(connection, `from ${source}`)).map(({ name }) => name);
      const known = await arrowSchemaOf(connection, file);
      const list = names
        .map((name, index) => {
          const values = enumOrder(known?.fields[index]?.metadata)?.map(quoteText).join(', ');
          return `${quoteName(name)}${values ? `::ENUM(${values})` : ''} AS c${index}`;
        })
        .join(', ');
      await connection.run(
        `CREATE TABLE ${STORED_TABLE} AS SELECT ${list} FROM ${source} LIMIT ${target.rows}`,
      );
      await connection.run('CHECKPOINT');
      if (statSync(target.file).size > target.bytes)
        throw new Error('the table is larger than the limit');
      const { schema } = arrowOf(
        await connection.run(`SELECT * FROM ${STORED_TABLE} LIMIT 0`),
        names,
      );
      // The engine stores instants without their zone.
      const fields = schema.fields.map((field, index) => withZone(field, known?.fields[index]));
      return {
        rows: await selectedNumber(connection, `SELECT count(*) FROM ${STORED_TABLE}`),
        isCut: false,
        schema: streamOf(new Schema(fields)),
      };
    });
  } finally {
    instance.closeSync();
  }
}
