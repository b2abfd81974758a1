/**
 * The interpreters of a server: resolves which one a paragraph uses, checks permissions, and
 * queues runs. Runs on one instance execute one after another.
 */
import type {
  InterpreterSession,
  InterpreterSetting,
  InterpreterVariables,
} from '@tiding/client/protocol';
import { Refusal } from '../base/errors.ts';
import type { Interpreter, Run, RunEnd } from '../interpreters/contract.ts';
import type { StoredNote } from '../notes/note.ts';
import { interpreterGroup, type StoredSetting, shownProperties } from '../settings/setting.ts';
import { Dependencies, type DependenciesOptions } from './dependencies.ts';
import { InterpreterInstances } from './instances/instances.ts';
import type { InstancesOptions } from './instances/instances-options.ts';
import type { Caller } from './instances/slot.ts';
import {
  type FoundInterpreter,
  InterpreterLookup,
  type LookupOptions,
} from './interpreter-lookup.ts';
import { maskValues } from './output/masked-output.ts';

export type { Caller } from './instances/slot.ts';

/** What a process does; `dead`: it has ended, and its variables are lost. */
type ProcessState = 'none' | 'starting' | 'idle' | 'busy' | 'dead';

/** A running instance, and the note and user it serves; `undefined`: shared. */
export interface RunningInstance {
  readonly session: InterpreterSession & { sessionId: string; interpreter: string };
  readonly noteId: string | undefined;
  readonly principal: string | undefined;
}

/** Dependencies of {@link InterpreterPool}. */
export interface PoolOptions extends InstancesOptions, DependenciesOptions, LookupOptions {}

/** Options of a run; see {@link InterpreterPool.run}. */
interface PoolRunOptions {
  /** Bindings of the note, which determine whose tables the run can see. */
  readonly bindings?: readonly string[] | undefined;
  /** Whether it is part of a run of the whole note. */
  readonly isWhole?: boolean;
}

/** Resolves interpreters and runs code on their instances. */
export class InterpreterPool {
  readonly #options: PoolOptions;
  /** Finds the interpreter of a paragraph, and says who may use it. */
  readonly lookup: InterpreterLookup;
  readonly #instances: InterpreterInstances;
  readonly #dependencies: Dependencies;
  /** Bindings of the note of each current run. */
  readonly #bindingsOf = new WeakMap<Run, readonly string[]>();

  constructor(options: PoolOptions) {
    this.#options = options;
    this.lookup = new InterpreterLookup(options);
    this.#instances = new InterpreterInstances(options, (run) =>
      this.lookup.tables(run.principal, this.#bindingsOf.get(run)),
    );
    this.#dependencies = new Dependencies(options);
    for (const { id } of options.settings.all()) this.#dependencies.install(id, Promise.resolve());
  }

  /** Returns the state of the process that serves a user on a note; see `interpreterBinding`. */
  processOf(id: string, caller: Caller): ProcessState {
    const setting = this.lookup.get(id);
    if (!setting) return 'none';
    const { key } = this.#instances.placeOf(setting, caller);
    const slot = this.#instances.of(id).find(({ placement }) => placement.key === key);
    if (slot?.interpreter) return slot.run ? 'busy' : 'idle';
    if (slot && slot.waiting > 0) return 'starting';
    return this.#instances.ended.has(id, key) ? 'dead' : 'none';
  }

  settings(): InterpreterSetting[] {
    return this.lookup.usable().map((setting) => this.#wire(setting));
  }

  /** Returns one of {@link settings}. */
  setting(id: string): InterpreterSetting | undefined {
    const found = this.lookup.get(id);
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
      interpreterGroup: interpreterGroup(this.lookup.spec(setting)),
      option: { ...setting.option },
    };
  }

  /**
   * Returns the group of values that runs of an interpreter share with pages, for a user on a note.
   * Notes share a group; users with processes of their own have their own.
   */
  valueGroup({ name }: Pick<FoundInterpreter, 'name'>, caller: Caller): string {
    const setting = this.lookup.get(name);
    const group = setting && this.#instances.placeOf(setting, caller).valueGroup;
    return `${name}:${group ?? 'shared_process'}`;
  }

