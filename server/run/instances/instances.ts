/**
 * Running instances of the interpreter settings. An instance is created on first use, in its own
 * folder if it serves a single note or user.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { accountOf } from '../../auth/embed-access.ts';
import { Refusal } from '../../base/errors.ts';
import { timeText } from '../../base/limits.ts';
import type {
  Interpreter,
  InterpreterSpec,
  Run,
  TableExchange,
} from '../../interpreters/contract.ts';
import { SpareKernel } from '../../interpreters/kernels/spare-kernel.ts';
import { createTableExchange, exchangeOn } from '../../interpreters/tables.ts';
import { type StoredSetting, settingValues } from '../../settings/setting.ts';
import { privateFolder } from '../../storage/files.ts';
import { RunCredentials } from '../run-credentials.ts';
import { EndedInstances, type EndReason } from './ended-instances.ts';
import type { InstancesOptions } from './instances-options.ts';
import { removeLeftovers } from './leftovers.ts';
import { fileScopeOf, folderOfNote, type Placement, placementOf } from './placement.ts';
import { isIdle, processInTheWay, type RunningSlot } from './process-limits.ts';
import { type Caller, newSlot, type Slot, withoutInterpreter } from './slot.ts';

interface Slots {
  current: Map<string, Slot>;
  /** Settles when all instances from before a change have ended. */
  closing: Promise<unknown>;
}

/** Maximum time between two searches for idle processes, in ms. */
const IDLE_CHECK_MS = 60_000;

export class InterpreterInstances {
  readonly #options: InstancesOptions;
  readonly #credentials: RunCredentials;
  /** By setting id. */
  readonly #slots = new Map<string, Slots>();
  /** Returns the setting whose tables are visible to a run of another interpreter. */
  readonly #sqlOf: (run: Run) => StoredSetting | undefined;
  /** Notes with separate processes, regardless of their settings. */
  readonly apart = new Set<string>();
  /** What the users of ended instances have lost. */
  readonly ended: EndedInstances;
  readonly #idleCheck: NodeJS.Timeout;
  readonly #spare: SpareKernel | undefined;
  #tables: TableExchange | undefined;
  #closed = false;

