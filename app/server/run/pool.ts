/** The interpreters of a server: which one a paragraph means, who may use it, and its turn; runs of one instance go one after another. */
import type {
  Completion,
  InterpreterBinding,
  InterpreterSession,
  InterpreterSetting,
} from 'tiding/protocol';
import { accountOf } from '../auth/embed-access.ts';
import { Refusal } from '../errors.ts';
import type { InterpreterSpec, Run, RunEnd } from '../interpreters/contract.ts';
import type { StoredNote } from '../notes/note.ts';
import { interpreterGroup, shownProperties, type StoredSetting } from '../settings/setting.ts';
import { Dependencies, type DependenciesOptions } from './dependencies.ts';
import { Instances, type Caller, type InstancesOptions } from './instances.ts';

export type { Caller } from './instances.ts';

/** An interpreter that a paragraph names. */
export interface FoundInterpreter {
  /** Id and name of its setting. */
  readonly name: string;
  /** Name of the interpreter it is of. */
  readonly group: string;
  readonly editor: InterpreterSpec['editor'];
}

/** An instance that is up, and whom it serves: undefined = many. */
export interface RunningInstance {
  readonly session: InterpreterSession & { sessionId: string; interpreter: string };
  readonly noteId: string | undefined;
  readonly principal: string | undefined;
}

/** What the pool is made of. */
export interface PoolOptions extends InstancesOptions, DependenciesOptions {
  /** Roles a user holds now. */
  rolesOf(principal: string): readonly string[];
}

