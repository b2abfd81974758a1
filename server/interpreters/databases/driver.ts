/** What the database interpreters need from the driver of a kind of database. */
import type { SqlNames } from '../sql/complete.ts';
import type { SqlDialect } from '../sql/script.ts';
import type { TextColumn, TextRow } from './text-columns.ts';

/**
 * How the connection is encrypted. `prefer`: if the server supports it. `verify-full` also checks
 * the certificate and its host name.
 */
export const tlsModes = ['prefer', 'disable', 'require', 'verify-full'] as const;
export type TlsMode = (typeof tlsModes)[number];

/** Where to connect, and as whom. */
export interface ConnectionTarget {
  readonly host: string;
  readonly port: number;
  /** Name of the database, or the path of its file. */
  readonly database: string;
  readonly user: string;
  /** Absent: the server must not ask for one. */
  readonly password?: string | undefined;
  readonly tls: TlsMode;
  /** Certificates of authorities in PEM format. Empty: those of Node. */
  readonly authorities: string;
  readonly readOnly: boolean;
  /** URL of SQLAlchemy without a login. */
  readonly url?: string | undefined;
  /** Python packages that the URL needs. */
  readonly packages?: readonly string[] | undefined;
}

/** Reports a line of an installation and its progress in percent. */
export type InstallProgress = (line: string, percent: number) => void;

/** The result of a statement, of which rows are read in batches. */
export interface StatementResult {
  /** Absent: the statement returns no rows. */
  readonly columns?: readonly TextColumn[] | undefined;
  /** What the server says after the last row, such as `INSERT 0 3`. */
  readonly summary: string;
  /** Says after the last row what is not shown. */
  readonly notice?: string | undefined;
  /** Returns the next rows; fewer than `count` are the last ones. Must not follow the last ones. */
  read(count: number): Promise<readonly TextRow[]>;
  /** Skips the remaining rows. */
  close(): Promise<void>;
}

/** Reads the catalogue of a database without SQL of the server. */
export interface DatabaseInspector {
  /** Returns name and version after a round trip. */
  version(): Promise<string>;
  /** Returns rows as {@link DatabaseCatalogue.relations} does. */
  relations(search: string, limits: RelationLimits): Promise<readonly TextRow[]>;
  /** Selects the first rows of a table. */
  preview(place: FirstRows): Promise<StatementResult>;
}

/** A table of which the first rows are selected. */
export interface FirstRows {
  readonly schema: string;
  readonly table: string;
  readonly limit: number;
}

/** Maximum numbers of tables and of columns. */
interface RelationLimits {
  readonly tables: number;
  readonly columns: number;
}

/** A session of a database server. Statements run one after another. */
export interface DatabaseConnection {
  /** Whether the session has ended. */
  readonly isLost: boolean;
  readonly inTransaction: boolean;
  /** Called with each message of the server that is no error, such as `NOTICE: …`. */
  onNotice: ((text: string) => void) | undefined;
  /** Names for completion, read on this session. */
  readonly names: SqlNames;
  /** Reads the catalogue if the driver has no {@link DatabaseDriver.catalogue}. */
  readonly inspector?: DatabaseInspector;
  /** Prepares the session for a run. A run may have changed what the setting demands. */
  prepare(): Promise<void>;
  /** Starts a statement. A statement without rows has ended when the promise resolves. */
  execute(statement: string): Promise<StatementResult>;
  /** Asks the server to stop the current statement. Resolves when the server has the request. */
  cancel(): Promise<void>;
  /** Ends the session. It never rejects. */
  close(): Promise<void>;
  /** Ends the session without waiting for the server. Statements reject. */
  destroy(): void;
}

/** What an error means for users. */
export interface DatabaseProblem {
  readonly message: string;
  /** Offset of the mistake in the statement, in UTF-16 code units. */
  readonly position?: number | undefined;
  /** Further lines of the server, such as a hint. */
  readonly details?: readonly string[];
  /** What to do next. */
  readonly advice?: string | undefined;
  /** Why the statement ended, if not by its own fault. */
  readonly cause?: 'lost' | 'cancelled' | undefined;
}

/** Context of an error, for its advice. */
export interface ProblemContext {
  /** Name of the interpreter setting. */
  readonly setting: string;
  readonly target: ConnectionTarget;
  /** Whether the login is one of the user's credentials. */
  readonly isPersonal: boolean;
}

/** Statements about the catalogue of a kind of database. */
export interface DatabaseCatalogue {
  /** Selects name and version of the server. */
  readonly version: string;
  /**
   * Selects a row for each column of the first tables and views by schema and name: schema, table,
   * name in SQL, `table` or `view`, estimated rows, column, type, and 1 if it may be null.
   * @param search part of the schema, name or a column, in lower case; empty: all
   */
  relations(search: string, limits: RelationLimits): string;
  quote(name: string): string;
}

/** A kind of database. */
export interface DatabaseDriver {
  /** Name in texts, such as `PostgreSQL`. */
  readonly title: string;
  /** Protocols of its URLs, such as `postgresql:`; the first is shown. */
  readonly protocols: readonly [string, ...string[]];
  readonly defaultPort: number;
  /** Its databases are files: a setting has a path instead of an address and a login. */
  readonly isFile?: boolean;
  /** It never writes. */
  readonly isReadOnly?: boolean;
  /** A setting has a URL and Python packages instead of an address. */
  readonly isUrl?: boolean;
  readonly dialect: SqlDialect | ((target: ConnectionTarget) => SqlDialect);
  /** Absent: sessions have a {@link DatabaseConnection.inspector}. */
  readonly catalogue?: DatabaseCatalogue;
  /**
   * Installs what it needs to connect, and resolves at once if that is there. Absent: it needs
   * nothing. Calls with equal needs share an installation, which ends when the last one aborts.
   */
  install?(target: ConnectionTarget, signal: AbortSignal, progress: InstallProgress): Promise<void>;
  /** Connects; `signal` ends the attempt. */
  connect(target: ConnectionTarget, signal: AbortSignal): Promise<DatabaseConnection>;
  /** Returns a sentence that says why a statement can't run here, or undefined. */
  refuse?(statement: string, target: ConnectionTarget): string | undefined;
  /**
   * Returns a statement that selects rights of the login beyond the data, such as those to files of
   * the server; undefined: not known for this database.
   */
  powers?(target: ConnectionTarget): string | undefined;
  explain(error: unknown, context: ProblemContext, statement?: string): DatabaseProblem;
}
