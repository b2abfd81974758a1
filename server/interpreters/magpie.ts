/** `%magpie`: the command language. */

import type { Completion } from '@tiding/client/protocol';
import { accountOf } from '../auth/embed-access.ts';
import { ClosingInterpreter } from './closing-interpreter.ts';
import { completingEditor } from './completing-editor.ts';
import type {
  CommandLanguage,
  CommandSession,
  InterpreterHost,
  InterpreterSpec,
  Run,
  RunEnd,
} from './contract.ts';
import { errorText } from './sql/engine.ts';

/** Maximum number of sessions of one instance. The least recently used one is closed first. */
const MAX_SESSIONS = 100;

/**
 * Each user has a separate session for each note, with current objects, temporary tables and the
 * last result. Option: `limit`, the number of rows shown per result.
 */
export const magpie: InterpreterSpec = {
  name: 'magpie',
  sessions: true,
  sharing: { perNote: 'scoped', perUser: 'scoped' },
  editor: completingEditor('magpie'),
  create: (host) => new MagpieInterpreter(host),
};

class MagpieInterpreter extends ClosingInterpreter {
  readonly #host: InterpreterHost;
  readonly #sessions = new Map<string, CommandSession>();

  constructor(host: InterpreterHost) {
    super();
    this.#host = host;
  }

  protected async start(run: Run, signal: AbortSignal): Promise<RunEnd> {
    const { magpie: language } = this.#host;
    if (!language) return { code: 'ERROR', message: '%magpie is not available on this server.' };
    if (signal.aborted) return { code: 'ABORT' };
    return (await this.#session(language, run)).run({ ...run, signal });
  }

  async complete(
    code: string,
    cursor: number,
    caller?: Pick<Run, 'noteId' | 'principal'>,
  ): Promise<Completion[]> {
    const { magpie: language } = this.#host;
    if (!language || !caller || this.closing.aborted) return [];
    try {
      return await (await this.#session(language, caller)).complete(code, cursor);
    } catch (error) {
      this.#host.log('%magpie completion failed', { error: errorText(error) });
      return [];
    }
  }

  async #session(
    language: CommandLanguage,
    { noteId, principal }: Pick<Run, 'noteId' | 'principal'>,
  ): Promise<CommandSession> {
    const userName = accountOf(principal);
    const key = JSON.stringify([noteId, userName]);
    const known = this.#sessions.get(key);
    if (known) return known;
    if (this.#sessions.size >= MAX_SESSIONS) {
      const [oldestKey, session] = [...this.#sessions].reduce((oldest, each) =>
        each[1].lastUsed < oldest[1].lastUsed ? each : oldest,
      );
      this.#sessions.delete(oldestKey);
      await session.close();
    }
    const created = language.openSession(userName);
    this.#sessions.set(key, created);
    return created;
  }

  override async close(): Promise<void> {
    await super.close();
    const all = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(all.map((session) => session.close()));
  }
}