/** See the head of this file. */
export class InterpreterPool {
  readonly #options: PoolOptions;
  readonly #instances: Instances;
  readonly #dependencies: Dependencies;
  /** Bindings of the note of a run that goes on. */
  readonly #bindingsOf = new WeakMap<Run, readonly string[]>();

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#instances = new Instances(options, (run) => this.#sqlOf(run));
    this.#dependencies = new Dependencies(options);
    for (const { id } of options.settings.all()) this.#dependencies.install(id, Promise.resolve());
  }

  #spec({ group }: StoredSetting): InterpreterSpec {
    return this.#options.settings.spec(group)!;
  }

  /** Whether settings of a spec may be used now. */
  isUsable(spec: InterpreterSpec): boolean {
    return !spec.shell || this.#options.shellAllowed();
  }

  #usable(): StoredSetting[] {
    return this.#options.settings.all().filter((setting) => this.isUsable(this.#spec(setting)));
  }

  #get(id: string): StoredSetting | undefined {
    return this.#usable().find((setting) => setting.id === id);
  }

  #lookUp(magic: string | undefined, note: StoredNote): StoredSetting | undefined {
    const usable = this.#usable();
    const first = note.bindings
      ?.map((id) => usable.find((setting) => setting.id === id))
      .find(Boolean);
    if (magic === undefined) return first ?? usable[0];
    const [place = '', name, more] = magic.split('.');
    if (more !== undefined) return undefined;
    const own =
      usable.find(({ id }) => id === place) ??
      usable.find((setting) => setting.id === setting.group && isNamed(this.#spec(setting), place));
    if (name !== undefined) return own && isNamed(this.#spec(own), name) ? own : undefined;
    // A name inside the first bound setting comes before the setting of that name, as upstream has it.
    return first && isNamed(this.#spec(first), magic) ? first : own;
  }

  /** The interpreter a magic means on a note; without magic the note's default. `undefined`: there is none. */
  find(magic: string | undefined, note: StoredNote): FoundInterpreter | undefined {
    const setting = this.#lookUp(magic, note);
    return (
      setting && { name: setting.id, group: setting.group, editor: this.#spec(setting).editor }
    );
  }

  /** Why a magic has no interpreter. */
  explain(magic: string | undefined): string {
    const off = this.#options.settings
      .all()
      .find(
        (setting) =>
          this.#spec(setting).shell &&
          (setting.id === magic || isNamed(this.#spec(setting), magic ?? '')),
      );
    if (off)
      return `Interpreter ${magic} is turned off on this server: more than one person signs in. An administrator can turn it on with --shell.`;
    return `Interpreter ${magic ?? ''} not found`;
  }

  /** Whether a person may use a setting. */
  mayUse({ option }: Pick<StoredSetting, 'option'>, principal: string): boolean {
    if (!option.setPermission) return true;
    const names = [accountOf(principal), ...this.#options.rolesOf(principal)];
    return option.owners.some((owner) => names.includes(owner));
  }

  /** The settings as they go over the wire. */
  settings(): InterpreterSetting[] {
    return this.#usable().map((setting) => this.#wire(setting));
  }

  /** One of {@link settings}. */
  setting(id: string): InterpreterSetting | undefined {
    const found = this.#get(id);
    return found && this.#wire(found);
  }

  #wire(setting: StoredSetting): InterpreterSetting {
    const all = [this.#dependencies.of(setting.id), ...this.#instances.of(setting.id)];
    const told =
      all.find(({ status }) => status === 'ERROR') ?? all.find(({ status }) => status !== 'READY');
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
      return setting
        ? [
            {
              id,
              name: setting.name,
              selected: bound.includes(id),
              interpreters: interpreterGroup(this.#spec(setting)),
            },
          ]
        : [];
    });
  }

  /** Group of the values that runs of an interpreter share with pages, for a person on a note: one for each of its processes. */
  valueGroup({ name }: Pick<FoundInterpreter, 'name'>, caller: Caller): string {
    const setting = this.#get(name);
    return `${name}:${(setting && this.#instances.placeOf(setting, caller).folder) || 'shared_process'}`;
  }

  /** The groups of values of the interpreters that a note binds and a person may use. */
  valueGroups(note: StoredNote, principal: string): string[] {
    const bound = this.#usable().filter(
      (setting) => (note.bindings?.includes(setting.id) ?? true) && this.mayUse(setting, principal),
    );
    return bound.map((setting) => this.valueGroup(setting, { noteId: note.id, principal }));
  }

  /** The setting whose tables a run sees: the first SQL one that its note binds, else `sql`. */
  #sqlOf(run: Run): StoredSetting | undefined {
    const all = this.#usable().filter(
      (setting) => setting.group === 'sql' && this.mayUse(setting, run.principal),
    );
    const bound = this.#bindingsOf
      .get(run)
      ?.map((id) => all.find((setting) => setting.id === id))
      .find(Boolean);
    return bound ?? all.find(({ id }) => id === 'sql') ?? all[0];
  }

  /**
   * Queues a run on the instance that serves its note and person; `onStart` is called when its turn has come. A run that
   * is aborted while it waits never starts. `bindings` of the note say whose tables it sees.
   */
  run(
    found: FoundInterpreter,
    run: Run,
    onStart: () => void,
    bindings?: readonly string[],
  ): Promise<RunEnd> {
    const setting = this.#get(found.name);
    if (!setting) return Promise.resolve({ code: 'ERROR', message: this.explain(found.name) });
    if (!this.mayUse(setting, run.principal)) {
      return Promise.resolve({
        code: 'ERROR',
        message: `Paragraph ${run.paragraphId}: you don't have permission to use interpreter ${setting.name}.`,
      });
    }
    if (bindings) this.#bindingsOf.set(run, bindings);
    const slot = this.#instances.slot(setting, run);
    let started = false;
    const begin = () => {
      started = true;
      onStart();
    };
    slot.waiting += 1;
    // Who cancels while waiting need not wait for those before.
    const aborted = new Promise<RunEnd>((resolve) => {
      run.signal.addEventListener('abort', () => started || resolve({ code: 'ABORT' }), {
        once: true,
      });
    });
    const turn = slot.queue
      .then(async (): Promise<RunEnd> => {
        while (
          !run.signal.aborted &&
          this.#dependencies.of(setting.id).status === 'DOWNLOADING_DEPENDENCIES'
        ) {
          await Promise.race([this.#dependencies.of(setting.id).done, aborted]);
        }
        if (run.signal.aborted) return { code: 'ABORT' };
        // The setting was changed or restarted meanwhile: now it may be another instance, or none.
        if (!this.#instances.isCurrent(setting.id, slot))
          return this.run(found, run, begin, bindings);
        const { status, reason = 'its dependencies are missing' } = this.#dependencies.of(
          setting.id,
        );
        if (status === 'ERROR')
          return { code: 'ERROR', message: `Interpreter ${setting.name} is not ready: ${reason}` };
        begin();
        slot.run = run;
        let finish: ((end: RunEnd) => RunEnd) | undefined;
        try {
          const interpreter = await this.#instances.interpreter(setting, slot);
          const prepared = this.#instances.prepare(setting, slot, run);
          finish = prepared.finish;
          return finish(await interpreter.run(prepared.run));
        } catch (error) {
          this.#options.log.error(
            { interpreter: setting.id, error: (error as Error).stack },
            'an interpreter failed',
          );
          const end: RunEnd = { code: 'ERROR', message: (error as Error).message };
          return finish ? finish(end) : end;
        } finally {
          slot.run = undefined;
          slot.used = Date.now();
        }
      })
      .finally(() => (slot.waiting -= 1));
    slot.queue = turn.catch(() => {});
    return Promise.race([turn, aborted]);
  }

  /** Completion; `[]` where there is none. */
  async complete(
    found: FoundInterpreter,
    caller: Caller,
    code: string,
    cursor: number,
  ): Promise<Completion[]> {
    const setting = this.#get(found.name);
    if (
      !setting ||
      !this.mayUse(setting, caller.principal) ||
      this.#dependencies.of(setting.id).status !== 'READY'
    )
      return [];
    const instance = await this.#instances.interpreter(
      setting,
      this.#instances.slot(setting, caller),
    );
    return (await instance.complete?.(code, cursor, caller)) ?? [];
  }

  /**
   * Ends a setting's instances; the next run starts them anew. With a caller only the one that serves him on his note, and
   * all that serve this note alone. Tries again what could not be installed. `undefined`: there is no such setting.
   */
  async restart(id: string, caller?: Caller): Promise<InterpreterSetting | undefined> {
    const setting = this.#get(id);
    if (!setting) return undefined;
    if (caller) {
      const { key } = this.#instances.placeOf(setting, caller);
      const concerned = this.#instances
        .of(id)
        .filter(({ placement }) => placement.key === key || placement.noteId === caller.noteId);
      await Promise.all(concerned.map((slot) => this.#instances.end(id, slot)));
    } else await this.#instances.endAll(id);
    if (this.#dependencies.of(id).status === 'ERROR')
      this.#dependencies.install(id, this.#instances.closing(id));
    return this.setting(id);
  }

  /** A setting was made, changed or removed: its instances end, and what it depends on is installed. */
  async changed(id: string): Promise<void> {
    const ended = this.#instances.endAll(id);
    this.#dependencies.install(id, this.#instances.closing(id));
    await ended.catch((error: Error) =>
      this.#options.log.warn(
        { interpreter: id, error: error.message },
        'an interpreter did not end well',
      ),
    );
  }

  /** Ends the instances that serve a note alone: the note is gone. */
  async forget(noteId: string): Promise<void> {
    this.#instances.apart.delete(noteId);
    const concerned = this.#instances
      .running()
      .filter(({ slot }) => slot.placement.noteId === noteId);
    await Promise.all(concerned.map(({ setting, slot }) => this.#instances.end(setting, slot)));
  }

  /** The instances that are up. */
  instances(): RunningInstance[] {
    return this.#instances.running().map(
      ({
        setting,
        slot: {
          sessionId,
          run,
          started,
          placement: { noteId, principal },
        },
      }) => ({
        session: {
          sessionId,
          interpreter: setting,
          state: run ? 'Running' : 'Ready',
          startTime: started.toISOString(),
          ...(noteId === undefined ? {} : { noteId }),
        },
        noteId,
        principal,
      }),
    );
  }

  /** Makes an instance for a note alone, whatever the setting's mode is, until {@link endSession}. Resolves with its session id. */
  async openSession(id: string, caller: Caller): Promise<string> {
    const setting = this.#get(id);
    if (!setting) throw new Refusal(404, `No such interpreter: ${id}`);
    if (!this.mayUse(setting, caller.principal))
      throw new Refusal(403, `You don't have permission to use interpreter ${id}.`);
    this.#instances.apart.add(caller.noteId);
    const slot = this.#instances.slot(setting, caller);
    await this.#instances.interpreter(setting, slot);
    return slot.sessionId;
  }

  /** Ends the instance of a session; answers the note it was opened for, `undefined` where there is none. */
  async endSession(sessionId: string): Promise<string | undefined> {
    const found = this.#instances.running().find(({ slot }) => slot.sessionId === sessionId);
    if (!found) return undefined;
    const { noteId } = found.slot.placement;
    const opened = noteId !== undefined && this.#instances.apart.delete(noteId);
    await this.#instances.end(found.setting, found.slot);
    return opened ? noteId : undefined;
  }

  /** Whether all settings are well. */
  health(): 'Healthy' | 'Degraded' {
    return this.settings().some(({ status }) => status === 'ERROR') ? 'Degraded' : 'Healthy';
  }

  /** Ends all. */
  async close(): Promise<void> {
    await Promise.all([this.#dependencies.close(), this.#instances.close()]);
  }
}

const isNamed = (spec: InterpreterSpec, name: string): boolean =>
  spec.name === name || (spec.aliases?.includes(name) ?? false);
