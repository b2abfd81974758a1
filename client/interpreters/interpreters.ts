import type { CallOptions } from '../core/abort.ts';
import type {
  Dependency,
  InterpreterSession,
  InterpreterSetting,
  InterpreterTemplate,
  JsonObject,
  KernelList,
  NewRepository,
  NewSetting,
  Repository,
} from '../protocol/index.ts';
import { ClientArea } from '../session/client-area.ts';

/** Changes to a setting. Omitted parts stay as they are. */
export interface InterpreterSettingChange {
  /** Run mode, permissions and existing process; the same fields as `option` of a setting. */
  option?: JsonObject;
  /** Properties as `{name, value, type}`, by key. */
  properties?: JsonObject;
  /** The complete list: dependencies that are not listed are removed. */
  dependencies?: Dependency[];
}

/**
 * Interpreter settings and the repositories of their dependencies. Calls that change something need
 * the role that the server requires, and reject with status 401 or 403 otherwise. Changing a
 * setting restarts its processes.
 */
export class InterpretersApi extends ClientArea {
  /** Lists the settings that the user may see, and stores them in `client.state.interpreters`. */
  async list(options: CallOptions = {}): Promise<readonly InterpreterSetting[]> {
    const settings = await this.context.call('listSettings', options);
    this.context.emit({ type: 'interpreters-listed', settings });
    return settings;
  }

  /**
   * Lists the settings that notes can use, over the live channel. Unlike {@link list}, it needs no
   * role.
   */
  async available(options: CallOptions = {}): Promise<readonly InterpreterSetting[]> {
    const channel = await this.context.lobby();
    return channel.request(
      'GET_INTERPRETER_SETTINGS',
      {},
      (message) => message.op === 'INTERPRETER_SETTINGS' && message.data.interpreterSettings,
      { matchId: true, ...options },
    );
  }

  /** Returns one setting. Rejects with status 404 if there is none. */
  get(id: string, options: CallOptions = {}): Promise<InterpreterSetting> {
    return this.context.call('getSetting', { ...options, params: { settingId: id } });
  }

  /** Returns the templates for new settings, by group. */
  templates(options: CallOptions = {}): Promise<Readonly<Record<string, InterpreterTemplate>>> {
    return this.context.call('listTemplates', options);
  }

  /**
   * Creates a setting. Rejects with status 404 and the server's message if the name contains a dot
   * or is taken.
   */
  create(setting: NewSetting, options: CallOptions = {}): Promise<InterpreterSetting> {
    return this.context.call('createSetting', { ...options, body: setting });
  }

  /** Changes a setting and returns it as it is now. */
  update(
    id: string,
    change: InterpreterSettingChange,
    options: CallOptions = {},
  ): Promise<InterpreterSetting> {
    return this.context.call('updateSetting', {
      ...options,
      params: { settingId: id },
      body: change,
    });
  }

  /** Deletes a setting. */
  async remove(id: string, options: CallOptions = {}): Promise<void> {
    await this.context.call('deleteSetting', { ...options, params: { settingId: id } });
  }

  /**
   * Stops the processes of a setting, or only those of one note if `noteId` is given. The next run
   * starts new ones.
   */
  restart(id: string, noteId?: string, options: CallOptions = {}): Promise<InterpreterSetting> {
    return this.context.call('restartSetting', {
      ...options,
      params: { settingId: id },
      body: noteId === undefined ? {} : { noteId },
    });
  }

  /**
   * Returns the possible types of a property: textarea, string, number, url, password, checkbox.
   */
  propertyTypes(options: CallOptions = {}): Promise<readonly string[]> {
    return this.context.call('listPropertyTypes', options);
  }

  /**
   * Returns the address of the engine's own web page, or a message; `undefined` while nothing runs.
   * Removed in Zeppelin 0.9: later versions reject with `unsupported`.
   */
  metadata(
    id: string,
    options: CallOptions = {},
  ): Promise<{ url?: string | undefined; message?: string | undefined } | undefined> {
    return this.context.call('settingMetadata', { ...options, params: { settingId: id } });
  }

  /**
   * Installs an interpreter package. Completion is announced by the event
   * INTERPRETER_INSTALL_RESULT. Since Zeppelin 0.9.
   */
  async install(name: string, artifact: string, options: CallOptions = {}): Promise<void> {
    await this.context.call('installInterpreter', { ...options, body: { name, artifact } });
  }

  /**
   * Looks for Jupyter kernels on the machine of the server and on the Jupyter servers of settings.
   * Newly installed ones become interpreters. Rejects with `unsupported` if the server is a
   * Zeppelin.
   */
  kernels(options: CallOptions = {}): Promise<KernelList> {
    return this.context.call('listKernels', options);
  }

  /** Lists the repositories from which dependencies are loaded. */
  repositories(options: CallOptions = {}): Promise<readonly Repository[]> {
    return this.context.call('listRepositories', options);
  }

  /** Adds a repository. */
  async addRepository(repository: NewRepository, options: CallOptions = {}): Promise<void> {
    await this.context.call('addRepository', { ...options, body: repository });
  }

  /** Removes a repository. A missing one is not an error. */
  async removeRepository(id: string, options: CallOptions = {}): Promise<void> {
    await this.context.call('deleteRepository', { ...options, params: { repositoryId: id } });
  }

  /** Lists the processes that were started for sessions. Since Zeppelin 0.9. */
  sessions(options: CallOptions = {}): Promise<readonly InterpreterSession[]> {
    return this.context.call('listSessions', options);
  }

  /** Starts a process for a session of one interpreter. Since Zeppelin 0.9. */
  startSession(interpreter: string, options: CallOptions = {}): Promise<InterpreterSession> {
    return this.context.call('createSession', { ...options, query: { interpreter } });
  }

  /** Returns one session. Rejects with status 404 if there is none. Since Zeppelin 0.9. */
  session(id: string, options: CallOptions = {}): Promise<InterpreterSession> {
    return this.context.call('getSession', { ...options, params: { sessionId: id } });
  }

  /** Ends a session. Since Zeppelin 0.9. */
  async stopSession(id: string, options: CallOptions = {}): Promise<void> {
    await this.context.call('deleteSession', { ...options, params: { sessionId: id } });
  }
}
