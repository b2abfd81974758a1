/** Who is told of what happens to jobs: letters where this server has a mail server, and a row for each event in any case. */
import { join } from 'node:path';
import { isAddress, type SendLetter } from '../../auth/mail.ts';
import { RateLimit } from '../../auth/rate-limit.ts';
import { readJson, writeDurably } from '../../files.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { may, type Who } from '../catalogue/permissions.ts';
import type { Item } from '../catalogue/state.ts';
import type { People } from '../people.ts';
import type { Log } from './store.ts';
import { isNamed, jobText, type JobRun, type LogEntry } from './types.ts';

/** The events of jobs that somebody may be told of. */
export const subscribable = [
  'JobStart',
  'JobFinish',
  'JobFailed',
  'TaskStart',
  'TaskFinish',
  'TaskFailed',
  'MetadataError',
  'ExecutionError',
] as const;

/** One event that a subscription told of, or should have. */
export interface SubscriptionRow {
  /** ISO 8601 UTC. */
  readonly startTime: string;
  readonly eventType: string;
  /** `Recorded`: there is no mail server. */
  readonly state: 'Succeeded' | 'Failed' | 'Recorded';
  readonly jobRunId: string;
  /** Why somebody was not told. */
  readonly message?: string;
}

/** What subscriptions need. */
export interface SubscriptionsOptions {
  /** Where rows are stored. */
  readonly folder: string;
  readonly catalogue: Catalogue;
  readonly people: People;
  /** Absent: no mail server. */
  readonly send: SendLetter | undefined;
  readonly log: Log;
  readonly now?: () => Date;
}

/** Rows of a subscription that are kept. */
const KEPT_ROWS = 50;
/** Letters of a subscription in an hour; what comes beyond is a row. */
const LETTERS_PER_HOUR = 100;
/** Letters that wait for a mail server; what comes beyond is a row. */
const MAX_WAITING = 1_000;

