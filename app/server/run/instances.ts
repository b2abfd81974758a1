/** The instances of the settings: made when first needed, in a folder of their own where they serve a note or a person alone. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DataLogin } from '../auth/credentials.ts';
import type { Secrets } from '../auth/secrets.ts';
import { accountOf } from '../auth/embed-access.ts';
import { Refusal } from '../errors.ts';
import { privateFolder } from '../files.ts';
import type {
  Interpreter,
  InterpreterSpec,
  Run,
  RunEnd,
  SparkPlace,
  TableExchange,
} from '../interpreters/contract.ts';
import { endLeftovers } from '../interpreters/process-group.ts';
import { createTableExchange, exchangeOn } from '../interpreters/tables.ts';
import type { Logger } from '../log.ts';
import type { Magpie } from '../magpie/index.ts';
import { valuesOf, type StoredSetting } from '../settings/setting.ts';
import type { InterpreterSettings } from '../settings/settings.ts';
import { injectCredentials, injectProperty } from '../interpreters/credential-text.ts';
import { MaskedOutput, maskPasswords, maskValues } from './masked-output.ts';
import type { Status } from './dependencies.ts';
import { placementOf, type Placement } from './placement.ts';

/** For whom something runs. */
export interface Caller {
  readonly noteId: string;
  readonly principal: string;
}

/** An instance and who waits for it; the interpreter is made by the first run. */
export interface Slot {
  readonly placement: Placement;
  /** Who asked for it last. */
  caller: string;
  interpreter: Interpreter | undefined;
  /** Passwords that were given to it. */
  passwords: Set<string>;
  sessionId: string;
  started: Date;
  /** End of its last run, in ms. */
  used: number;
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
}

interface Slots {
  current: Map<string, Slot>;
  /** The end of all instances before a change. */
  closing: Promise<unknown>;
}

/** What instances are made of. */
export interface InstancesOptions {
  data: string;
  files: string;
  settings: InterpreterSettings;
  secrets: Secrets;
  log: Logger;
  /** A user's logins by entity. */
  credentialsOf(principal: string): ReadonlyMap<string, DataLogin>;
  /** Where Spark of a user's own processes computes; rejects with a sentence where that does not run. */
  sparkOf(principal: string): Promise<SparkPlace | undefined>;
  /** Whether programs with the server's rights may run; asked at each use, because a second user changes it. */
  shellAllowed(): boolean;
  /** The platform behind `%magpie`. */
  magpie?: Magpie | undefined;
  /** Whether one person alone signs in. */
  isAlone(): boolean;
  /** Instances with processes of their own that are up at once. */
  maxInstances: number;
}

/** Who has not run anything on an instance for so long, in ms, may lose its variables to somebody who needs one. */
const IDLE_MS = 3_600_000;

/** See the head of this file. */
export class Instances {
  readonly #options: InstancesOptions;
  /** By id of the setting. */
  readonly #slots = new Map<string, Slots>();
  /** The setting whose tables a run of another interpreter sees. */
  readonly #sqlOf: (run: Run) => StoredSetting | undefined;
  /** Notes with processes of their own, whatever the settings say. */
  readonly apart = new Set<string>();
  #tables: TableExchange | undefined;
  #closed = false;

  constructor(options: InstancesOptions, sqlOf: (run: Run) => StoredSetting | undefined) {
    this.#options = options;
    this.#sqlOf = sqlOf;
    // Processes that a killed server left behind end before new ones start.
    for (const folder of foldersOf(join(options.data, 'interpreters'))) {
      endLeftovers(folder);
      for (const own of foldersOf(join(folder, 'own'))) endLeftovers(own);
    }
  }

