/**
 * The interface between the server and an interpreter. To add an interpreter, write one file and
 * add one entry to `index.ts`.
 *
 * The server owns queueing, statuses, forms, permissions and storage. An interpreter runs code and
 * reports its output.
 */

import type { Completion, EditorSetting, Variable } from '@tiding/client/protocol';
import type { InputQuestion } from './input-question.ts';
import type { KeptTable, TableKeeper } from './kept-table.ts';
import type { CommKernel } from './kernels/comms/comm-kernel.ts';
import type { InstalledKernel } from './kernels/kernelspecs.ts';
import type { SpareKernel } from './kernels/spare-kernel.ts';

export type { InputQuestion } from './input-question.ts';
export type { DatabaseTarget, KeptTable, TableKeeper, WrittenDatabase } from './kept-table.ts';

/**
 * Who shares an instance: all, with a session per note or user, or with a process per note or user.
 * Empty means shared, and that the mode was chosen for the other one.
 */
export type SharingMode = 'shared' | 'scoped' | 'isolated' | '';
/** How notes and users share the instances of a setting. */
export interface InstanceSharing {
  readonly perNote: SharingMode;
  readonly perUser: SharingMode;
}

/** Another language of the same instances: `sql` of `python` is `%python.sql`. */
export interface InterpreterVariant {
  readonly editor: EditorSetting;
  /** Whether its name alone selects it too, unless a setting or an interpreter has that name. */
  readonly isMagic?: boolean;
  /**
   * A terminal. It may run for long, so each run has an instance of its own and holds up no others.
   * It needs no code.
   */
  readonly isTerminal?: boolean;
}

/** Describes an interpreter and creates its instances. */
export interface InterpreterSpec {
  /** The magic without `%`, also the id and name of its setting: `sql`, `python`. */
  readonly name: string;
  /** What it is, for the settings page; absent for built-in ones. */
  readonly description?: string;
  /** The Jupyter kernel that it runs. */
  readonly kernel?: InstalledKernel;
  /** Other magics for the same interpreter, for example `duckdb` for `sql`. */
  readonly aliases?: readonly string[];
  /** Variants that an alias alone selects: `spark` of `pyspark` is Scala. */
  readonly aliasVariants?: Readonly<Record<string, string>>;
  /** Its other languages by name. A run says which one it is in. */
  readonly variants?: Readonly<Record<string, InterpreterVariant>>;
  readonly editor: EditorSetting;
  /** Runs programs with the rights of the server's account. Disabled if several users sign in. */
  readonly shell?: boolean;
  /**
   * Instances on the same folder share one engine, each with its own session. Absent: each instance
   * is a process.
   */
  readonly sessions?: boolean;
  /**
   * Sessions keep the process of their folder running. Absent with `sessions`: they run inside the
   * server.
   */
  readonly sharesProcess?: boolean;
  /** There are only the settings that an administrator creates, and none of its own name. */
  readonly isTemplate?: boolean;
  /** Each setting is a database: `%jdbc(sales)` also means the setting `sales`. */
  readonly isDatabase?: boolean;
  /** How a new setting shares its instances. Absent: all notes and users share one. */
  readonly sharing?: InstanceSharing;
  /** Administrators may set them. {@link InterpreterHost.properties} has the values. */
  readonly properties?: readonly InterpreterProperty[];
  /**
   * Installs the dependencies of a setting into its folder, before its instances run. Rejects with
   * a one-sentence message, or with the signal's reason. Absent: the interpreter has no
   * dependencies.
   */
  install?(place: InstallRequest): Promise<void>;
  /** What keeps the behaviour of settings from before notes had instances of their own. */
  readonly older?: {
    readonly properties: Readonly<Record<string, string>>;
    readonly sharing: InstanceSharing;
  };
  /** Deletes what a removed note has in the folder of a setting. */
  forgetNote?(host: SettingHost, noteId: string): Promise<void>;
  /** Creates an instance. It must be fast: slow work belongs in the first `run` or `prepare`. */
  create(host: InterpreterHost): Interpreter;
}

/** Types of properties, as named in the protocol. */
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
  /** Returns a sentence that describes why a value is invalid, or undefined if it is valid. */
  check?(value: string): string | undefined;
}

