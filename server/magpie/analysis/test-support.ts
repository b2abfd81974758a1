/** Test support: a session on a real in-memory engine. */
import { DuckDBInstance } from '@duckdb/node-api';
import { errorText, interruptible } from '../../interpreters/sql/engine/database.ts';
import { resultValueOf } from '../../interpreters/sql/engine/format.ts';
import { type Engine, ExecutionError } from '../contract.ts';

/** An engine that records its statements. Close it at the end. */
export interface TestEngine extends Engine {
  readonly statements: string[];
  close(): void;
}

/** Opens an empty in-memory database. */
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
          rows: reader.getRows().map((row) => row.map(resultValueOf)),
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