  #of(id: string): Slots {
    let slots = this.#slots.get(id);
    if (!slots) this.#slots.set(id, (slots = { current: new Map(), closing: Promise.resolve() }));
    return slots;
  }

  /** Where a run of a setting goes. */
  placeOf(setting: StoredSetting, caller: Caller): Placement {
    return placementOf(
      setting.option,
      this.#options.settings.spec(setting.group)?.sessions ?? false,
      caller,
      this.apart.has(caller.noteId),
    );
  }

  /** The slot that serves a caller. */
  slot(setting: StoredSetting, caller: Caller): Slot {
    const { current } = this.#of(setting.id);
    const placement = this.placeOf(setting, caller);
    let slot = current.get(placement.key);
    if (!slot) {
      slot = {
        placement,
        caller: caller.principal,
        passwords: new Set(),
        interpreter: undefined,
        sessionId: '',
        started: new Date(),
        used: Date.now(),
        tables: undefined,
        status: 'READY',
        reason: undefined,
        openFiles: false,
        closing: Promise.resolve(),
        queue: Promise.resolve(),
        waiting: 0,
        run: undefined,
      };
      current.set(placement.key, slot);
    }
    slot.caller = caller.principal;
    return slot;
  }

  /** Whether a slot still serves; after a change of its setting another one does. */
  isCurrent(id: string, slot: Slot): boolean {
    return this.#of(id).current.get(slot.placement.key) === slot;
  }

  /** The slots of a setting. */
  of(id: string): Slot[] {
    return [...(this.#slots.get(id)?.current.values() ?? [])];
  }

  /** The end of a setting's instances before its last change. */
  closing(id: string): Promise<unknown> {
    return this.#of(id).closing;
  }

  /** The slots whose interpreter is up. */
  running(): { setting: string; slot: Slot }[] {
    return [...this.#slots.keys()].flatMap((setting) =>
      this.of(setting)
        .filter(({ interpreter }) => interpreter)
        .map((slot) => ({ setting, slot })),
    );
  }

  /** The interpreter of a slot, made when there is none. */
  async interpreter(setting: StoredSetting, slot: Slot): Promise<Interpreter> {
    // A slot that is waited for stays.
    slot.waiting += 1;
    try {
      return await this.#make(setting, slot);
    } finally {
      slot.waiting -= 1;
    }
  }

  async #make(setting: StoredSetting, slot: Slot): Promise<Interpreter> {
    const { data, files, log, magpie, secrets, settings } = this.#options;
    // Somebody else signs in now: what was given to the one person before is taken away.
    if (slot.openFiles && !this.#options.shellAllowed()) await this.end(setting.id, slot);
    if (slot.interpreter) return slot.interpreter;
    const spec = settings.spec(setting.group)!;
    const settingFolder = await privateFolder(join(data, 'interpreters', setting.id));
    const folder = slot.placement.folder
      ? await privateFolder(join(settingFolder, 'own', slot.placement.folder))
      : settingFolder;
    await this.closing(setting.id);
    await slot.closing;
    // From the last look on nothing is waited for: two that come at once do not both take the last place.
    for (let idle = this.#inTheWay(spec); idle; idle = this.#inTheWay(spec)) {
      log.info(
        { interpreter: idle.setting },
        'an interpreter that nobody used made room for another',
      );
      await this.end(idle.setting, idle.slot);
    }
    if (slot.interpreter) return slot.interpreter;
    if (this.#closed) throw new Error('The server is shutting down.');
    // Nobody would end what is made in a slot that is given up.
    if (!this.isCurrent(setting.id, slot))
      throw new Error('The interpreter was restarted before this began: run it again.');
    slot.openFiles = this.#options.shellAllowed();
    slot.started = new Date();
    slot.sessionId = this.#newSessionId(setting.id, slot.started);
    slot.interpreter = spec.create({
      folder,
      settingFolder,
      files,
      magpie,
      tables: this.#tablesOf(slot),
      dependencies: setting.dependencies.map(({ groupArtifactVersion }) => groupArtifactVersion),
      properties: valuesOf(setting, spec, secrets),
      openFiles: slot.openFiles,
      credential: (entity) => this.#credential(slot, entity, setting.name),
      spark: async () =>
        this.#servesOne(slot)
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

  /** The instance that has not been used for longest, where there is no room for another process; refuses where all are in use. */
  #inTheWay(spec: InterpreterSpec): { setting: string; slot: Slot } | undefined {
    const { settings } = this.#options;
    if (spec.sessions) return undefined;
    const all = this.running().filter(
      ({ setting }) => !settings.spec(settings.get(setting)?.group ?? '')?.sessions,
    );
    if (all.length < this.#options.maxInstances) return undefined;
    const idle = all
      .filter(({ slot }) => slot.waiting === 0 && !slot.run && Date.now() - slot.used > IDLE_MS)
      .sort((a, b) => a.slot.used - b.slot.used)[0];
    if (!idle) {
      throw new Refusal(
        503,
        `At most ${this.#options.maxInstances} interpreters are up at once on this server, and all are in use: restart one that is no longer needed, then run this again.`,
      );
    }
    return idle;
  }

  #newSessionId(id: string, started: Date): string {
    const taken = this.running().map(({ slot }) => slot.sessionId);
    for (let time = started.getTime(); ; time += 1)
      if (!taken.includes(`${id}_${time}`)) return `${id}_${time}`;
  }

  #servesOne(slot: Slot): boolean {
    return slot.placement.onePerson || this.#options.isAlone();
  }

  /** Only where nobody else's code runs: it could ask as well. */
  #credential(slot: Slot, entity: string, name: string): DataLogin {
    if (!this.#servesOne(slot))
      throw new Error(
        `Credentials are given only to an interpreter of one person: set ${name} to isolated per user.`,
      );
    const login = slot.run && this.#options.credentialsOf(slot.run.principal).get(entity);
    if (!login) throw new Error(`No such credential: ${entity}`);
    slot.passwords.add(login.password);
    return login;
  }

  /**
   * A run as its interpreter gets it: with its person's logins in the text where the setting says so, and an output that shows no
   * password the instance was ever given. Throws with a sentence where others share the instance.
   */
  prepare(
    setting: StoredSetting,
    slot: Slot,
    given: Run,
  ): { run: Run; finish(end: RunEnd): RunEnd } {
    const { passwords } = slot;
    const output = new MaskedOutput(given.output, passwords);
    const ask = given.request;
    // What is shared with pages is shown.
    const run = ask
      ? {
          ...given,
          request: (operation: string, values: Readonly<Record<string, unknown>>) =>
            ask(operation, maskValues(values, passwords) as Record<string, unknown>),
        }
      : given;
    const finish = (end: RunEnd): RunEnd => {
      output.finish();
      return end.code === 'ERROR'
        ? { ...end, message: maskPasswords(end.message, passwords) }
        : end;
    };
    if (
      valuesOf(setting, this.#options.settings.spec(setting.group)!, this.#options.secrets)[
        injectProperty.name
      ] !== 'true'
    )
      return { run: { ...run, output }, finish };
    const logins = this.#options.credentialsOf(run.principal);
    const code = injectCredentials(run.code, (entity) =>
      logins.has(entity) ? this.#credential(slot, entity, setting.name) : undefined,
    );
    return { run: { ...run, output, code, confidential: code !== run.code }, finish };
  }

  /** An engine answers for its own instance; all others use the engine that serves the note and person of the run. */
  #tablesOf(slot: Slot): TableExchange {
    const folder = join(this.#options.data, 'tables');
    this.#tables ??= createTableExchange(folder);
    const own = exchangeOn(folder);
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
      newFile: () => own.newFile(),
    };
  }

  /** Ends the interpreter of a slot; who waits for it gets a new one. */
  async end(id: string, slot: Slot): Promise<void> {
    const { interpreter } = slot;
    Object.assign(slot, {
      interpreter: undefined,
      tables: undefined,
      openFiles: false,
      status: 'READY',
      reason: undefined,
      passwords: new Set(),
    });
    const end = interpreter?.close();
    slot.closing = Promise.all([slot.closing, end]).catch(() => {});
    await end;
    if (slot.waiting === 0 && !slot.interpreter && this.isCurrent(id, slot))
      this.#of(id).current.delete(slot.placement.key);
  }

  /** Ends all instances of a setting; who waits for one goes where the setting now says. */
  endAll(id: string): Promise<void> {
    const slots = this.#of(id);
    const before = this.of(id);
    slots.current = new Map();
    const ended = Promise.all(before.map((slot) => this.end(id, slot)));
    slots.closing = Promise.all([slots.closing, ended]).catch(() => {});
    return ended.then(() => {});
  }

  /** Ends all of all settings; none is made afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.running().map(({ slot }) => slot.interpreter?.close().catch(() => {})));
    await Promise.all([...this.#slots.values()].map(({ closing }) => closing));
  }
}

function foldersOf(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(path, name));
  } catch {
    return [];
  }
}