/** Input of an installation of dependencies. */
export interface InstallRequest {
  /** Folder of the setting. Absolute. */
  readonly folder: string;
  readonly dependencies: readonly string[];
  /** Additional repositories, besides the interpreter's defaults. */
  readonly repositories: readonly PackageRepository[];
  readonly properties: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** A package repository. `url` starts with http://, https:// or file://. */
export interface PackageRepository {
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
}

/** The part of a host that the instances of a setting share. */
type SettingHost = Pick<
  InterpreterHost,
  'folder' | 'fileFolders' | 'openFiles' | 'properties' | 'engineMegabytes' | 'tables'
>;

/** What the server provides to an interpreter. */
export interface InterpreterHost {
  /** Name of its setting. */
  readonly settingName: string;
  /** The only note that it serves. Absent: it serves several. */
  readonly noteId?: string | undefined;
  /** Folder for the interpreter's own files (environments, databases); it exists. Absolute. */
  readonly folder: string;
  /**
   * Folder of its setting, shared by all instances. It contains the installed dependencies.
   * Absolute.
   */
  readonly settingFolder: string;
  /** Installed dependencies of its setting. */
  readonly dependencies: readonly string[];
  /** Values of the spec's properties, including defaults. */
  readonly properties: Readonly<Record<string, string>>;
  /**
   * Returns a data-source login of the user whose run is active. Throws a one-sentence error if
   * there is none, or if other users share the instance.
   * @param options `isHidden`: code can't read the password, so results need not be searched for it
   */
  credential(
    entity: string,
    options?: { readonly isHidden?: boolean },
  ): { readonly username: string; readonly password: string };
  /**
   * Returns the current Spark cluster of the instance's only user, when its process starts;
   * undefined if Spark runs in the process. Rejects with a one-sentence message if that cluster is
   * not running.
   */
  spark(): Promise<SparkMaster | undefined>;
  /**
   * Folders whose data files it may use, in the order in which a relative name is looked up.
   * Absolute.
   */
  readonly fileFolders: readonly [string, ...string[]];
  /** The first of them, the working directory of code that runs. */
  readonly files: string;
  /** Creates `files`, and the missing links in it to shared files. */
  prepareFiles(): Promise<void>;
  /**
   * `true`: the engine may access every file that the server's account may; `false`: only those in
   * `fileFolders`. It becomes `false` while the instance runs if a second user is added.
   */
  readonly openFiles: boolean;
  /** Maximum memory of a process of the SQL engine, in MB. */
  readonly engineMegabytes: number;
  /** Time without use after which a process ends, in ms. */
  readonly maxIdleMs: number;
  /** Command language of the server, for the `%magpie` interpreter. Absent: it is not available. */
  readonly magpie?: CommandLanguage | undefined;
  /** The kernel that the server has started ahead of its use. Absent: it starts none. */
  readonly spare?: SpareKernel | undefined;
  /** Tables shared between interpreters; see {@link TableExchange}. */
  readonly tables: TableExchange;
  /** Sets the displayed status of the interpreter's setting. */
  setStatus(status: 'READY' | 'DOWNLOADING_DEPENDENCIES' | 'ERROR', reason?: string): void;
  /** Writes one structured log line. It must not contain user data. */
  log(message: string, fields?: Record<string, unknown>): void;
}

/** Runs scripts of the command language `%magpie`. */
export interface CommandLanguage {
  /** Starts a session for a user. The caller must close it. */
  openSession(userName: string): CommandSession;
}

/** A user's session of the command language: current objects, temporary tables, the last result. */
export interface CommandSession {
  /** Time of last use, in ms since 1970. */
  readonly lastUsed: number;
  run(run: Run): Promise<RunEnd>;
  /** Completion suggestions at `cursor` of a script. Rejects if there is no such user. */
  complete(code: string, cursor: number): Promise<Completion[]>;
  close(): Promise<void>;
}

/** A Spark master that drivers connect to. */
export interface SparkMaster {
  /** `spark://host:port`, without blanks or quotes. */
  readonly master: string;
  /** Environment variables that drivers need. */
  readonly variables: Readonly<Record<string, string>>;
  /** Whether its workers run on this machine and can use programs installed here. */
  readonly sameMachine: boolean;
}

/**
 * Exchanges tables by name between interpreters, as Parquet files that only the server's account
 * can read.
 */
export interface TableExchange {
  /**
   * Registers the SQL engine, which writes tables to Parquet files. `query` is a table name or a
   * SELECT. `write` rejects with the engine's message if there is no such table. `signal` stops the
   * work.
   */
  setOwner(owner: {
    write(query: string, file: string, signal?: AbortSignal): Promise<void>;
    read(name: string, file: string, signal?: AbortSignal): Promise<void>;
  }): void;
  /**
   * Writes a table, or the result of a SELECT, to a new Parquet file and returns its absolute path.
   * The caller must delete the file.
   */
  exportTable(query: string, signal?: AbortSignal): Promise<string>;
  /**
   * Makes the Parquet file available to every interpreter as the table `name`, replacing an
   * existing one. A file from `newFile` is deleted, also on failure.
   */
  importTable(name: string, file: string, signal?: AbortSignal): Promise<void>;
  /** Returns the path for a new Parquet file. */
  newFile(): string;
}

/** Variables of an instance. `total`: how many there are, if not all are listed. */
export interface Variables {
  readonly variables: Variable[];
  readonly total: number;
}

/** A table with its columns. `reference` is its name in code. */
export interface TableSchema {
  readonly reference: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** A running instance. Runs are sequential; `complete` may be called at any time. */
export interface Interpreter {
  /** What users lose if it ends now, for example `variables`. Absent: nothing. */
  readonly state?: string | undefined;
  /**
   * Runs `code`, without its magic. Resolves when the run ends, also if the code fails; rejects
   * only for faults of the interpreter itself. After `signal` aborts, the work must stop and the
   * promise must settle within 2 s.
   */
  run(run: Run): Promise<RunEnd>;
  /**
   * Returns completions at `cursor`, a 0-based offset into `code`, for the user, note and variant
   * in `caller`. Resolves to `[]` if there are none.
   */
  complete?(
    code: string,
    cursor: number,
    caller?: Pick<Run, 'noteId' | 'principal' | 'variant'>,
  ): Promise<Completion[]>;
  /**
   * Returns the documentation of the name at `cursor`, as plain text; undefined if there is none.
   * With `hover`, nothing is started for it.
   */
  inspect?(code: string, cursor: number, hover: boolean): Promise<string | undefined>;
  /**
   * Returns its variables; while code runs, those before. Must not wait for a run. Undefined, or
   * absent: it can't tell.
   */
  variables?(): Promise<(Variables & { readonly isBusy: boolean }) | undefined>;
  /** Returns its first tables. Absent: it has none. */
  tables?(): Promise<readonly TableSchema[]>;
  /** Ends processes and frees resources. Resolves when everything has ended. */
  close(): Promise<void>;
}

/** The program in a terminal. */
export interface TerminalProgram {
  /** Types text, as from a keyboard. */
  type(text: string): void;
  /** Sets the size of the terminal, in characters. */
  resize(columns: number, rows: number): void;
}

/** Links to the pages of a run's jobs, as in Zeppelin. */
export interface JobLinks {
  readonly label: string;
  readonly tooltip: string;
  /** Addresses, in the order of the jobs. */
  readonly values: readonly string[];
}

/** One run of a paragraph. */
export interface Run {
  /** The script without its magic. */
  readonly code: string;
  /** Name of the variant that `code` is written for. Absent: the interpreter's own language. */
  readonly variant?: string | undefined;
  /** `code` contains passwords and must not be visible to other accounts of the machine. */
  readonly confidential?: boolean;
  /** `key=value` pairs in brackets after the magic, for example `%sql(limit=50)`. */
  readonly options: Readonly<Record<string, string>>;
  readonly noteId: string;
  readonly paragraphId: string;
  readonly principal: string;
  /** Aborted on cancel, time-out and shutdown. */
  readonly signal: AbortSignal;
  /** Receives the results. */
  readonly output: RunOutput;
  /**
   * Stores complete tables, of which the output shows only the first rows. Absent: nothing is
   * stored.
   */
  readonly keep?: TableKeeper;
  /**
   * Lets users type into a terminal until the run ends. Absent: nobody can type, because the whole
   * note runs.
   */
  readonly openTerminal?: ((program: TerminalProgram) => void) | undefined;
  /** Connects the widgets of the kernel with the pages that show the note. Absent: no pages. */
  readonly openComms?: ((kernel: CommKernel) => void) | undefined;
  /**
   * Asks the users who have the note open. Resolves to the answer; rejects with a sentence if
   * nobody has it open, or with the reason of `signal`. One question at a time. Absent: there is no
   * note.
   */
  readonly ask?: ((question: InputQuestion, signal: AbortSignal) => Promise<string>) | undefined;
  /** Reports progress in percent, from 0 to 100, if the engine knows it. */
  progress(percent: number): void;
  /** Links the paragraph to the pages of the jobs of this run. Absent: there is no note. */
  readonly showJobs?: (links: JobLinks) => void;
  /**
   * Sends a request to the note: shared values, other runs. `run/code-requests.ts` lists the
   * operations. Resolves to JSON; rejects with a one-sentence message, also if the run has ended.
   * Absent: there is no note.
   */
  readonly request?: (
    operation: string,
    values: Readonly<Record<string, unknown>>,
  ) => Promise<unknown>;
}

/** Results of a run. Outputs appear in the order of the calls. */
export interface RunOutput {
  /**
   * Streams text in the display system: plain text, or `%table`, `%html`, `%img`, … at the start of
   * a line. Pieces may have any size.
   */
  write(text: string): void;
  /**
   * Streams what a program prints to a terminal, with all control sequences. Only the end of a long
   * output is kept. Absent: terminals can't be shown.
   */
  terminal?(text: string): void;
  /**
   * Adds a complete output: `HTML`, `IMG` (base64 PNG), `TABLE` (tab-separated, header first),
   * `NETWORK` (JSON), `SVG` or `TEXT`.
   */
  add(type: 'TEXT' | 'HTML' | 'TABLE' | 'IMG' | 'SVG' | 'NETWORK' | 'ANGULAR', data: string): void;
  /**
   * Replaces the document added last (`HTML`, `SVG`, `IMG`, …). If another output followed, adds a
   * new `HTML`.
   */
  replace(data: string): void;
  /** Declares that the next TABLE output shows the first rows of `table`. */
  whole(table: KeptTable): void;
  /** Tells viewers how many rows of a table have been stored so far, while more follow. */
  storing(table: KeptTable, rows: number): void;
  /** Removes all outputs of this run so far (`clear_output`). */
  clear(): void;
}

/**
 * How a run ended. `message` is the engine's own message and becomes the last TEXT output of an
 * ERROR.
 */
export type RunEnd = { code: 'SUCCESS' } | { code: 'ERROR'; message: string } | { code: 'ABORT' };
