/** The interpreters of a server: instances of its settings, each for whom the setting's mode says; runs of one instance one after another. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Completion, InterpreterBinding, InterpreterSession, InterpreterSetting } from 'tiding/protocol';
import type { DataLogin } from '../auth/credentials.ts';
import type { Secrets } from '../auth/secrets.ts';
import { Refusal } from '../errors.ts';
import { privateFolder } from '../files.ts';
import type { Interpreter, InterpreterSpec, PackageRepository, Run, RunEnd, TableExchange } from '../interpreters/contract.ts';
import { endLeftovers } from '../interpreters/process-group.ts';
import { createTableExchange, exchangeOn } from '../interpreters/tables.ts';
import type { Logger } from '../log.ts';
import type { StoredNote } from '../notes/note.ts';
import { interpreterGroup, shownProperties, valuesOf, type StoredSetting } from '../settings/setting.ts';
import type { InterpreterSettings } from '../settings/settings.ts';
import { placementOf, type Placement } from './placement.ts';

type Status = 'READY' | 'DOWNLOADING_DEPENDENCIES' | 'ERROR';

/** An instance and who waits for it; the interpreter is made by the first run. */
interface Slot {
  readonly placement: Placement;
  interpreter: Interpreter | undefined;
  sessionId: string;
  started: Date;
  /** The exchange that this instance's engine answers, once it has said so. */
  tables: TableExchange | undefined;
  status: Status;
  reason: string | undefined;
  /** Whether the instance was given every file of the account. */
  openFiles: boolean;
  /** The end of the interpreter before. */
  closing: Promise<unknown>;
  /** The end of the last run in the queue. */
  queue: Promise<unknown>;
  /** Runs in the queue, the one that is going on too. */
  waiting: number;
  /** The run that is going on. */
  run: Run | undefined;
  /** The note of the last run. */
  noteId: string;
}

/** What a server knows of a setting while it is up. */
interface Entry {
  readonly id: string;
  slots: Map<string, Slot>;
  /** The end of all instances before a change. */
  closing: Promise<unknown>;
  /** The installation of dependencies; settles, never rejects. */
  installing: Promise<void>;
  stopInstalling: AbortController;
  status: Status;
  reason: string | undefined;
}

/** An interpreter that a paragraph names. */
export interface FoundInterpreter {
  /** Id and name of its setting. */
  readonly name: string;
  readonly editor: InterpreterSpec['editor'];
}

/** For whom something runs. */
export interface Caller {
  readonly noteId: string;
  readonly principal: string;
}

/** What the pool is made of. */
export interface PoolOptions {
  data: string;
  files: string;
  settings: InterpreterSettings;
  secrets: Secrets;
  log: Logger;
  /** Where installers look beside their own places. */
  repositories(): readonly PackageRepository[];
  /** Roles a user holds now. */
  rolesOf(principal: string): readonly string[];
  /** A user's logins by entity. */
  credentialsOf(principal: string): ReadonlyMap<string, DataLogin>;
  /** Whether programs with the server's rights may run; asked at each use, because a second user changes it. */
  shellAllowed(): boolean;
  /** Whether one person alone signs in. */
  isAlone(): boolean;
}

