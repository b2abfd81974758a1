/** Interpreter settings, what they are made of, and the repositories of their dependencies. */
import type { CallOptions } from '../core/abort.ts';
import type { Context } from '../context.ts';
import type {
  Bag,
  Dependency,
  InterpreterSession,
  InterpreterSetting,
  InterpreterTemplate,
  NewRepository,
  NewSetting,
  Repository,
} from '../protocol/index.ts';

/** What changes in a setting; parts that are left out stay. */
export interface SettingChange {
  /** Run mode, permission, existing process: fields as in a setting's `option`. */
  option?: Bag;
  /** By key: `{name, value, type}`. */
  properties?: Bag;
  /** All of them: what is not listed goes. */
  dependencies?: Dependency[];
}

/**
 * Interpreter settings. Calls that change need the role that the server asks for (401 or 403 without it); a change of a
 * setting restarts its processes.
 */
export class Interpreters {
  readonly #context: Context;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
  }

  /** The settings the user may see; also in the client's state (`state.interpreters`). */
  async list(options: CallOptions = {}): Promise<readonly InterpreterSetting[]> {
    const settings = await this.#context.call('listSettings', options);
    this.#context.emit({ type: 'interpreters-listed', settings });
    return settings;
  }

  /** The settings as the live channel tells them: those of which notes may be made, without a role. */
  async available(options: CallOptions = {}): Promise<readonly InterpreterSetting[]> {
    const channel = await this.#context.lobby();
    return channel.request(
      'GET_INTERPRETER_SETTINGS',
      {},
      (message) =>
        message.op === 'INTERPRETER_SETTINGS' ? message.data.interpreterSettings : undefined,
      { exact: true, ...options },
    );
  }

  /** One setting; 404 where there is none. */
  get(id: string, options: CallOptions = {}): Promise<InterpreterSetting> {
    return this.#context.call('getSetting', { ...options, params: { settingId: id } });
  }

  /** What new settings may be made of, by group. */
  templates(options: CallOptions = {}): Promise<Readonly<Record<string, InterpreterTemplate>>> {
    return this.#context.call('listTemplates', options);
  }

  /** Makes a setting. 404 with the server's words for a name that has a dot or is taken. */
  create(setting: NewSetting, options: CallOptions = {}): Promise<InterpreterSetting> {
    return this.#context.call('createSetting', { ...options, body: setting });
  }

  /** Changes a setting; answers it as it is now. */
  update(
    id: string,
    change: SettingChange,
    options: CallOptions = {},
  ): Promise<InterpreterSetting> {
    return this.#context.call('updateSetting', {
      ...options,
      params: { settingId: id },
      body: change,
    });
  }

  /** Deletes a setting. */
  async remove(id: string, options: CallOptions = {}): Promise<void> {
    await this.#context.call('deleteSetting', { ...options, params: { settingId: id } });
  }

  /** Ends the processes of a setting, of one note only where it says which; the next run starts new ones. */
  restart(id: string, noteId?: string, options: CallOptions = {}): Promise<InterpreterSetting> {
    return this.#context.call('restartSetting', {
      ...options,
      params: { settingId: id },
      body: noteId === undefined ? {} : { noteId },
    });
  }

  /** Types a property may have: textarea, string, number, url, password, checkbox. */
  propertyTypes(options: CallOptions = {}): Promise<readonly string[]> {
    return this.#context.call('listPropertyTypes', options);
  }

  /** Address of the engine's own page, or a message; `undefined` while nothing runs. Gone since 0.9 (`unsupported`). */
  metadata(
    id: string,
    options: CallOptions = {},
  ): Promise<{ url?: string | undefined; message?: string | undefined } | undefined> {
    return this.#context.call('settingMetadata', { ...options, params: { settingId: id } });
  }

  /** Installs an interpreter package. Its end comes as INTERPRETER_INSTALL_RESULT. Since 0.9. */
  async install(name: string, artifact: string, options: CallOptions = {}): Promise<void> {
    await this.#context.call('installInterpreter', { ...options, body: { name, artifact } });
  }

  /** Where dependencies are read from. */
  repositories(options: CallOptions = {}): Promise<readonly Repository[]> {
    return this.#context.call('listRepositories', options);
  }

  /** Adds a repository. */
  async addRepository(repository: NewRepository, options: CallOptions = {}): Promise<void> {
    await this.#context.call('addRepository', { ...options, body: repository });
  }

  /** Removes a repository; one that is not there is no error. */
  async removeRepository(id: string, options: CallOptions = {}): Promise<void> {
    await this.#context.call('deleteRepository', { ...options, params: { repositoryId: id } });
  }

  /** Processes that were made for sessions. Since 0.9. */
  sessions(options: CallOptions = {}): Promise<readonly InterpreterSession[]> {
    return this.#context.call('listSessions', options);
  }

  /** Starts a process for a session of one interpreter. Since 0.9. */
  startSession(interpreter: string, options: CallOptions = {}): Promise<InterpreterSession> {
    return this.#context.call('createSession', { ...options, query: { interpreter } });
  }

  /** One session; 404 where there is none. Since 0.9. */
  session(id: string, options: CallOptions = {}): Promise<InterpreterSession> {
    return this.#context.call('getSession', { ...options, params: { sessionId: id } });
  }

  /** Ends a session. Since 0.9. */
  async stopSession(id: string, options: CallOptions = {}): Promise<void> {
    await this.#context.call('deleteSession', { ...options, params: { sessionId: id } });
  }
}
