/** Messages between the server and a process of the SQL engine. */

import type { ResultQuery } from '@tiding/client/protocol';
import type { DatabaseTarget, WrittenDatabase } from '../../contract.ts';

/** A table with more cells is stored in a database file. A page reads fewer at once. */
export const MAX_ARROW_CELLS = 1_000_000;

/** Settings of the engine; see DuckDB's options of these names. */
export interface EngineLimits {
  readonly memory_limit: string;
  readonly threads?: string;
  /** Resident memory in bytes above which the process ends itself. */
  readonly processBytes: number;
}

/** How to open a database. */
export interface OpenOptions {
  readonly file: string;
  readonly temporaryFolder: string;
  /** File of the database that is attached as `shared`. Absent: there are no shared tables. */
  readonly sharedFile?: string;
  /** Whether errors are JSON with a position. Otherwise they are text that quotes the SQL. */
  readonly jsonErrors: boolean;
  readonly limits: EngineLimits;
  /** The only folders that the engine may access. Absent: it may access all files. */
  readonly onlyFolders?: readonly string[];
}

/** A request to the engine process. `connection` is a number that the server has chosen. */
export type EngineRequest =
  | { readonly call: 'open'; readonly options: OpenOptions }
  | {
      readonly call: 'configure';
      readonly limits: EngineLimits;
      readonly onlyFolders?: readonly string[];
    }
  | { readonly call: 'connect'; readonly connection: number; readonly schema?: string | undefined }
  | { readonly call: 'disconnect'; readonly connection: number }
  | {
      readonly call: 'run';
      readonly connection: number;
      readonly code: string;
      readonly limit: number;
      readonly fileFolders: readonly string[];
      readonly keep: boolean;
    }
  /** Without `connection`: runs on a new connection. */
  | { readonly call: 'query'; readonly connection?: number; readonly sql: string }
  | {
      readonly call: 'writeParquet';
      readonly query: string;
      readonly file: string;
      readonly schema?: string | undefined;
    }
  | {
      readonly call: 'readParquet';
      readonly name: string;
      readonly file: string;
      readonly schema?: string | undefined;
    }
  | { readonly call: 'dropSchema'; readonly schema: string }
  /** Opens a process for queries over stored tables, instead of a database. */
  | {
      readonly call: 'openResults';
      readonly temporaryFolder: string;
      readonly limits: EngineLimits;
    }
  /** Answers a query over the table in a database file with an Arrow stream. */
  | {
      readonly call: 'queryResult';
      readonly file: string;
      readonly rows: number;
      /** Time zones of the columns of instants: the engine stores none. */
      readonly zones: readonly (string | undefined)[];
      readonly query: ResultQuery;
    }
  /** Turns a Parquet file or an Arrow stream into a database file. */
  | {
      readonly call: 'importResult';
      readonly file: string;
      readonly isParquet: boolean;
      readonly target: DatabaseTarget;
    }
  /** Finds the tables that queries name, without running them; see `queryTables`. */
  | { readonly call: 'queryTables'; readonly queries: readonly string[] }
  /** Sends a range of rows as batches. */
  | {
      readonly call: 'readResult';
      readonly file: string;
      readonly offset: number;
      readonly limit: number;
    }
  /** Turns the tables of a workbook or database into Parquet files beside it. */
  | {
      readonly call: 'readTables';
      readonly file: string;
      /** Folder for temporary files, in the file system of the file. */
      readonly folder: string;
      /** Maximum size of the unpacked file, and of its values, in bytes. */
      readonly bytes: number;
      readonly processBytes: number;
      /** What to use instead of guesses, such as `delimiter: ';'`. */
      readonly choices: Readonly<Record<string, string>>;
      /** Reads one table for a preview; no file is made. */
      readonly preview: boolean;
    }
  | { readonly call: 'close' };

/** The Parquet files that were made from a workbook or database. */
export interface ReadTables {
  readonly tables: readonly {
    /** Name of the sheet or table. */
    readonly name: string;
    /** Name of the file, in the folder of the workbook or database. */
    readonly path: string;
    readonly rows: number;
    readonly columns: number;
    /** The SQL that reads it follows from these: see `tableSource` of the model. */
    readonly reader: string;
    readonly options: readonly string[];
    readonly converted: readonly string[];
  }[];
  /** Sheets and tables that were left out. */
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  /** What was guessed, such as the encoding of a text file. */
  readonly remarks: readonly string[];
  /** The guesses for the first table, and what can be chosen instead; no values: any text. */
  readonly guesses: readonly Guess[];
  /** The first rows of the first table. */
  readonly preview: Preview;
}

/** A guess. The type of a column has the name `type.<column>`. */
export interface Guess {
  readonly name: string;
  readonly value: string;
  readonly values: readonly string[];
}

/** The first rows of a table, as texts. */
export interface Preview {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** Answer to `readTables`. A problem continues the name of the file. */
export type ReadTablesAnswer = ReadTables | { readonly problem: string };

/** A piece of a run's output, in order. `table` numbers the tables of the run. */
export type OutputPiece =
  | { readonly kind: 'write'; readonly text: string }
  | { readonly kind: 'add'; readonly text: string }
  /** `schema`: an Arrow stream without rows. */
  | { readonly kind: 'begin'; readonly table: number; readonly schema: Uint8Array }
  | { readonly kind: 'whole'; readonly table: number }
  /** `rows`: stored so far. */
  | { readonly kind: 'storing'; readonly table: number; readonly rows: number }
  | {
      readonly kind: 'end';
      readonly table: number;
      readonly written?: WrittenDatabase | undefined;
    };

/** A table that was turned into a database file. */
export interface ImportedTable extends WrittenDatabase {
  /** The columns, as an Arrow stream without rows. */
  readonly schema: Uint8Array;
}

/** State of a stored table after a batch. */
export interface StoredState {
  readonly accepts: boolean;
  readonly length: number;
  readonly stopped: 'limit' | 'failure' | undefined;
  /** Answer to a request for a database file. */
  readonly target?: DatabaseTarget | undefined;
}

/** From the server to the engine process. */
export type ToEngine =
  | { readonly id: number; readonly request: EngineRequest }
  | { readonly cancel: number }
  /** Confirms output or a batch. The process sends no more before. */
  | { readonly confirm: number; readonly state?: StoredState };

/** From the engine process to the server. `id` is the id of the request. */
export type FromEngine =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string }
  | { readonly id: number; readonly progress: number }
  | { readonly id: number; readonly pieces: readonly OutputPiece[] }
  /** `batch`: an Arrow stream with one batch. Absent: requests a database file for the table. */
  | { readonly id: number; readonly table: number; readonly batch?: Uint8Array };

/** The process writes this to its standard error before it ends because of its memory. */
export const MEMORY_MARK = 'SQL engine: memory limit exceeded';
