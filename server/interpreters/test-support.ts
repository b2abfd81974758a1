/**
 * Test support: a host on a temporary folder, and a recorder for the output of a run.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createDisplayParser, type DisplayParser } from '@tiding/client/model';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { SERVER_LIMITS } from '../base/limits.ts';
import type {
  Interpreter,
  InterpreterHost,
  KeptTable,
  Run,
  RunEnd,
  RunOutput,
  TableKeeper,
} from './contract.ts';
import { createTableExchange } from './tables.ts';

/** A host with temporary folders, which records statuses. */
export interface TestHost extends InterpreterHost {
  readonly root: string;
  readonly statuses: string[];
}

/** Creates a host, whose folder is removed after the tests of the file. */
export function testHost(
  options: { openFiles?: boolean; tables?: InterpreterHost['tables'] } & Partial<
    Pick<
      InterpreterHost,
      | 'properties'
      | 'dependencies'
      | 'engineMegabytes'
      | 'maxIdleMs'
      | 'credential'
      | 'spark'
      | 'spare'
      | 'settingFolder'
    >
  > = {},
): TestHost {
  const root = temporaryFolder();
  const folder = join(root, 'own');
  const files = join(root, 'files');
  mkdirSync(folder);
  mkdirSync(files);
  const statuses: string[] = [];
  return {
    root,
    settingName: 'test',
    folder,
    settingFolder: options.settingFolder ?? folder,
    dependencies: options.dependencies ?? [],
    properties: options.properties ?? {},
    credential:
      options.credential ??
      ((entity) => {
        throw new Error(`No such credential: ${entity}`);
      }),
    spark: options.spark ?? (() => Promise.resolve(undefined)),
    files,
    fileFolders: [files],
    prepareFiles: async () => undefined,
    openFiles: options.openFiles ?? true,
    engineMegabytes: options.engineMegabytes ?? SERVER_LIMITS.maxEngineMegabytes.default,
    maxIdleMs: options.maxIdleMs ?? SERVER_LIMITS.maxIdleMs.default,
    spare: options.spare,
    tables: options.tables ?? createTableExchange(join(root, 'tables')),
    statuses,
    setStatus: (status, reason) =>
      void statuses.push(reason === undefined ? status : `${status}: ${reason}`),
    log: () => undefined,
  };
}

/** Output of a run, as interpreted by the display system. */
export interface Recorded {
  end: RunEnd;
  outputs: { type: string; data: string }[];
  /** The text of every call, for tests of streaming. */
  pieces: string[];
  cleared: number;
  /** Tables declared with `whole`. */
  whole: KeptTable[];
  percents: number[];
}

/** Options of {@link runCode}. */
export interface RunOptions {
  options?: Record<string, string>;
  variant?: string;
  signal?: AbortSignal;
  keep?: TableKeeper;
  /** Lets the test type into a terminal. */
  openTerminal?: Run['openTerminal'];
  confidential?: boolean;
  /** Answers questions of the code. */
  ask?: Run['ask'];
  /** Receives the widgets of the kernel. */
  openComms?: Run['openComms'];
  /** Answers requests of the code to its note. */
  request?: Run['request'];
  /** Called after each piece of output with all text so far. */
  onOutput?(text: string): void;
  onProgress?(percent: number): void;
  /** Receives the links to the jobs of the code. */
  showJobs?: Run['showJobs'];
  onStoring?(table: KeptTable, rows: number): void;
}

/** Runs code to its end and records its output. */
export async function runCode(
  interpreter: Interpreter,
  code: string,
  options: RunOptions = {},
): Promise<Recorded> {
  const recorded: Recorded = {
    end: { code: 'SUCCESS' },
    outputs: [],
    pieces: [],
    cleared: 0,
    whole: [],
    percents: [],
  };
  let parser: DisplayParser;
  const restart = (): void => {
    const offset = recorded.outputs.length;
    parser = createDisplayParser((event) => {
      if (event.kind === 'start')
        recorded.outputs[offset + event.index] = { type: event.type, data: '' };
      else recorded.outputs[offset + event.index]!.data += event.data;
    });
  };
  restart();
  const record = (piece: string): void => {
    recorded.pieces.push(piece);
    options.onOutput?.(recorded.pieces.join(''));
  };
  const output: RunOutput = {
    write(text) {
      parser.write(text);
      record(text);
    },
    terminal(text) {
      const last = recorded.outputs.at(-1);
      if (last?.type === 'TERMINAL') last.data += text;
      else recorded.outputs.push({ type: 'TERMINAL', data: text });
      record(text);
    },
    add(type, data) {
      parser.end();
      recorded.outputs.push({ type, data });
      restart();
      record(data);
    },
    replace(data) {
      parser.end();
      const last = recorded.outputs.at(-1);
      if (last && last.type !== 'TEXT' && last.type !== 'TABLE')
        recorded.outputs[recorded.outputs.length - 1] = { type: last.type, data };
      else recorded.outputs.push({ type: 'HTML', data });
      restart();
    },
    whole(table) {
      recorded.whole.push(table);
    },
    storing(table, rows) {
      options.onStoring?.(table, rows);
    },
    clear() {
      recorded.outputs.length = 0;
      recorded.cleared += 1;
      restart();
    },
  };
  recorded.end = await interpreter.run({
    code,
    options: options.options ?? {},
    variant: options.variant,
    noteId: '2ABCDEFGH',
    paragraphId: 'paragraph_1_1',
    principal: 'ada',
    signal: options.signal ?? new AbortController().signal,
    output,
    ...(options.keep ? { keep: options.keep } : {}),
    confidential: options.confidential ?? false,
    openTerminal: options.openTerminal,
    ask: options.ask,
    openComms: options.openComms,
    ...(options.request ? { request: options.request } : {}),
    ...(options.showJobs ? { showJobs: options.showJobs } : {}),
    progress(percent) {
      recorded.percents.push(percent);
      options.onProgress?.(percent);
    },
  });
  parser!.end();
  return recorded;
}

/** Runs code and aborts it once `when` returns true for the output so far. */
export function runAndAbort(
  interpreter: Interpreter,
  code: string,
  when: (text: string) => boolean,
): Promise<Recorded> {
  const abort = new AbortController();
  return runCode(interpreter, code, {
    signal: abort.signal,
    onOutput: (text) => when(text) && abort.abort('cancelled'),
  });
}

/** Returns the message of a run that has failed. */
export function errorOf({ end }: Pick<Recorded, 'end'>): string {
  if (end.code !== 'ERROR') throw new Error(`The run ended with ${end.code}.`);
  return end.message;
}

/** Returns the text of all outputs of a run. */
export const shownText = ({ outputs }: Pick<Recorded, 'outputs'>): string =>
  outputs.map(({ data }) => data).join('');

/** Returns the lines of the only TABLE, split into cells. */
export function tableOf(recorded: Recorded): string[][] {
  const tables = recorded.outputs.filter(({ type }) => type === 'TABLE');
  if (tables.length !== 1)
    throw new Error(`Wanted one TABLE: ${JSON.stringify(recorded).slice(0, 2000)}`);
  return tables[0]!.data
    .replace(/\n+$/, '')
    .split('\n')
    .map((row) => row.split('\t'));
}

/** Polls until `check` returns a value other than `undefined` and `false`. */
export async function until<T>(check: () => T | undefined | false): Promise<T> {
  for (;;) {
    const value = check();
    if (value !== undefined && value !== false) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Whether a process exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