  /** Returns the value groups of all interpreters that a note binds and the user may use. */
  valueGroups(note: StoredNote, principal: string): string[] {
    const bound = this.lookup
      .usable()
      .filter(
        (setting) =>
          (note.bindings?.includes(setting.id) ?? true) && this.lookup.mayUse(setting, principal),
      );
    return bound.map((setting) => this.valueGroup(setting, { noteId: note.id, principal }));
  }

  /**
   * Queues a run on the instance that serves its note and user; `onStart` is called when it starts.
   * A run that is aborted while queued never starts.
   */
  async run(
    found: FoundInterpreter,
    run: Run,
    onStart: () => void,
    options: PoolRunOptions = {},
  ): Promise<RunEnd> {
    const { bindings, isWhole = false } = options;
    const setting = this.lookup.get(found.name);
    if (!setting) return { code: 'ERROR', message: this.lookup.explain(found.name, run) };
    if (!this.lookup.mayUse(setting, run.principal))
      return {
        code: 'ERROR',
        message:
          `Paragraph ${run.paragraphId}: you don't have permission to use interpreter ` +
          `${setting.name}.`,
      };
    if (bindings) this.#bindingsOf.set(run, bindings);
    const { noteId, principal, paragraphId } = run;
    const terminal = found.isTerminal ? paragraphId : undefined;
    const slot = this.#instances.slot(setting, { noteId, principal, terminal });
    let started = false;
    const begin = () => {
      started = true;
      onStart();
    };
    slot.waiting += 1;
    // A run cancelled while queued need not wait for the runs before it.
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
        // The setting was changed or restarted meanwhile: the run may now belong to another
        // instance, or to none.
        if (!this.#instances.isCurrent(setting.id, slot))
          return this.run(found, run, begin, options);
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
          slot.notes.add(run.noteId);
          const notice = this.#instances.ended.take(setting.id, slot);
          // A run of the whole note computes everything again.
          if (notice !== undefined && !isWhole)
            this.#options.notify({ notes: [noteId], principal: undefined, paragraphId }, notice);
          return finish(await interpreter.run(prepared.run));
        } catch (error) {
          // A refusal is a limit, not a fault.
          if (!(error instanceof Refusal))
            this.#options.log.error(
              { interpreter: setting.id, error: (error as Error).stack },
              'an interpreter failed',
            );
          const end: RunEnd = { code: 'ERROR', message: (error as Error).message };
          return finish ? finish(end) : end;
        } finally {
          slot.run = undefined;
          slot.used = performance.now();
          if (terminal !== undefined) await this.#instances.end(setting.id, slot);
        }
      })
      .finally(() => {
        slot.waiting -= 1;
        this.#instances.release(setting.id, slot);
      });
    slot.queue = turn.catch(() => {});
    return Promise.race([turn, aborted]);
  }

  /**
   * Asks the instance that serves a user on a note, for the editor. Resolves to undefined if the
   * user may not use it or it can't start now.
   */
  async ask<Answer>(
    found: FoundInterpreter,
    caller: Caller,
    question: (instance: Interpreter) => Promise<Answer> | undefined,
  ): Promise<Answer | undefined> {
    const setting = this.lookup.get(found.name);
    if (
      !setting ||
      !this.lookup.mayUse(setting, caller.principal) ||
      this.#dependencies.of(setting.id).status !== 'READY'
    )
      return undefined;
    const slot = this.#instances.slot(setting, caller);
    try {
      // Typing must not end a process that has variables.
      const instance = await this.#instances.interpreter(setting, slot, { mayEndOthers: false });
      return await question(instance);
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    } finally {
      this.#instances.release(setting.id, slot);
    }
  }

  /**
   * Returns the variables of the running instances that serve a user on a note, of those that can
   * list them. Settings are named by their ids.
   */
  async variables(caller: Caller): Promise<InterpreterVariables[]> {
    const listed = this.#instances.running().map(async ({ setting: interpreter, slot }) => {
      const setting = this.lookup.get(interpreter);
      const place = setting && this.#instances.placeOf(setting, caller);
      if (place?.key !== slot.placement.key || !this.lookup.mayUse(setting!, caller.principal))
        return [];
      const all = await slot.interpreter?.variables?.();
      if (!all) return [];
      // A password that the code has received may be the value of a variable.
      const variables = maskValues(all.variables, slot.passwords) as typeof all.variables;
      return [{ interpreter, ...all, variables }];
    });
    return (await Promise.all(listed)).flat();
  }

  /** Whether the instance that serves a user on a note also serves other notes and users. */
  isShared(id: string, caller: Caller): boolean {
    const setting = this.lookup.get(id);
    const place = setting && this.#instances.placeOf(setting, caller);
    return place !== undefined && place.noteId === undefined && place.principal === undefined;
  }

  /**
   * Ends a setting's instances; the next run starts new ones. With a caller, ends only the instance
   * that serves them on their note, those that serve only this note, and its terminals. Retries
   * failed installations. Returns `undefined` if there is no such setting.
   * @param why continues "Interpreter python ended", for the users who lose something by it
   */
  async restart(
    id: string,
    caller?: Caller,
    why = 'because it was restarted',
  ): Promise<InterpreterSetting | undefined> {
    const setting = this.lookup.get(id);
    if (!setting) return undefined;
    const reason = { text: why };
    if (caller) {
      const { key } = this.#instances.placeOf(setting, caller);
      const concerned = this.#instances
        .of(id)
        .filter(
          ({ placement, run }) =>
            placement.key === key ||
            placement.noteId === caller.noteId ||
            (run?.openTerminal && run.noteId === caller.noteId),
        );
      await Promise.all(concerned.map((slot) => this.#instances.end(id, slot, reason)));
    } else await this.#instances.endAll(id, reason);
    if (this.#dependencies.of(id).status === 'ERROR')
      this.#dependencies.install(id, this.#instances.closing(id));
    return this.setting(id);
  }

  /**
   * Applies a created, changed or removed setting: ends its instances and installs its
   * dependencies.
   */
  async changed(id: string): Promise<void> {
    const ended = this.#instances.endAll(id, { text: 'because its setting was changed' });
    this.#dependencies.install(id, this.#instances.closing(id));
    await ended.catch((error: Error) =>
      this.#options.log.warn(
        { interpreter: id, error: error.message },
        'an interpreter could not be ended',
      ),
    );
  }

  /** Ends the instances that serve only a removed note. */
  forget(noteId: string): Promise<void> {
    return this.#instances.forget(noteId);
  }

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

  /**
   * Creates an instance for one note, regardless of the setting's mode, until {@link endSession}.
   * Resolves with its session id.
   */
  async openSession(id: string, caller: Caller): Promise<string> {
    const setting = this.lookup.get(id);
    if (!setting) throw new Refusal(404, `No such interpreter: ${id}`);
    if (!this.lookup.mayUse(setting, caller.principal))
      throw new Refusal(403, `You don't have permission to use interpreter ${id}.`);
    this.#instances.apart.add(caller.noteId);
    const slot = this.#instances.slot(setting, caller);
    await this.#instances.interpreter(setting, slot);
    return slot.sessionId;
  }

  /** Ends a session's instance and returns its note; `undefined` if there is no such session. */
  async endSession(sessionId: string): Promise<string | undefined> {
    const found = this.#instances.running().find(({ slot }) => slot.sessionId === sessionId);
    if (!found) return undefined;
    const { noteId } = found.slot.placement;
    const opened = noteId !== undefined && this.#instances.apart.delete(noteId);
    await this.#instances.end(found.setting, found.slot);
    return opened ? noteId : undefined;
  }

  health(): 'Healthy' | 'Degraded' {
    return this.settings().some(({ status }) => status === 'ERROR') ? 'Degraded' : 'Healthy';
  }

  async close(): Promise<void> {
    await Promise.all([this.#dependencies.close(), this.#instances.close()]);
  }
}
