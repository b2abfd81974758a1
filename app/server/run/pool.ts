/** The interpreters of a server: one shared instance each, runs of one interpreter one after another. */
import { join } from 'node:path';
import type { InterpreterBinding, InterpreterSetting } from 'tiding/protocol';
import { privateFolder } from '../files.ts';
import type { Interpreter, InterpreterSpec, Run, RunEnd } from '../interpreters/contract.ts';
import { createTableExchange } from '../interpreters/tables.ts';
import type { Logger } from '../log.ts';
import type { StoredNote } from '../notes/note.ts';

interface Entry {
  spec: InterpreterSpec;
  status: 'READY' | 'DOWNLOADING_DEPENDENCIES' | 'ERROR';
  reason: string | undefined;
  instance: Interpreter | undefined;
  /** Whether the instance was given every file of the account. */
  openFiles: boolean;
  /** The end of the instance before. */
  closing: Promise<unknown>;
  /** The end of the last run in the queue. */
  queue: Promise<unknown>;
}

/** What the pool is made of. */
export interface PoolOptions {
  data: string;
  files: string;
  specs: readonly InterpreterSpec[];
  log: Logger;
  /** Whether programs with the server's rights may run; asked at each use, because a second user changes it. */
  shellAllowed(): boolean;
}

/** See the head of this file. */
export class InterpreterPool {
  readonly #options: PoolOptions;
  readonly #entries: Entry[];
  #tables: ReturnType<typeof createTableExchange> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#entries = options.specs.map((spec) => ({ spec, status: 'READY', reason: undefined, instance: undefined, openFiles: false, closing: Promise.resolve(), queue: Promise.resolve() }));
  }

  #usable(): Entry[] {
    return this.#entries.filter(({ spec }) => !spec.shell || this.#options.shellAllowed());
  }

  /** The interpreter a magic means on a note; without magic the note's default. `undefined`: there is none. */
  find(magic: string | undefined, note: StoredNote): InterpreterSpec | undefined {
    const usable = this.#usable();
    if (magic === undefined) {
      const first = note.bindings?.find((id) => usable.some(({ spec }) => spec.name === id));
      return (usable.find(({ spec }) => spec.name === first) ?? usable[0])?.spec;
    }
    return usable.find(({ spec }) => spec.name === magic || spec.aliases?.includes(magic))?.spec;
  }

  /** Why a magic has no interpreter. */
  explain(magic: string | undefined): string {
    const off = this.#entries.find(({ spec }) => spec.shell && (spec.name === magic || spec.aliases?.includes(magic ?? '')));
    if (off) return `Interpreter ${magic} is turned off on this server: more than one person signs in. An administrator can turn it on with --shell.`;
    return `Interpreter ${magic ?? ''} not found`;
  }

  /** The settings as they go over the wire. */
  settings(): InterpreterSetting[] {
    return this.#usable().map(({ spec, status, reason }) => ({
      id: spec.name,
      name: spec.name,
      group: spec.name,
      properties: {},
      status,
      ...(reason ? { errorReason: reason } : {}),
      interpreterGroup: [{ name: spec.name, class: `tiding.${spec.name}`, defaultInterpreter: true, editor: spec.editor }],
      dependencies: [],
      option: { remote: true, perNote: 'shared', perUser: 'shared', isExistingProcess: false, setPermission: false, owners: [], isUserImpersonate: false },
    }));
  }

  /** The bindings of a note: bound ones first in their order, then the others. */
  bindings(note: StoredNote): InterpreterBinding[] {
    const settings = this.settings();
    const bound = note.bindings ?? settings.map(({ id }) => id);
    const order = [...bound, ...settings.map(({ id }) => id).filter((id) => !bound.includes(id))];
    return order.flatMap((id) => {
      const setting = settings.find((entry) => entry.id === id);
      return setting ? [{ id, name: setting.name, selected: bound.includes(id), interpreters: setting.interpreterGroup ?? [] }] : [];
    });
  }

  async #instance(entry: Entry): Promise<Interpreter> {
    // Somebody else signs in now: what was given to the one person before is taken away.
    if (entry.openFiles && !this.#options.shellAllowed()) await this.#end(entry);
    if (entry.instance) return entry.instance;
    const { data, files, log } = this.#options;
    this.#tables ??= createTableExchange(join(data, 'tables'));
    const folder = await privateFolder(join(data, 'interpreters', entry.spec.name));
    const { name } = entry.spec;
    await entry.closing;
    if (entry.instance) return entry.instance;
    entry.openFiles = this.#options.shellAllowed();
    entry.instance = entry.spec.create({
      folder, files, tables: this.#tables,
      openFiles: entry.openFiles,
      setStatus(status, reason) {
        entry.status = status;
        entry.reason = reason;
      },
      log: (message, fields) => log.info({ interpreter: name, ...fields }, message),
    });
    return entry.instance;
  }

  /**
   * Queues a run; `onStart` is called when its turn has come. A run that is aborted while it waits never starts.
   * SQL serves tables to the others, so its instance is made first whichever interpreter runs.
   */
  run(spec: InterpreterSpec, run: Run, onStart: () => void): Promise<RunEnd> {
    const entry = this.#entry(spec.name);
    let started = false;
    const turn = entry.queue.then(async (): Promise<RunEnd> => {
      if (run.signal.aborted) return { code: 'ABORT' };
      started = true;
      onStart();
      try {
        const sql = this.#entries.find((other) => other.spec.name === 'sql');
        if (sql && sql !== entry) await this.#instance(sql);
        return await (await this.#instance(entry)).run(run);
      } catch (error) {
        this.#options.log.error({ interpreter: spec.name, error: (error as Error).stack }, 'an interpreter failed');
        return { code: 'ERROR', message: (error as Error).message };
      }
    });
    entry.queue = turn;
    // Who cancels while waiting need not wait for those before.
    const aborted = new Promise<RunEnd>((resolve) => {
      run.signal.addEventListener('abort', () => started || resolve({ code: 'ABORT' }), { once: true });
    });
    return Promise.race([turn, aborted]);
  }

  /** Completion; `[]` where there is none. */
  async complete(spec: InterpreterSpec, code: string, cursor: number) {
    const instance = await this.#instance(this.#entry(spec.name));
    return (await instance.complete?.(code, cursor)) ?? [];
  }

  /** Ends an interpreter; its next run starts it anew. */
  async restart(id: string): Promise<InterpreterSetting | undefined> {
    const entry = this.#usable().find(({ spec }) => spec.name === id);
    if (!entry) return undefined;
    await this.#end(entry);
    return this.settings().find((setting) => setting.id === id);
  }

  async #end(entry: Entry): Promise<void> {
    const { instance } = entry;
    Object.assign(entry, { instance: undefined, openFiles: false, status: 'READY', reason: undefined });
    const end = instance?.close();
    entry.closing = Promise.resolve(end).catch(() => {});
    await end;
  }

  #entry(name: string): Entry {
    return this.#entries.find(({ spec }) => spec.name === name)!;
  }

  /** Ends all. */
  async close(): Promise<void> {
    await Promise.all(this.#entries.map(({ instance }) => instance?.close().catch(() => {})));
  }
}
