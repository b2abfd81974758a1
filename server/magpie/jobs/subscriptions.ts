/**
 * Notifies subscribers about job events: by mail if a mail server is configured, and as a history
 * entry in every case.
 */
import { join } from 'node:path';
import { isAddress, type SendEmail } from '../../auth/mail.ts';
import { RateLimit } from '../../base/rate-limit.ts';
import { JsonFile } from '../../storage/files.ts';
import type { ObjectCatalogue } from '../catalogue/catalogue.ts';
import { may, type Requester } from '../catalogue/permissions.ts';
import { definitionOf, type Item, isSameName } from '../catalogue/state.ts';
import type { UserAccounts } from '../people.ts';
import type { Log } from './store.ts';
import { qualifiedJobName, type RecordedLogEntry, type RecordedRun } from './types.ts';

/** Job events that can be subscribed to, and what a message says about each. */
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
export const subscribable = Object.keys(words);

/** A reported event in the history of a subscription. */
export interface SubscriptionRow {
  /** ISO 8601 UTC. */
  readonly startTime: string;
  readonly eventType: string;
  /** `Recorded`: there is no mail server. */
  readonly state: 'Succeeded' | 'Failed' | 'Recorded';
  readonly jobRunId: string;
  /** Why some recipients were not notified. */
  readonly message?: string;
}

interface SubscriptionsOptions {
  /** Folder for the history. */
  readonly folder: string;
  readonly catalogue: ObjectCatalogue;
  readonly people: UserAccounts;
  /** Absent if there is no mail server. */
  readonly send: SendEmail | undefined;
  readonly log: Log;
  readonly now?: () => Date;
}

/** Maximum number of history entries to keep for a subscription. */
const MAX_ROWS = 50;
/** Maximum number of messages per subscription and hour. Further events are only recorded. */
const MAX_EMAILS_PER_HOUR = 100;
/** Maximum number of events waiting to be sent. Further events are only recorded. */
const MAX_WAITING = 1_000;

