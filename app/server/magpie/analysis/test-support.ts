/** For the tests of this folder: a session on a real engine in memory. */
import { DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import { formatValue } from '../../interpreters/sql-format.ts';
import { errorText, interruptible } from '../../interpreters/sql-engine.ts';
import { ExecutionError, type AnswerValue, type Engine } from '../contract.ts';

/** A session with the statements it was given; close it at the end. */
export interface TestEngine extends Engine {
  readonly statements: string[];
  close(): void;
}

/** Opens an empty database in memory. */
export async function memoryEngine(): Promise<TestEngine> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  const statements: string[] = [];
  return {
    statements,
    query: async (sql, signal) => {
      statements.push(sql);
      try {
        const reader = await interruptible(connection, signal, () => connection.runAndReadAll(sql));
        const types = reader.columnTypes();
        return {
          columns: reader.columnNames().map((name, at) => ({ name, type: String(types[at]) })),
          rows: reader.getRows().map((row) => row.map(valueOf)),
        };
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        throw new ExecutionError(errorText(error));
      }
    },
    close: () => {
      connection.disconnectSync();
      instance.closeSync();
    },
  };
}

function valueOf(value: DuckDBValue): AnswerValue {
  if (
    value === null ||
    typeof value === 'boolean' ||
    typeof value === 'number' ||
    typeof value === 'string'
  )
    return value;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return formatValue(value);
}
