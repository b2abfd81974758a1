/** Messages between the server and a process that has a database file open. */
import type { TextColumn, TextRow } from '../text-columns.ts';

/** Kinds of database files. */
export type FileKind = 'duckdb' | 'sqlite';

/** What the process opens; its argument, as JSON. */
export interface OpenFile {
  readonly kind: FileKind;
  readonly file: string;
  readonly readOnly: boolean;
  readonly temporaryFolder: string;
  /** Memory of the engine, and of the process, in MB. */
  readonly megabytes: number;
}

/** Result of a statement. Its rows are read by further requests. */
export interface StartedStatement {
  readonly columns?: readonly TextColumn[] | undefined;
  readonly summary: string;
}

/** What a session is asked. `open` waits until the file is open. */
export type FileRequest =
  | { readonly call: 'open' | 'interrupt' | 'skip' | 'close' }
  | { readonly call: 'execute'; readonly sql: string; readonly readOnly: boolean }
  | { readonly call: 'read'; readonly count: number };

/** A request to the process. */
export interface ToFile {
  readonly id: number;
  readonly session: number;
  readonly request: FileRequest;
}

/** The answer to a request. */
export type FromFile =
  | { readonly id: number; readonly value?: StartedStatement | readonly TextRow[] | undefined }
  | { readonly id: number; readonly error: string };

/** A session, as the process has it. */
export interface FileSession {
  execute(sql: string, readOnly: boolean): Promise<StartedStatement>;
  read(count: number): Promise<readonly TextRow[]>;
  skip(): Promise<void>;
  interrupt(): void;
  close(): void;
}

/** An open file, as the process has it. */
export interface FileEngine {
  connect(): Promise<FileSession>;
}

/** Error of a statement that would change a file that is only read. */
export const READ_ONLY = 'This connection only reads.';
