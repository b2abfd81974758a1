import type { Channel } from '../channel/channel.ts';
import { type CallOptions, deferred } from '../core/abort.ts';
import { refusedError, TidingError } from '../core/errors.ts';
import type {
  AlertOutcome,
  AlertState,
  JobEntry,
  NoteRun,
  ScheduleAlerts,
} from '../protocol/index.ts';
import type { ClientContext } from '../session/client-context.ts';
import { type JobEnd, jobEnds } from './job-ends.ts';

/**
 * The job list: each note with its jobs, kept up to date while it is watched. It uses a channel of
 * its own, because subscribing detaches a socket from its note.
 */
export class JobsApi {
  readonly #context: ClientContext;
  #channel: Channel | undefined;
  #watchers = 0;

  /** @internal */
  constructor(context: ClientContext) {
    this.#context = context;
  }

  /**
   * Returns the current list, read once over REST. Times are in ms since the epoch, as in Apache
   * Zeppelin.
   */
  async list(options: CallOptions = {}): Promise<readonly JobEntry[]> {
    return (await this.#context.call('listJobs', options)).jobs;
  }

  /**
   * Returns the entries that changed since a time, in ms since the epoch. Removed notes have
   * `isRemoved` set.
   */
  async since(time: number, options: CallOptions = {}): Promise<readonly JobEntry[]> {
    return (await this.#context.call('listJobsSince', { ...options, params: { since: time } }))
      .jobs;
  }

  /**
   * Keeps `client.state.jobs` up to date until `stop` is called, and calls `onEnd` when a run of
   * any note has ended, also after a lost connection. Resolves with the first list. Rejects with
   * `unsupported` if the job list is disabled on the server.
   *
   * @example
   * const { jobs, stop } = await client.jobs.watch({
   *   onEnd: ({ noteName, status }) => status === 'failed' && alert(noteName),
   * });
   * const off = client.subscribe(() => render(client.state.jobs));
   */
  async watch({
    onEnd,
    ...options
  }: CallOptions & { onEnd?: (end: JobEnd) => void } = {}): Promise<{
    jobs: readonly JobEntry[];
    stop: () => void;
  }> {
    await this.#context.ready();
    await this.#context.session.ticket(options);
    this.#watchers += 1;
    const ends = onEnd && jobEnds(onEnd);
    const offEnds = [
      this.#context.on('LIST_NOTE_JOBS', ({ data }) => ends?.(data.noteJobs.jobs)),
      this.#context.on('LIST_UPDATE_NOTE_JOBS', ({ data }) => ends?.(data.noteRunningJobs.jobs)),
    ];
    let stopped = false;
    const stop = () => {
      if (stopped) return;
      stopped = true;
      for (const off of offEnds) off();
      this.#watchers -= 1;
      if (this.#watchers > 0) return;
      const channel = this.#channel;
      this.#channel = undefined;
      if (channel?.state === 'open')
        channel.send('UNSUBSCRIBE_UPDATE_NOTE_JOBS', {}, { queue: false });
      channel?.close();
    };
    const firstList = deferred<readonly JobEntry[]>('LIST_NOTE_JOBS', {
      timeout: this.#context.timeout,
      ...options,
    });
    const offList = this.#context.on('LIST_NOTE_JOBS', ({ data }) =>
      firstList.resolve(data.noteJobs.jobs),
    );
    const offDisabled = this.#context.on('JOB_MANAGER_DISABLED', ({ data }) =>
      firstList.reject(
        new TidingError(
          'unsupported',
          data.errorMessage ?? 'The job list is disabled on this server.',
          {
            operation: 'LIST_NOTE_JOBS',
          },
        ),
      ),
    );
    const offError = this.#context.on(
      'ERROR_INFO',
      ({ data }) =>
        void (
          data.op === 'LIST_NOTE_JOBS' &&
          firstList.reject(refusedError({ op: 'ERROR_INFO', data }, 'LIST_NOTE_JOBS'))
        ),
    );
    try {
      if (!this.#channel) {
        const channel = this.#context.channel(undefined);
        // The server forgets the subscription when a socket closes.
        channel.greeting = () => channel.send('LIST_NOTE_JOBS', {}, { expect: true });
        channel.open();
        this.#channel = channel;
      } else if (this.#channel.state === 'open')
        this.#channel.send('LIST_NOTE_JOBS', {}, { expect: true });
      return { jobs: await firstList.promise, stop };
    } catch (error) {
      stop();
      throw error;
    } finally {
      offList();
      offDisabled();
      offError();
    }
  }

  /**
   * Requests the entries that changed since a time, in ms since the epoch, for the watched list.
   * Resolves once the request is sent, because only Tiding servers answer: Apache Zeppelin ignores
   * it and sends updates by itself.
   */
  async refresh(lastUpdateUnixTime: number): Promise<void> {
    this.#channel?.send('LIST_UPDATE_NOTE_JOBS', { lastUpdateUnixTime }, { queue: false });
  }

  /**
   * Returns the last runs of the whole note, at most fifty, oldest first. Apache Zeppelin keeps no
   * history and rejects with `unsupported`.
   */
  async history(noteId: string, options: CallOptions = {}): Promise<readonly NoteRun[]> {
    return this.#context.call('jobHistory', { ...options, params: { noteId } });
  }

  /** Returns the alerts of a note's schedule and the outcome of the last one. For owners. */
  async alerts(noteId: string, options: CallOptions = {}): Promise<AlertState> {
    return this.#context.call('getAlerts', { ...options, params: { noteId } });
  }

  /**
   * Sets the alerts of a note's schedule. They are sent in the name of the user who sets them.
   *
   * @example
   * await client.jobs.setAlerts(note.id, {
   *   on: ['failure', 'missed'],
   *   mail: ['ann@example.org'],
   *   retries: 2,
   * });
   */
  async setAlerts(
    noteId: string,
    alerts: ScheduleAlerts,
    options: CallOptions = {},
  ): Promise<void> {
    await this.#context.call('setAlerts', { ...options, params: { noteId }, body: alerts });
  }

  /**
   * Sends a test message to the recipients of alerts, which need not be stored, and resolves when
   * it was delivered or has failed.
   */
  async testAlerts(
    noteId: string,
    alerts: ScheduleAlerts,
    options: CallOptions = {},
  ): Promise<AlertOutcome> {
    return this.#context.call('testAlerts', { ...options, params: { noteId }, body: alerts });
  }

  /**
   * Runs all paragraphs of a note. A server of generation A answers only when they have finished.
   */
  async start(noteId: string, options: CallOptions = {}): Promise<void> {
    await this.#context.call('runNote', { ...options, params: { noteId } });
  }

  /** Stops all paragraphs of a note. */
  async stop(noteId: string, options: CallOptions = {}): Promise<void> {
    await this.#context.call('stopNote', { ...options, params: { noteId } });
  }
}