/** See the head of this file. */
export class InterpreterPool {
  readonly #options: PoolOptions;
  readonly #entries = new Map<string, Entry>();
  /** Notes with processes of their own, whatever the settings say. */
  readonly #apart = new Set<string>();
  #tables: TableExchange | undefined;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    // Processes that a killed server left behind end before new ones start.
    for (const folder of foldersOf(join(options.data, 'interpreters'))) {
      endLeftovers(folder);
      for (const own of foldersOf(join(folder, 'own'))) endLeftovers(own);
    }
    for (const { id, dependencies } of options.settings.all()) if (dependencies.length > 0) this.#install(this.#entry(id));
  }

  #spec({ group }: StoredSetting): InterpreterSpec {
    return this.#options.settings.spec(group)!;
  }

  #usable(): StoredSetting[] {
    return this.#options.settings.all().filter((setting) => !this.#spec(setting).shell || this.#options.shellAllowed());
  }

  /** Specs that settings may be made of now. */
  isUsable(spec: InterpreterSpec): boolean {
    return !spec.shell || this.#options.shellAllowed();
  }

  #lookUp(magic: string | undefined, note: StoredNote): StoredSetting | undefined {
    const usable = this.#usable();
    const first = note.bindings?.map((id) => usable.find((setting) => setting.id === id)).find(Boolean);
    if (magic === undefined) return first ?? usable[0];
    const has = (setting: StoredSetting, name: string) => isNamed(this.#spec(setting), name);
    const [place, name, more] = magic.split('.');
    if (more !== undefined) return undefined;
    const own = usable.find(({ id }) => id === place) ?? usable.find((setting) => setting.id === setting.group && has(setting, place ?? ''));
    if (name !== undefined) return own && has(own, name) ? own : undefined;
    // A name inside the first bound setting comes before the setting of that name, as upstream has it.
    return first && has(first, magic) ? first : own;
  }

  /** The interpreter a magic means on a note; without magic the note's default. `undefined`: there is none. */
  find(magic: string | undefined, note: StoredNote): FoundInterpreter | undefined {
    const setting = this.#lookUp(magic, note);
    return setting && { name: setting.id, editor: this.#spec(setting).editor };
  }

  /** Why a magic has no interpreter. */
  explain(magic: string | undefined): string {
    const off = this.#options.settings.all().find((setting) => this.#spec(setting).shell && (setting.id === magic || isNamed(this.#spec(setting), magic ?? '')));
    if (off) return `Interpreter ${magic} is turned off on this server: more than one person signs in. An administrator can turn it on with --shell.`;
    return `Interpreter ${magic ?? ''} not found`;
  }

  /** Whether a person may use a setting. */
  mayUse({ option }: Pick<StoredSetting, 'option'>, principal: string): boolean {
    if (!option.setPermission) return true;
    const names = [principal, ...this.#options.rolesOf(principal)];
    return option.owners.some((owner) => names.includes(owner));
  }

  /** The settings as they go over the wire. */
  settings(): InterpreterSetting[] {
    return this.#usable().map((setting) => this.#wire(setting));
  }

  /** One of {@link settings}. */
  setting(id: string): InterpreterSetting | undefined {
    const found = this.#usable().find((setting) => setting.id === id);
    return found && this.#wire(found);
  }

  #wire(setting: StoredSetting): InterpreterSetting {
    const entry = this.#entries.get(setting.id);
    const all = entry ? [entry, ...entry.slots.values()] : [];
    const told = all.find(({ status }) => status === 'ERROR') ?? all.find(({ status }) => status !== 'READY');
    return {
      ...setting,
      properties: shownProperties(setting.properties),
      status: told?.status ?? 'READY',
      ...(told?.reason ? { errorReason: told.reason } : {}),
      interpreterGroup: interpreterGroup(this.#spec(setting)),
      option: { ...setting.option },
    };
  }

  /** The bindings of a note: bound ones first in their order, then the others. */
  bindings(note: StoredNote): InterpreterBinding[] {
    const settings = this.#usable();
    const bound = note.bindings ?? settings.map(({ id }) => id);
    const order = [...bound, ...settings.map(({ id }) => id).filter((id) => !bound.includes(id))];
    return order.flatMap((id) => {
      const setting = settings.find((entry) => entry.id === id);
      return setting ? [{ id, name: setting.name, selected: bound.includes(id), interpreters: interpreterGroup(this.#spec(setting)) }] : [];
    });
  }

  #entry(id: string): Entry {
    let entry = this.#entries.get(id);
    if (!entry) {
      entry = { id, slots: new Map(), closing: Promise.resolve(), installing: Promise.resolve(), stopInstalling: new AbortController(), status: 'READY', reason: undefined };
      this.#entries.set(id, entry);
    }
    return entry;
  }

  #place(setting: StoredSetting, caller: Caller): Placement {
    return placementOf(setting.option, this.#spec(setting).sessions ?? false, caller, this.#apart.has(caller.noteId));
  }

  #slot(setting: StoredSetting, caller: Caller): Slot {
    const { slots } = this.#entry(setting.id);
    const placement = this.#place(setting, caller);
    let slot = slots.get(placement.key);
    if (!slot) {
      slot = {
        placement, interpreter: undefined, sessionId: '', started: new Date(), tables: undefined, status: 'READY', reason: undefined, openFiles: false,
        closing: Promise.resolve(), queue: Promise.resolve(), waiting: 0, run: undefined, noteId: caller.noteId,
      };
      slots.set(placement.key, slot);
    }
    return slot;
  }

  /** The interpreter of a slot, made when there is none. */
  async #interpreter(setting: StoredSetting, slot: Slot): Promise<Interpreter> {
    // A slot that is waited for stays.
    slot.waiting += 1;
    try {
      return await this.#make(setting, slot);
    } finally {
      slot.waiting -= 1;
    }
  }

  async #make(setting: StoredSetting, slot: Slot): Promise<Interpreter> {
    // Somebody else signs in now: what was given to the one person before is taken away.
    if (slot.openFiles && !this.#options.shellAllowed()) await this.#end(setting.id, slot);
    if (slot.interpreter) return slot.interpreter;
    const { data, files, log, secrets } = this.#options;
    const spec = this.#spec(setting);
    const entry = this.#entry(setting.id);
    const settingFolder = await privateFolder(join(data, 'interpreters', setting.id));
    const folder = slot.placement.folder ? await privateFolder(join(settingFolder, 'own', slot.placement.folder)) : settingFolder;
    await entry.closing;
    await slot.closing;
    if (slot.interpreter) return slot.interpreter;
    if (this.#closed) throw new Error('The server is shutting down.');
    // Nobody would end what is made in a slot that is given up.
    if (entry.slots.get(slot.placement.key) !== slot) throw new Error('The interpreter was restarted before this began: run it again.');
    slot.openFiles = this.#options.shellAllowed();
    slot.started = new Date();
    slot.sessionId = this.#newSessionId(setting.id, slot.started);
    slot.interpreter = spec.create({
      folder, settingFolder, files, tables: this.#tablesOf(slot),
      dependencies: setting.dependencies.map(({ groupArtifactVersion }) => groupArtifactVersion),
      properties: valuesOf(setting, spec, secrets),
      openFiles: slot.openFiles,
      credential: (entity) => this.#credential(slot, entity, setting.name),
      setStatus(status, reason) {
        slot.status = status;
        slot.reason = reason;
      },
      log: (message, fields) => log.info({ interpreter: setting.id, ...fields }, message),
    });
    return slot.interpreter;
  }

  #newSessionId(id: string, started: Date): string {
    const taken = this.#running().map(({ slot }) => slot.sessionId);
    for (let time = started.getTime(); ; time += 1) if (!taken.includes(`${id}_${time}`)) return `${id}_${time}`;
  }

  /** Only where nobody else's code runs: it could ask as well. */
  #credential(slot: Slot, entity: string, name: string): DataLogin {
    if (!slot.placement.onePerson && !this.#options.isAlone()) {
      throw new Error(`Credentials are given only to an interpreter of one person: set ${name} to isolated per user.`);
    }
    const login = slot.run && this.#options.credentialsOf(slot.run.principal).get(entity);
    if (!login) throw new Error(`No such credential: ${entity}`);
    return login;
  }

  /** An engine answers for its own instance; all others use the engine that serves the note and person of the run. */
  #tablesOf(slot: Slot): TableExchange {
    const { data } = this.#options;
    const folder = join(data, 'tables');
    this.#tables ??= createTableExchange(folder);
    const own = exchangeOn(folder);
    const serving = async (): Promise<TableExchange> => slot.tables ?? (slot.run ? await this.#engineFor(slot.run) : undefined) ?? own;
    return {
      setOwner: (owner) => {
        own.setOwner(owner);
        slot.tables = own;
      },
      exportTable: async (query, signal) => (await serving()).exportTable(query, signal),
      importTable: async (name, file, signal) => (await serving()).importTable(name, file, signal),
      newFile: () => own.newFile(),
    };
  }

  /** The tables that a run sees: those of the first SQL setting that its note binds, else of `sql`. */
  async #engineFor(run: Run): Promise<TableExchange | undefined> {
    const sql = this.#usable().filter((setting) => setting.group === 'sql' && this.mayUse(setting, run.principal));
    const bound = this.#bindingsOf.get(run)?.map((id) => sql.find((setting) => setting.id === id)).find(Boolean);
    const setting = bound ?? sql.find(({ id }) => id === 'sql') ?? sql[0];
    if (!setting) return undefined;
    const slot = this.#slot(setting, run);
    await this.#interpreter(setting, slot);
    return slot.tables;
  }
  readonly #bindingsOf = new WeakMap<Run, readonly string[]>();

  /**
   * Queues a run on the instance that serves its note and person; `onStart` is called when its turn has come. A run that
   * is aborted while it waits never starts. `bindings` of the note say whose tables it sees.
   */
  run(found: FoundInterpreter, run: Run, onStart: () => void, bindings?: readonly string[]): Promise<RunEnd> {
    const setting = this.#usable().find(({ id }) => id === found.name);
    if (!setting) return Promise.resolve({ code: 'ERROR', message: this.explain(found.name) });
    if (!this.mayUse(setting, run.principal)) {
      return Promise.resolve({ code: 'ERROR', message: `Paragraph ${run.paragraphId}: you don't have permission to use interpreter ${setting.name}.` });
    }
    if (bindings) this.#bindingsOf.set(run, bindings);
    const entry = this.#entry(setting.id);
    const slot = this.#slot(setting, run);
    let started = false;
    const begin = () => {
      started = true;
      onStart();
    };
    slot.waiting += 1;
    // Who cancels while waiting need not wait for those before.
    const aborted = new Promise<RunEnd>((resolve) => {
      run.signal.addEventListener('abort', () => started || resolve({ code: 'ABORT' }), { once: true });
    });
    const turn = slot.queue.then(async (): Promise<RunEnd> => {
      await Promise.race([entry.installing, aborted]);
      if (run.signal.aborted) return { code: 'ABORT' };
      // The setting was changed or restarted meanwhile: it may be another's turn now, on another instance.
      if (entry.slots.get(slot.placement.key) !== slot) return this.run(found, run, begin, bindings);
      if (entry.status === 'ERROR') return { code: 'ERROR', message: `Interpreter ${setting.name} is not ready: ${entry.reason ?? 'its dependencies are missing'}` };
      begin();
      slot.run = run;
      slot.noteId = run.noteId;
      try {
        return await (await this.#interpreter(setting, slot)).run(run);
      } catch (error) {
        this.#options.log.error({ interpreter: setting.id, error: (error as Error).stack }, 'an interpreter failed');
        return { code: 'ERROR', message: (error as Error).message };
      } finally {
        slot.run = undefined;
      }
    }).finally(() => (slot.waiting -= 1));
    slot.queue = turn.catch(() => {});
    return Promise.race([turn, aborted]);
  }

  /** Completion; `[]` where there is none. */
  async complete(found: FoundInterpreter, caller: Caller, code: string, cursor: number): Promise<Completion[]> {
    const setting = this.#usable().find(({ id }) => id === found.name);
    if (!setting || !this.mayUse(setting, caller.principal) || this.#entry(setting.id).status !== 'READY') return [];
    const instance = await this.#interpreter(setting, this.#slot(setting, caller));
    return (await instance.complete?.(code, cursor)) ?? [];
  }

  /**
   * Ends a setting's instances; the next run starts them anew. With a caller only the one that serves his note, and all
   * that serve this note alone. Installs what is not installed. `undefined`: there is no such setting.
   */
  async restart(id: string, caller?: Caller): Promise<InterpreterSetting | undefined> {
    const setting = this.#usable().find((entry) => entry.id === id);
    if (!setting) return undefined;
    const entry = this.#entry(id);
    if (caller) {
      const key = this.#place(setting, caller).key;
      const concerned = [...entry.slots.values()].filter(({ placement }) => placement.key === key || placement.noteId === caller.noteId);
      await Promise.all(concerned.map((slot) => this.#end(id, slot)));
    } else await this.#endAll(entry);
    if (entry.status === 'ERROR') this.#install(entry);
    return this.setting(id);
  }

  /** A setting has changed, or is gone: its instances end, and what it depends on is installed. */
  async changed(id: string): Promise<void> {
    const entry = this.#entry(id);
    entry.stopInstalling.abort();
    const ended = this.#endAll(entry);
    const setting = this.#options.settings.get(id);
    this.#install(entry);
    await ended.catch((error: Error) => this.#options.log.warn({ interpreter: id, error: error.message }, 'an interpreter did not end well'));
    if (!setting && !this.#options.settings.get(id)) this.#entries.delete(id);
  }

  /** Ends the instances that serve a note alone: the note is gone. */
  async forget(noteId: string): Promise<void> {
    this.#apart.delete(noteId);
    await Promise.all([...this.#entries.values()].flatMap((entry) => [...entry.slots.values()].filter(({ placement }) => placement.noteId === noteId).map((slot) => this.#end(entry.id, slot))));
  }

  #install(entry: Entry): void {
    const { settings, secrets, repositories, data, log } = this.#options;
    const setting = settings.get(entry.id);
    const names = setting?.dependencies.map(({ groupArtifactVersion }) => groupArtifactVersion) ?? [];
    Object.assign(entry, { status: 'READY', reason: undefined });
    if (!setting || names.length === 0) return;
    const spec = this.#spec(setting);
    const fail = (reason: string) => Object.assign(entry, { status: 'ERROR', reason: `Cannot fetch dependencies for ${names.join(', ')}: ${reason}` });
    if (!spec.install) {
      fail(`interpreters of the group ${setting.group} take none on this server.`);
      return;
    }
    const stop = (entry.stopInstalling = new AbortController());
    entry.status = 'DOWNLOADING_DEPENDENCIES';
    const before = entry.installing;
    const { closing } = entry;
    entry.installing = (async () => {
      await before;
      await closing;
      if (stop.signal.aborted) return;
      try {
        const folder = await privateFolder(join(data, 'interpreters', entry.id));
        await spec.install!({ folder, dependencies: names, repositories: repositories(), properties: valuesOf(setting, spec, secrets), signal: stop.signal });
        if (!stop.signal.aborted) entry.status = 'READY';
      } catch (error) {
        if (stop.signal.aborted) return;
        log.warn({ interpreter: entry.id, error: (error as Error).message }, 'dependencies could not be installed');
        fail((error as Error).message);
      }
    })();
  }

  /** Ends all instances of a setting; who waits for one goes to a new one. */
  #endAll(entry: Entry): Promise<void> {
    const slots = [...entry.slots.values()];
    entry.slots = new Map();
    const ended = Promise.all(slots.map((slot) => this.#end(entry.id, slot)));
    entry.closing = Promise.all([entry.closing, ended]).catch(() => {});
    return ended.then(() => {});
  }

  async #end(id: string, slot: Slot): Promise<void> {
    const { interpreter } = slot;
    Object.assign(slot, { interpreter: undefined, tables: undefined, openFiles: false, status: 'READY', reason: undefined });
    const end = interpreter?.close();
    slot.closing = Promise.all([slot.closing, end]).catch(() => {});
    await end;
    const { slots } = this.#entry(id);
    if (slot.waiting === 0 && !slot.interpreter && slots.get(slot.placement.key) === slot) slots.delete(slot.placement.key);
  }

  #running(): { setting: string; slot: Slot }[] {
    return [...this.#entries.values()].flatMap(({ id, slots }) => [...slots.values()].filter(({ interpreter }) => interpreter).map((slot) => ({ setting: id, slot })));
  }

  /** The instances that are up, with whom each serves: undefined = many. */
  instances(): { session: InterpreterSession & { sessionId: string; interpreter: string }; noteId: string | undefined; principal: string | undefined }[] {
    return this.#running().map(({ setting, slot }) => ({
      session: {
        sessionId: slot.sessionId, interpreter: setting, state: slot.run ? 'Running' : 'Ready', startTime: slot.started.toISOString(),
        ...(slot.placement.noteId === undefined ? {} : { noteId: slot.placement.noteId }),
      },
      noteId: slot.placement.noteId, principal: slot.placement.principal,
    }));
  }

  /** Makes an instance for a note alone, whatever the setting's mode is; it serves the note until {@link endSession}. Resolves with its session id. */
  async openSession(id: string, caller: Caller): Promise<string> {
    const setting = this.#usable().find((entry) => entry.id === id);
    if (!setting) throw new Refusal(404, `No such interpreter: ${id}`);
    if (!this.mayUse(setting, caller.principal)) throw new Refusal(403, `You don't have permission to use interpreter ${id}.`);
    this.#apart.add(caller.noteId);
    const slot = this.#slot(setting, caller);
    await this.#interpreter(setting, slot);
    return slot.sessionId;
  }

  /** Ends the instance of a session; says whether there was one, and the note it was opened for. */
  async endSession(sessionId: string): Promise<{ noteId: string | undefined } | undefined> {
    const found = this.#running().find(({ slot }) => slot.sessionId === sessionId);
    if (!found) return undefined;
    const { noteId } = found.slot.placement;
    const opened = noteId !== undefined && this.#apart.delete(noteId);
    await this.#end(found.setting, found.slot);
    return { noteId: opened ? noteId : undefined };
  }

  /** Whether all settings are well. */
  health(): 'Healthy' | 'Degraded' {
    return this.settings().some(({ status }) => status === 'ERROR') ? 'Degraded' : 'Healthy';
  }

  /** Ends all. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const entry of this.#entries.values()) entry.stopInstalling.abort();
    await Promise.all(this.#running().map(({ slot }) => slot.interpreter?.close().catch(() => {})));
    await Promise.all([...this.#entries.values()].flatMap(({ closing, installing }) => [closing, installing]));
  }
}

const isNamed = (spec: InterpreterSpec, name: string): boolean => spec.name === name || (spec.aliases?.includes(name) ?? false);

function foldersOf(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name));
  } catch {
    return [];
  }
}
