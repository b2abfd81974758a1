/**
 * What the server asks of an interpreter. One file an interpreter, one line in `index.ts`; nothing else changes.
 *
 * The server owns queueing, statuses, forms, permissions and storage. An interpreter runs text and says what it prints.
 */
import type { RecordBatch, Schema } from 'apache-arrow';
import type { Completion, EditorSetting } from 'tiding/protocol';
import type { Magpie } from '../magpie/index.ts';

/** Describes an interpreter and makes running instances of it. */
export interface InterpreterSpec {
  /** The magic without `%`, also the id and name of its setting: `sql`, `python`. */
  readonly name: string;
  /** Other magics that mean the same, for example `duckdb` for `sql`. */
  readonly aliases?: readonly string[];
  readonly editor: EditorSetting;
  /** Runs arbitrary programs with the rights of the server's account; off where several people sign in. */
  readonly shell?: boolean;
  /** Instances made on one folder share one engine, each with a session of its own; absent: each instance is a process. */
  readonly sessions?: boolean;
  /** Each user has a session of his own on each note unless its setting says otherwise; absent: all share one. */
  readonly scoped?: boolean;
  /** What an administrator may set; {@link InterpreterHost.properties} has the values. */
  readonly properties?: readonly InterpreterProperty[];
  /**
   * Fetches what a setting depends on into its folder, before its instances run. Rejects with one sentence, or with the
   * signal's reason. Absent: the interpreter takes no dependencies.
   */
  install?(place: InstallPlace): Promise<void>;
  /** Makes an instance; cheap. Whatever takes time happens in the first `run` (or `prepare`). */
  create(host: InterpreterHost): Interpreter;
}

/** Kinds of properties, as the protocol names them. */
export const propertyTypes = [
  'textarea',
  'string',
  'number',
  'url',
  'password',
  'checkbox',
] as const;

/** A property of an interpreter. */
export interface InterpreterProperty {
  readonly name: string;
  readonly type: (typeof propertyTypes)[number];
  readonly defaultValue: string;
  readonly description: string;
  /** What is wrong with a value, as a sentence; undefined where it is good. */
  check?(value: string): string | undefined;
}