/** Sends notifications and stores the history of subscriptions. */
export class JobSubscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #file: JsonFile<{ version: 1; rows?: Record<string, SubscriptionRow[]> }>;
  readonly #rows = new Map<string, SubscriptionRow[]>();
  readonly #emailLimit = new RateLimit(MAX_EMAILS_PER_HOUR, 3_600_000);
  readonly #ready: Promise<void>;
  #work: Promise<void>;
  #waiting = 0;
  #saving = Promise.resolve();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
    this.#file = new JsonFile(join(options.folder, 'subscriptions.json'), () => ({
      version: 1,
      rows: Object.fromEntries(this.#rows),
    }));
    this.#ready = this.#read();
    this.#work = this.#ready;
  }

  /** Whether a mail server is configured. */
  get sendsMail(): boolean {
    return this.#options.send !== undefined;
  }

  /** Notifies the subscribers of an event. Never throws. Messages are sent one at a time. */
  onEvent(run: RecordedRun, entry: RecordedLogEntry): void {
    if (run.jobId === undefined) return;
    for (const subscription of this.#options.catalogue.children(run.jobId, 'subscription')) {
      const { state, eventTypes, recipients } = definitionOf(subscription, 'subscription');
      if (
        isSameName(state, 'Disabled') ||
        !eventTypes.some((type) => isSameName(type, entry.eventType))
      )
        continue;
      this.#waiting += 1;
      const isTooMany = this.#waiting > MAX_WAITING;
      this.#work = this.#work
        .then(() => this.#notify(subscription, [...new Set(recipients)], run, entry, isTooMany))
        .catch((error: Error) =>
          this.#options.log('an event of a subscription could not be reported', {
            error: error.message,
          }),
        )
        .finally(() => void (this.#waiting -= 1));
    }
  }

  /** Reported events of a subscription, newest first. */
  history(subscriptionId: number): readonly SubscriptionRow[] {
    return this.#rows.get(String(subscriptionId)) ?? [];
  }

  /** Resolves when all messages are sent and the history is stored. */
  async close(): Promise<void> {
    await this.#work;
    await this.#saving;
  }

  async #notify(
    subscription: Item,
    recipients: readonly string[],
    run: RecordedRun,
    entry: RecordedLogEntry,
    isTooMany: boolean,
  ): Promise<void> {
    const { send, log } = this.#options;
    const { eventType } = entry;
    const row = {
      startTime: (this.#options.now?.() ?? new Date()).toISOString(),
      eventType,
      jobRunId: run.jobRunId,
    };
    const about = { subscription: subscription.name, job: qualifiedJobName(run), eventType };
    if (!send) {
      log('a subscription sends no mail: this server has no mail server (TIDING_SMTP_URL)', about);
      return this.#add(subscription, {
        ...row,
        state: 'Recorded',
        message: 'This server has no mail server.',
      });
    }
    const problems: string[] = recipients.length === 0 ? ['It has no recipients.'] : [];
    for (const recipient of recipients) {
      const problem = isTooMany
        ? 'too many messages are waiting'
        : await this.#sendEmail(send, subscription, recipient, run, entry);
      if (problem === undefined) continue;
      problems.push(`${recipient}: ${problem}`);
      // The history entry names the recipient and the reason. The server log must not contain
      // addresses.
      log('mail of a subscription was not sent', { ...about, reason: problem });
    }
    this.#add(subscription, {
      ...row,
      state: problems.length === 0 ? 'Succeeded' : 'Failed',
      ...(problems.length === 0 ? {} : { message: problems.join('; ').slice(0, 2_000) }),
    });
  }

  /** Sends one message. Returns the reason if it was not sent. */
  async #sendEmail(
    send: SendEmail,
    subscription: Item,
    recipient: string,
    run: RecordedRun,
    entry: RecordedLogEntry,
  ): Promise<string | undefined> {
    const { people } = this.#options;
    const reader = await this.#reader(subscription, subscription.createdBy);
    if (reader !== undefined)
      return `${subscription.createdBy}, who made the subscription, ${reader}`;
    const person = await people.find(recipient);
    const refused = person && (await this.#reader(subscription, recipient));
    if (refused !== undefined) return refused;
    if (!isAddress(recipient)) return 'not an email address';
    if (!this.#emailLimit.take(String(subscription.id)))
      return `more than ${MAX_EMAILS_PER_HOUR} messages in an hour`;
    try {
      return (await send({ to: recipient, ...letterOf(subscription, run, entry) }))
        ? undefined
        : 'not an email address';
    } catch (error) {
      return (error as Error).message.replaceAll(/\s+/g, ' ').slice(0, 200);
    }
  }

  /** Why a user may currently not read the job. Undefined if they may. */
  async #reader(subscription: Item, userName: string): Promise<string | undefined> {
    const { people, catalogue } = this.#options;
    const person = await people.find(userName);
    if (!person || person.isDisabled) return 'may no longer sign in';
    const who: Requester = { userName, isAdmin: people.isAdmin(person) };
    const job = catalogue.byId(subscription.parentId);
    return job && may(catalogue.state, who, 'Read', job) ? undefined : 'may not read the job';
  }

  #add(subscription: Item, row: SubscriptionRow): void {
    const key = String(subscription.id);
    this.#rows.set(key, [row, ...(this.#rows.get(key) ?? [])].slice(0, MAX_ROWS));
    for (const id of this.#rows.keys())
      if (this.#options.catalogue.byId(Number(id))?.type !== 'subscription') this.#rows.delete(id);
    this.#saving = this.#file
      .save()
      .catch((error: Error) =>
        this.#options.log('events of subscriptions cannot be stored', { error: error.message }),
      );
  }

  async #read(): Promise<void> {
    try {
      const stored = await this.#file.read();
      for (const [id, rows] of Object.entries(stored?.rows ?? {}))
        if (Array.isArray(rows)) this.#rows.set(id, rows.slice(0, MAX_ROWS));
    } catch (error) {
      this.#options.log('events of subscriptions cannot be read', {
        error: (error as Error).message,
      });
    }
  }
}

/** Text of a message: names, times and the reason of a failure, but never task output. */
function letterOf(
  subscription: Item,
  run: RecordedRun,
  { eventType, eventTime, taskName, message }: RecordedLogEntry,
): { readonly subject: string; readonly text: string } {
  const name = qualifiedJobName(run);
  const failed = run.taskRuns
    .filter(({ state }) => state === 'Failed')
    .map((task) => task.taskName);
  const lines = [
    `Job ${name} ${words[eventType] ?? `: ${eventType}`}` +
      `${taskName === undefined ? '' : ` (${taskName})`}.`,
    '',
    `Event: ${eventType}, ${eventTime.slice(0, 19).replace('T', ' ')} UTC`,
    `Execution: ${run.jobRunId}, started by ${run.userName}` +
      `${run.scheduleName === undefined ? '' : ` (schedule ${run.scheduleName})`} ` +
      `at ${run.startTime.slice(0, 19).replace('T', ' ')} UTC`,
    ...(eventType === 'JobFailed' && failed.length > 0 ? [`Failed: ${failed.join(', ')}`] : []),
    ...(eventType === 'JobFailed' && message !== undefined ? [message] : []),
    '',
    `You receive this message because of subscription ${subscription.name} of the job. ` +
      `To stop it, run: alter job ${name} remove subscription ${subscription.name}`,
  ];
  return { subject: `${name}: ${eventType}`, text: `${lines.join('\n')}\n` };
}
