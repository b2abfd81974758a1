/** The job list: notes as jobs, kept up to date by the server for as long as it is watched. */
import type { Channel } from '../channel/channel.ts';
import { deferred, type CallOptions } from '../core/abort.ts';
import type { Context } from '../context.ts';
import { TidingError } from '../errors.ts';
import type { JobEntry, NoteRun } from '../protocol/index.ts';

/** The job list. Its socket is one of its own: subscribing takes a socket out of its note. */
export class Jobs {
  readonly #context: Context;
  #channel: Channel | undefined;
  #watchers = 0;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
  }

  /** The list as it is now, read once over REST. Entries as upstream sends them; times in ms. */
  async list(options: CallOptions = {}): Promise<readonly JobEntry[]> {
    return (await this.#context.call('listJobs', options)).jobs;
  }

  /** Entries that changed since a time (epoch ms); removed notes come with `isRemoved`. */
  async since(time: number, options: CallOptions = {}): Promise<readonly JobEntry[]> {
    return (await this.#context.call('listJobsSince', { ...options, params: { since: time } }))
      .jobs;
  }

  /**
   * Subscribes the client's state (`state.jobs`) to the list; resolves with the first list. Call the answer's `stop` to
   * unsubscribe. Rejects with `unsupported` where the server has the job list turned off.
   */
  async watch(options: CallOptions = {}): Promise<{ jobs: readonly JobEntry[]; stop: () => void }> {
    await this.#context.ready();
    await this.#context.session.ticket(options);
    this.#watchers += 1;
    let stopped = false;
    const stop = () => {
      if (stopped) return;
      stopped = true;
      this.#watchers -= 1;
      if (this.#watchers > 0) return;
      const channel = this.#channel;
      this.#channel = undefined;
      if (channel?.state === 'open')
        channel.send('UNSUBSCRIBE_UPDATE_NOTE_JOBS', {}, { queue: false });
      channel?.close();
    };
    const done = deferred<readonly JobEntry[]>('LIST_NOTE_JOBS', {
      timeout: this.#context.timeout,
      ...options,
    });
    const undo = this.#context.on('LIST_NOTE_JOBS', ({ data }) => done.resolve(data.noteJobs.jobs));
    const off = this.#context.on('JOB_MANAGER_DISABLED', ({ data }) =>
      done.reject(
        new TidingError('unsupported', data.errorMessage ?? 'the job list is turned off', {
          operation: 'LIST_NOTE_JOBS',
        }),
      ),
    );
    const failed = this.#context.on(
      'ERROR_INFO',
      ({ data }) =>
        void (
          data.op === 'LIST_NOTE_JOBS' &&
          done.reject(
            new TidingError('server', data.info ?? 'the server refused', {
              operation: 'LIST_NOTE_JOBS',
            }),
          )
        ),
    );
    try {
      if (!this.#channel) {
        const channel = this.#context.channel(undefined);
        // The server remembers no subscription of an old socket.
        channel.greeting = () => channel.send('LIST_NOTE_JOBS', {}, { expect: true });
        channel.open();
        this.#channel = channel;
      } else if (this.#channel.state === 'open')
        this.#channel.send('LIST_NOTE_JOBS', {}, { expect: true });
      return { jobs: await done.promise, stop };
    } catch (error) {
      stop();
      throw error;
    } finally {
      undo();
      off();
      failed();
    }
  }

  /**
   * Asks for what changed since a time, live. Ours answers; upstream ignores it (its updates come by themselves), and so
   * nothing is waited for: the answer reaches the state of who watches.
   */
  refresh(lastUpdateUnixTime: number): void {
    this.#channel?.send('LIST_UPDATE_NOTE_JOBS', { lastUpdateUnixTime }, { queue: false });
  }

  /** The last runs of the whole note, at most fifty, oldest first. Rejects with `unsupported` on servers that keep none (upstream). */
  async history(noteId: string, options: CallOptions = {}): Promise<readonly NoteRun[]> {
    return this.#context.call('jobHistory', { ...options, params: { noteId } });
  }

  /** Starts all paragraphs of a note. A server of generation A answers when they are through. */
  async start(noteId: string, options: CallOptions = {}): Promise<void> {
    await this.#context.call('runNote', { ...options, params: { noteId } });
  }

  /** Stops all paragraphs of a note. */
  async stop(noteId: string, options: CallOptions = {}): Promise<void> {
    await this.#context.call('stopNote', { ...options, params: { noteId } });
  }
}