/** Where and what to install. */
export interface InstallPlace {
  /** Folder of the setting. Absolute. */
  readonly folder: string;
  readonly dependencies: readonly string[];
  /** Where to look, beside the interpreter's own places. */
  readonly repositories: readonly PackageRepository[];
  readonly properties: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** A place that packages are read from; `url` starts with http://, https:// or file://. */
export interface PackageRepository {
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
}

/** What the server gives an interpreter. */
export interface InterpreterHost {
  /** Folder for the interpreter's own files (environments, databases); it exists. Absolute. */
  readonly folder: string;
  /** Folder of its setting, shared by all instances: what was installed is there. Absolute. */
  readonly settingFolder: string;
  /** Dependencies of its setting, installed. */
  readonly dependencies: readonly string[];
  /** Values of the spec's properties, defaults filled in. */
  readonly properties: Readonly<Record<string, string>>;
  /** A login of the person whose run is going on. Throws with a sentence where there is none, or where others share the instance. */
  credential(entity: string): { readonly username: string; readonly password: string };
  /**
   * Where Spark computes: the current cluster of the one person whom the instance serves, asked when its process starts; undefined: in
   * the process. Rejects with a sentence where that cluster does not run.
   */
  spark(): Promise<SparkPlace | undefined>;
  /** Folder of the users' data files, the working directory of code that runs. Absolute. */
  readonly files: string;
  /** `true`: the engine may read and write files anywhere the server's account may; `false`: only `files`. */
  readonly openFiles: boolean;
  /** The platform of the server, for the interpreter of its language. Absent: there is none. */
  readonly magpie?: Magpie | undefined;
  /** Tables shared between interpreters; see {@link TableExchange}. */
  readonly tables: TableExchange;
  /** Shown as the status of the interpreter's setting. */
  setStatus(status: 'READY' | 'DOWNLOADING_DEPENDENCIES' | 'ERROR', reason?: string): void;
  /** One structured log line; never user data. */
  log(message: string, fields?: Record<string, unknown>): void;
}

/** A Spark master that drivers connect to. */
export interface SparkPlace {
  /** `spark://host:port`; holds no blanks and quotes. */
  readonly master: string;
  /** What drivers have in their environment for it. */
  readonly variables: Readonly<Record<string, string>>;
  /** Whether its workers are on this machine, with the programs that are here. */
  readonly sameMachine: boolean;
}

/** Tables by name between interpreters, as Parquet files that only the server's account can read. */
export interface TableExchange {
  /**
   * Registers who can write tables as Parquet (the SQL engine). `query` is a table name or a SELECT.
   * `write` rejects with the engine's message when there is no such table. `signal` stops the work.
   */
  setOwner(owner: {
    write(query: string, file: string, signal?: AbortSignal): Promise<void>;
    read(name: string, file: string, signal?: AbortSignal): Promise<void>;
  }): void;
  /**
   * Writes a table (by name, or the answer of a SELECT) to a new Parquet file and returns its absolute path.
   * Who asked removes the file after reading it.
   */
  exportTable(query: string, signal?: AbortSignal): Promise<string>;
  /**
   * Makes the Parquet file readable by every interpreter under `name`, replacing what had that name.
   * A file from `newFile` is removed, also on failure.
   */
  importTable(name: string, file: string, signal?: AbortSignal): Promise<void>;
  /** A path for a Parquet file that does not exist yet. */
  newFile(): string;
}

/** A running instance. Runs are given one after another; `complete` may come at any time. */
export interface Interpreter {
  /**
   * Runs `code` (magic removed). Resolves when the run is over, also on failure: rejects only for faults of the
   * interpreter itself. After `signal` aborts, the work must really stop and the promise settle within 2 s.
   */
  run(run: Run): Promise<RunEnd>;
  /** Completion at `cursor` (0-based offset into `code`), for somebody on a note. Resolves `[]` where there is none. */
  complete?(
    code: string,
    cursor: number,
    caller?: Pick<Run, 'noteId' | 'principal'>,
  ): Promise<Completion[]>;
  /** Ends processes and frees resources; resolves when nothing is left. */
  close(): Promise<void>;
}

/** One run. */
export interface Run {
  /** The script without its magic. */
  readonly code: string;
  /** `code` holds passwords: it is put where no other account of the machine reads it. */
  readonly confidential?: boolean;
  /** `key=value` pairs in brackets after the magic, for example `%sql(limit=50)`. */
  readonly options: Readonly<Record<string, string>>;
  readonly noteId: string;
  readonly paragraphId: string;
  readonly principal: string;
  /** Aborted on cancel, time-out and shutdown. */
  readonly signal: AbortSignal;
  /** Where results go. */
  readonly output: RunOutput;
  /** Keeps whole tables beside what is shown of them. Absent: nothing is kept. */
  readonly keep?: TableKeeper;
  /** Percent from 0 to 100, where the engine gives it. */
  progress(percent: number): void;
  /**
   * What the code asks of its note: shared values, other runs (operations and their values: `run/requests.ts`). Answers JSON; rejects with a
   * sentence, also once the run is over. Absent: there is no note.
   */
  readonly request?: (
    operation: string,
    values: Readonly<Record<string, unknown>>,
  ) => Promise<unknown>;
}

/** Results of a run. Order of calls is order of outputs. */
export interface RunOutput {
  /**
   * Text in the display system: plain text, or `%table`, `%html`, `%img`, … at the start of a line.
   * Streams: call it as output appears, in pieces of any size.
   */
  write(text: string): void;
  /** A complete output of its own: `HTML`, `IMG` (base64 PNG), `TABLE` (tab-separated, first line the header), `NETWORK` (JSON), `SVG`, `TEXT`. */
  add(type: 'TEXT' | 'HTML' | 'TABLE' | 'IMG' | 'SVG' | 'NETWORK' | 'ANGULAR', data: string): void;
  /** The document that was added last (`HTML`, `SVG`, `IMG`, …) is this from now on; where something else was put out since, a new `HTML`. */
  replace(data: string): void;
  /** The next TABLE that is put out is the beginning of this one. */
  whole(table: KeptTable): void;
  /** Drops what this run has put out so far (`clear_output`). */
  clear(): void;
}

/** Keeps the tables of a run. What is not said to be shown, or not complete, is gone at the end of the run. */
export interface TableKeeper {
  /** How much of a table is kept. */
  readonly limits: { readonly rows: number; readonly bytes: number };
  /** Begins a table of these columns. Never throws: what the disk does not take is not kept. */
  begin(schema: Schema): KeptTable;
  /** Takes over a file that holds an Arrow stream, complete; it is looked at when the run is over, and is gone where it is none. */
  adopt(file: string): KeptTable;
}

/** A whole table, written batch by batch. */
export interface KeptTable {
  /** Puts rows at the end; resolves when they are written. `false`: the table takes no more, for a limit or a failure. */
  write(batch: RecordBatch): Promise<boolean>;
  /** The table is complete, as far as the limits go. */
  end(): void;
  /** Rows so far. */
  readonly length: number;
  /** Why it takes no more. */
  readonly stopped: 'limit' | 'failure' | undefined;
}

/** How a run ended. `message` (engine's own words) becomes the last TEXT output of an ERROR. */
export type RunEnd = { code: 'SUCCESS' } | { code: 'ERROR'; message: string } | { code: 'ABORT' };
