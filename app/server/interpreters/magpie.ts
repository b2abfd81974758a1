/** `%magpie`: the command language of the platform. */
import { accountOf } from '../auth/embed-access.ts';
import type { Magpie } from '../magpie/index.ts';
import type { Session } from '../magpie/statements/session.ts';
import type { Completion } from 'tiding/protocol';
import type { Interpreter, InterpreterHost, InterpreterSpec, Run, RunEnd } from './contract.ts';
import { errorText } from './sql-engine.ts';

/** Sessions that one instance keeps; the one not used for longest makes room. */
const MAX_SESSIONS = 100;

/** Each user has a session of his own on each note: what is current, temporary tables, the last result. Option: `limit`, rows shown per result. */
export const magpie: InterpreterSpec = {
  name: 'magpie',
  sessions: true,
  scoped: true,
  editor: {
    language: 'magpie',
    editOnDblClick: false,
    completionKey: 'TAB',
    completionSupport: true,
  },
  create: (host) => new MagpieInterpreter(host),
};

class MagpieInterpreter implements Interpreter {
  readonly #host: InterpreterHost;
  readonly #sessions = new Map<string, Session>();
  readonly #closing = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(host: InterpreterHost) {
    this.#host = host;
  }

  run(run: Run): Promise<RunEnd> {
    const result = this.#run({
      ...run,
      signal: AbortSignal.any([run.signal, this.#closing.signal]),
    });
    this.#running = result.catch(() => undefined);
    return result;
  }

  async #run(run: Run): Promise<RunEnd> {
    const { magpie: platform } = this.#host;
    if (!platform) return { code: 'ERROR', message: '%magpie is not available on this server.' };
    if (run.signal.aborted) return { code: 'ABORT' };
    return platform.run(run, await this.#session(platform, run));
  }

  async complete(
    code: string,
    cursor: number,
    caller?: Pick<Run, 'noteId' | 'principal'>,
  ): Promise<Completion[]> {
    const { magpie: platform } = this.#host;
    if (!platform || !caller || this.#closing.signal.aborted) return [];
    try {
      return await platform.complete(code, cursor, await this.#session(platform, caller));
    } catch (error) {
      this.#host.log('completion of the command language failed', { error: errorText(error) });
      return [];
    }
  }

  async #session(
    platform: Magpie,
    { noteId, principal }: Pick<Run, 'noteId' | 'principal'>,
  ): Promise<Session> {
    const userName = accountOf(principal);
    const key = JSON.stringify([noteId, userName]);
    const known = this.#sessions.get(key);
    if (known) return known;
    if (this.#sessions.size >= MAX_SESSIONS) {
      const [[idle, session]] = [...this.#sessions].sort(([, a], [, b]) => a.used - b.used) as [
        [string, Session],
      ];
      this.#sessions.delete(idle);
      await platform.end(session);
    }
    const made = platform.session(userName);
    this.#sessions.set(key, made);
    return made;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    const all = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(all.map((session) => this.#host.magpie?.end(session)));
  }
}