  constructor(options: InstancesOptions, sqlOf: (run: Run) => StoredSetting | undefined) {
    this.#options = options;
    this.#credentials = new RunCredentials(options);
    this.#sqlOf = sqlOf;
    this.ended = new EndedInstances(options.notify);
    this.#idleCheck = setInterval(
      () => this.#endIdle(),
      Math.min(options.maxIdleMs, IDLE_CHECK_MS),
    ).unref();
    if (options.spareKernel) this.#spare = new SpareKernel(options, () => this.#hasRoomForSpare());
    removeLeftovers(join(options.data, 'interpreters'));
  }

  #of(id: string): Slots {
    let slots = this.#slots.get(id);
    if (!slots) this.#slots.set(id, (slots = { current: new Map(), closing: Promise.resolve() }));
    return slots;
  }

  placeOf(setting: StoredSetting, caller: Caller): Placement {
    return placementOf(
      setting.option,
      this.#options.settings.spec(setting.group)?.sessions ?? false,
      caller,
      this.apart.has(caller.noteId),
    );
  }

  slot(setting: StoredSetting, caller: Caller): Slot {
    const { current } = this.#of(setting.id);
    const placement = this.placeOf(setting, caller);
    let slot = current.get(placement.key);
    if (!slot) {
      slot = newSlot(placement, caller.principal);
      current.set(placement.key, slot);
    }
    slot.caller = caller.principal;
    return slot;
  }

  /** Returns whether a slot is still in use; a change of its setting replaces it. */
  isCurrent(id: string, slot: Slot): boolean {
    return this.#of(id).current.get(slot.placement.key) === slot;
  }

  of(id: string): Slot[] {
    return [...(this.#slots.get(id)?.current.values() ?? [])];
  }

  /** Settles when the instances from before the setting's last change have ended. */
  closing(id: string): Promise<unknown> {
    return this.#of(id).closing;
  }

  running(): RunningSlot[] {
    return [...this.#slots.keys()].flatMap((setting) =>
      this.of(setting)
        .filter(({ interpreter }) => interpreter)
        .map((slot) => ({ setting, slot })),
    );
  }

  /**
   * Returns the interpreter of a slot, and creates it if needed. Throws a 503 refusal if that
   * exceeds a limit, with `mayEndOthers` only if no idle process can be ended.
   */
  async interpreter(
    setting: StoredSetting,
    slot: Slot,
    { mayEndOthers = true } = {},
  ): Promise<Interpreter> {
    // Counting the caller as waiting keeps the slot from being removed.
    slot.waiting += 1;
    try {
      return await this.#make(setting, slot, mayEndOthers);
    } finally {
      slot.waiting -= 1;
    }
  }

  async #make(setting: StoredSetting, slot: Slot, mayEndOthers: boolean): Promise<Interpreter> {
    const { data, files, log, magpie, secrets, settings, shellAllowed } = this.#options;
    // It has logins of a user who was alone, and now other users may run code in it.
    if (slot.hasLogin && !this.#credentials.servesOne(slot))
      await this.end(setting.id, slot, {
        text: 'because it has used credentials and other users can sign in now',
        inNextRun: true,
      });
    if (slot.interpreter) return slot.interpreter;
    const spec = settings.spec(setting.group)!;
    const settingFolder = await privateFolder(join(data, 'interpreters', setting.id));
    const folder = slot.placement.folder
      ? await privateFolder(join(settingFolder, 'own', slot.placement.folder))
      : settingFolder;
    await this.closing(setting.id);
    await slot.closing;
    // No `await` after the last check: two concurrent callers must not both take the last place.
    const owner = accountOf(slot.run?.principal ?? slot.caller);
    const inTheWay = () => this.#inTheWay(setting, slot, owner);
    for (let idle = inTheWay(); idle; idle = inTheWay()) {
      if (!mayEndOthers) throw new Refusal(503, 'The limit of interpreter processes is reached.');
      log.info({ interpreter: idle.setting }, 'ended an idle interpreter to make room for another');
      await this.end(idle.setting, idle.slot, {
        text: 'to make room for another process',
        inNextRun: true,
      });
    }
    if (slot.interpreter) return slot.interpreter;
    // The limit is for processes that somebody uses.
    if (this.#hasProcess(setting.id, slot) && !this.#hasRoomForSpare()) void this.#spare?.end();
    if (this.#closed) throw new Error('The server is shutting down.');
    // An interpreter created in an abandoned slot would never be ended.
    if (!this.isCurrent(setting.id, slot))
      throw new Error('The interpreter was restarted before this run began. Run it again.');
    slot.owner = owner;
    slot.started = new Date();
    slot.used = performance.now();
    slot.sessionId = this.#newSessionId(setting.id, slot.started);
    const fileFolders = () => files.foldersOf(fileScopeOf(slot.placement, shellAllowed()));
    slot.interpreter = spec.create({
      settingName: setting.name,
      noteId: slot.placement.noteId,
      folder,
      settingFolder,
      get fileFolders() {
        return fileFolders();
      },
      get files() {
        return fileFolders()[0];
      },
      prepareFiles: () => files.prepare(fileFolders()[0]),
      magpie,
      tables: this.#tablesOf(slot),
      spare: this.#spare,
      dependencies: setting.dependencies.map(({ groupArtifactVersion }) => groupArtifactVersion),
      properties: settingValues(setting, spec, secrets),
      get openFiles() {
        return shellAllowed();
      },
      engineMegabytes: this.#options.engineMegabytes,
      maxIdleMs: this.#options.maxIdleMs,
      credential: (entity, options) =>
        this.#credentials.credential(slot, entity, setting.name, options),
      spark: async () =>
        this.#credentials.servesOne(slot)
          ? this.#options.sparkOf(accountOf(slot.placement.principal ?? slot.caller))
          : undefined,
      setStatus(status, reason) {
        slot.status = status;
        slot.reason = reason;
      },
      log: (message, fields) => log.info({ interpreter: setting.id, ...fields }, message),
    });
    return slot.interpreter;
  }

  #specOf(setting: string): InterpreterSpec | undefined {
    const { settings } = this.#options;
    return settings.spec(settings.get(setting)?.group ?? '');
  }

  /** Returns whether a slot has a process that serves only its note or user. */
  #hasProcess(setting: string, { placement }: Slot): boolean {
    const spec = this.#specOf(setting);
    return !spec?.sessions || (spec.sharesProcess === true && placement.folder !== '');
  }

  #processes(): RunningSlot[] {
    return this.running().filter(({ setting, slot }) => this.#hasProcess(setting, slot));
  }

  /** Whether a process that nobody uses still leaves room for another one. */
  #hasRoomForSpare(): boolean {
    return this.#processes().length + 1 < this.#options.maxInstances;
  }

  #inTheWay({ id }: StoredSetting, slot: Slot, owner: string): RunningSlot | undefined {
    if (!this.#hasProcess(id, slot)) return undefined;
    return processInTheWay(this.#processes(), owner, this.#options, performance.now());
  }

  /** Ends the instances that hold a process and were unused for too long. */
  #endIdle(): void {
    const { maxIdleMs, log } = this.#options;
    const now = performance.now();
    for (const { setting, slot } of this.running()) {
      const spec = this.#specOf(setting);
      if (spec?.sessions && !spec.sharesProcess) continue;
      if (!isIdle(slot) || now - slot.used < maxIdleMs) continue;
      log.info({ interpreter: setting }, 'ended an interpreter that was not used');
      const text = `after ${timeText(maxIdleMs)} without a run`;
      this.end(setting, slot, { text, inNextRun: true }).catch((error: Error) =>
        log.warn(
          { interpreter: setting, error: error.message },
          'an idle interpreter could not be ended',
        ),
      );
    }
  }

  #newSessionId(id: string, started: Date): string {
    const taken = this.running().map(({ slot }) => slot.sessionId);
    for (let time = started.getTime(); ; time += 1)
      if (!taken.includes(`${id}_${time}`)) return `${id}_${time}`;
  }

  /** Prepares a run for its interpreter; see {@link RunCredentials.prepare}. */
  prepare(setting: StoredSetting, slot: Slot, run: Run): ReturnType<RunCredentials['prepare']> {
    return this.#credentials.prepare(setting, slot, run);
  }

  /**
   * Returns the table exchange for a slot: an engine uses its own; all others use the engine that
   * serves the run's note and user.
   */
  #tablesOf(slot: Slot): TableExchange {
    // Engines that are confined to different files must not see each other's tables either.
    const exchangeOf = ({ folder }: Placement): TableExchange => {
      this.#tables ??= createTableExchange(join(this.#options.data, 'tables'));
      return exchangeOn(join(this.#options.data, 'tables', folder || 'common'));
    };
    const own = exchangeOf(slot.placement);
    const serving = async (): Promise<TableExchange> => {
      const setting = slot.tables || !slot.run ? undefined : this.#sqlOf(slot.run);
      if (!setting || !slot.run) return slot.tables ?? own;
      const engine = this.slot(setting, slot.run);
      await this.interpreter(setting, engine);
      return engine.tables ?? own;
    };
    return {
      setOwner: (owner) => {
        own.setOwner(owner);
        slot.tables = own;
      },
      exportTable: async (query, signal) => (await serving()).exportTable(query, signal),
      importTable: async (name, file, signal) => (await serving()).importTable(name, file, signal),
      newFile: () => {
        const setting = slot.tables || !slot.run ? undefined : this.#sqlOf(slot.run);
        if (!setting || !slot.run) return own.newFile();
        return exchangeOf(this.placeOf(setting, slot.run)).newFile();
      },
    };
  }

  /**
   * Ends the interpreter of a slot; waiting runs get a new one. The users who lose something by it
   * are told the reason, if there is one.
   */
  async end(id: string, slot: Slot, reason?: EndReason): Promise<void> {
    const { interpreter } = slot;
    if (reason) this.ended.add(id, slot, reason);
    Object.assign(slot, withoutInterpreter());
    const end = interpreter?.close();
    slot.closing = Promise.all([slot.closing, end]).catch(() => {});
    await end;
    this.release(id, slot);
  }

  /** Ends the instances that serve only a removed note, and deletes their files. */
  async forget(noteId: string): Promise<void> {
    const { data, engineMegabytes, files, secrets, settings, shellAllowed } = this.#options;
    this.apart.delete(noteId);
    this.ended.forget(noteId);
    const concerned = this.running().filter(({ slot }) => slot.placement.noteId === noteId);
    await Promise.all(concerned.map(({ setting, slot }) => this.end(setting, slot)));
    await rm(join(data, 'tables', folderOfNote(noteId)), { recursive: true, force: true });
    // Nothing would end an engine that is opened now.
    if (this.#closed) return;
    for (const setting of settings.all()) {
      const folder = join(data, 'interpreters', setting.id);
      await rm(join(folder, 'own', folderOfNote(noteId)), { recursive: true, force: true });
      const spec = settings.spec(setting.group)!;
      const tables = exchangeOn(join(data, 'tables', 'common'));
      const properties = settingValues(setting, spec, secrets);
      const openFiles = shellAllowed();
      const fileFolders = files.foldersOf({});
      await spec.forgetNote?.(
        { folder, fileFolders, tables, properties, openFiles, engineMegabytes },
        noteId,
      );
    }
  }

  /** Forgets a slot that has no interpreter and no runs. */
  release(id: string, slot: Slot): void {
    if (slot.waiting === 0 && !slot.interpreter && this.isCurrent(id, slot))
      this.#of(id).current.delete(slot.placement.key);
  }

  /**
   * Ends all instances of a setting; waiting runs move to the instance that the setting now
   * selects.
   */
  endAll(id: string, reason?: EndReason): Promise<void> {
    const slots = this.#of(id);
    const before = this.of(id);
    slots.current = new Map();
    const ended = Promise.all([
      ...before.map((slot) => this.end(id, slot, reason)),
      this.#spare?.end(join(this.#options.data, 'interpreters', id)),
    ]);
    slots.closing = Promise.all([slots.closing, ended]).catch(() => {});
    return ended.then(() => {});
  }

  /** Ends all instances of all settings. No more are created afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#idleCheck);
    await Promise.all([
      this.#spare?.close(),
      ...this.running().map(({ slot }) => slot.interpreter?.close().catch(() => {})),
    ]);
    await Promise.all([...this.#slots.values()].map(({ closing }) => closing));
  }
}