/** See the head of this file. */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #file: string;
  readonly #rows = new Map<string, SubscriptionRow[]>();
  readonly #letters = new RateLimit(LETTERS_PER_HOUR, 3_600_000);
  readonly #ready: Promise<void>;
  #work: Promise<void>;
  #waiting = 0;
  #saving: Promise<void> | undefined;

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
    this.#file = join(options.folder, 'subscriptions.json');
    this.#ready = this.#read();
    this.#work = this.#ready;
  }

  /** Tells those who wanted to know of an event. Never throws; letters go out one after another. */
  onEvent(run: JobRun, entry: LogEntry): void {
    if (run.jobId === undefined) return;
    for (const subscription of this.#options.catalogue.children(run.jobId, 'subscription')) {
      const {
        state,
        eventTypes = [],
        recipients = [],
      } = subscription.definition as {
        readonly state?: string;
        readonly eventTypes?: readonly string[];
        readonly recipients?: readonly string[];
      };
      if (isNamed(state, 'Disabled') || !eventTypes.some((type) => isNamed(type, entry.eventType)))
        continue;
      this.#waiting += 1;
      const isTooMany = this.#waiting > MAX_WAITING;
      this.#work = this.#work
        .then(() => this.#tell(subscription, [...new Set(recipients)], run, entry, isTooMany))
        .catch((error: Error) =>
          this.#options.log('an event of a subscription could not be told', {
            error: error.message,
          }),
        )
        .finally(() => void (this.#waiting -= 1));
    }
  }

  /** The events of a subscription, the newest first. */
  history(subscriptionId: number): readonly SubscriptionRow[] {
    return this.#rows.get(String(subscriptionId)) ?? [];
  }

  /** Resolves when everybody is told and all is stored. */
  async close(): Promise<void> {
    await this.#work;
    // Begins the writing of what was told last.
    await this.#saving;
    await this.#work;
  }

  async #tell(
    subscription: Item,
    recipients: readonly string[],
    run: JobRun,
    entry: LogEntry,
    isTooMany: boolean,
  ): Promise<void> {
    const { send, log } = this.#options;
    const row = {
      startTime: (this.#options.now?.() ?? new Date()).toISOString(),
      eventType: entry.eventType,
      jobRunId: run.jobRunId,
    };
    if (!send) {
      log('a subscription sends no letter: this server has no mail server (TIDING_SMTP_URL)', {
        subscription: subscription.name,
        job: jobText(run),
        eventType: entry.eventType,
      });
      return this.#add(subscription, {
        ...row,
        state: 'Recorded',
        message: 'This server has no mail server.',
      });
    }
    const problems: string[] = recipients.length === 0 ? ['It has no recipients.'] : [];
    for (const recipient of recipients) {
      const problem = isTooMany
        ? 'too many letters wait'
        : await this.#letter(send, subscription, recipient, run, entry);
      if (problem === undefined) continue;
      problems.push(`${recipient}: ${problem}`);
      // Who it is and why stands in the row; the log of the server has no addresses.
      log('a letter of a subscription was not sent', {
        subscription: subscription.name,
        job: jobText(run),
        eventType: entry.eventType,
        reason: problem,
      });
    }
    this.#add(subscription, {
      ...row,
      state: problems.length === 0 ? 'Succeeded' : 'Failed',
      ...(problems.length === 0 ? {} : { message: problems.join('; ').slice(0, 2_000) }),
    });
  }

  /** Sends one letter; why not, where it is not sent. */
  async #letter(
    send: SendLetter,
    subscription: Item,
    recipient: string,
    run: JobRun,
    entry: LogEntry,
  ): Promise<string | undefined> {
    const { people } = this.#options;
    const reader = await this.#reader(subscription, subscription.createdBy);
    if (reader !== undefined)
      return `${subscription.createdBy}, who made the subscription, ${reader}`;
    const person = await people.find(recipient);
    const refused = person && (await this.#reader(subscription, recipient));
    if (refused !== undefined) return refused;
    if (!isAddress(recipient)) return 'no address';
    if (!this.#letters.take(String(subscription.id)))
      return `more than ${LETTERS_PER_HOUR} letters in an hour`;
    try {
      return (await send({ to: recipient, ...letterOf(subscription, run, entry) }))
        ? undefined
        : 'no address';
    } catch (error) {
      return (error as Error).message.replaceAll(/\s+/g, ' ').slice(0, 200);
    }
  }

  /** Why somebody may not know of the job, as he is now. */
  async #reader(subscription: Item, userName: string): Promise<string | undefined> {
    const { people, catalogue } = this.#options;
    const person = await people.find(userName);
    if (!person || person.isDisabled) return 'may not sign in any more';
    const who: Who = { userName, isAdmin: people.isAdmin(person) };
    const job = catalogue.byId(subscription.parentId);
    return job && may(catalogue.state, who, 'Read', job) ? undefined : 'may not read the job';
  }

  #add(subscription: Item, row: SubscriptionRow): void {
    const key = String(subscription.id);
    this.#rows.set(key, [row, ...(this.#rows.get(key) ?? [])].slice(0, KEPT_ROWS));
    this.#saving ??= Promise.resolve().then(async () => {
      // Those of before this moment; what comes while it is written is written next.
      this.#saving = undefined;
      const isThere = (id: string) =>
        this.#options.catalogue.byId(Number(id))?.type === 'subscription';
      for (const id of this.#rows.keys()) if (!isThere(id)) this.#rows.delete(id);
      const text = JSON.stringify({ version: 1, rows: Object.fromEntries(this.#rows) });
      this.#work = this.#work
        .then(() => writeDurably(this.#file, text))
        .catch((error: Error) =>
          this.#options.log('events of subscriptions cannot be stored', { error: error.message }),
        );
    });
  }

  async #read(): Promise<void> {
    try {
      const stored = (await readJson(this.#file)) as
        | { readonly rows?: Record<string, SubscriptionRow[]> }
        | undefined;
      for (const [id, rows] of Object.entries(stored?.rows ?? {}))
        if (Array.isArray(rows)) this.#rows.set(id, rows.slice(0, KEPT_ROWS));
    } catch (error) {
      this.#options.log('events of subscriptions cannot be read', {
        error: (error as Error).message,
      });
    }
  }
}

const words: Readonly<Record<string, string>> = {
  JobStart: 'has started',
  JobFinish: 'has finished',
  JobFailed: 'has failed',
  TaskStart: 'has started a task',
  TaskFinish: 'has finished a task',
  TaskFailed: 'has a task that failed',
  MetadataError: 'has a task with an error',
  ExecutionError: 'has a task with an error',
};

/** What stands in a letter: names and times, and why a job failed; never what its tasks print. */
function letterOf(
  subscription: Item,
  run: JobRun,
  { eventType, eventTime, taskName, message }: LogEntry,
): { readonly subject: string; readonly text: string } {
  const name = jobText(run);
  const failed = run.taskRuns
    .filter(({ state }) => state === 'Failed')
    .map((task) => task.taskName);
  const lines = [
    `Job ${name} ${words[eventType] ?? `: ${eventType}`}${taskName === undefined ? '' : ` (${taskName})`}.`,
    '',
    `Event: ${eventType}, ${eventTime.slice(0, 19).replace('T', ' ')} UTC`,
    `Execution: ${run.jobRunId}, started by ${run.userName}${run.scheduleName === undefined ? '' : ` (schedule ${run.scheduleName})`} at ${run.startTime.slice(0, 19).replace('T', ' ')} UTC`,
    ...(eventType === 'JobFailed' && failed.length > 0 ? [`Failed: ${failed.join(', ')}`] : []),
    ...(eventType === 'JobFailed' && message !== undefined ? [message] : []),
    '',
    `You get this letter by the subscription ${subscription.name} of the job: alter job ${name} remove subscription ${subscription.name}`,
  ];
  return { subject: `${name}: ${eventType}`, text: `${lines.join('\n')}\n` };
}
