/**
 * Alerts of schedules, in `alerts.json` of the data folder. They are not part of the note: its
 * readers, copies, exported files and git remotes get no addresses. Each event (failure, condition,
 * missed) sends one message when it begins, one when it is over, and a reminder each day.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AlertEvent, AlertOutcome, AlertState, ScheduleAlerts } from '@tiding/client/protocol';
import { activeUser } from '../../auth/accounts.ts';
import { isAddress, type SendEmail } from '../../auth/mail.ts';
import type { ActingUser, NotePermissions } from '../../auth/permissions.ts';
import type { Users } from '../../auth/users.ts';
import { Refusal } from '../../base/errors.ts';
import { RateLimit } from '../../base/rate-limit.ts';
import { TasksByKey } from '../../base/tasks-by-key.ts';
import type { Audit } from '../../logging/audit.ts';
import type { Logger } from '../../logging/log.ts';
import type { StoredNote } from '../../notes/note.ts';
import type { ResultStore } from '../../results/store.ts';
import { JsonFile } from '../../storage/files.ts';
import { checkCondition } from './condition.ts';
import { checkWebhook, postWebhook } from './webhook.ts';

/** Dependencies of {@link AlertService}. */
export interface AlertsOptions {
  readonly data: string;
  readonly users: Pick<Users, 'refresh' | 'get'>;
  readonly permissions: Pick<NotePermissions, 'has'>;
  readonly results: Pick<ResultStore, 'find'>;
  readonly audit: Pick<Audit, 'record'>;
  readonly log: Logger;
  /** Absent if no mail server is configured. */
  readonly send: SendEmail | undefined;
  readonly allowPrivateFetch: boolean;
  /** Returns the base URL of the server's pages. It is never taken from a request. */
  readonly url: () => string;
  readonly now?: () => Date;
  /** Delays before a message that was not delivered is sent again, in ms. */
  readonly delays?: readonly number[];
}

interface Entry {
  /** User who set the alerts. */
  readonly by: string;
  readonly alerts: ScheduleAlerts;
  /** Events that are not over, and when the last message about each was delivered, in ms. */
  readonly open: Partial<Record<AlertEvent, { readonly sent?: number | undefined }>>;
  readonly last?: AlertOutcome | undefined;
}

/** A recipient and what sends the message to it. */
type Delivery = [to: string, task: () => Promise<void>];

const REPEAT_MS = 24 * 3_600_000;
/** Maximum number of messages of a note within an hour. */
const MAX_PER_HOUR = 6;
const DELAYS_MS = [10_000, 60_000];
const NONE: ScheduleAlerts = { on: [], mail: [], retries: 0 };

const titles: Record<AlertEvent | 'test', readonly [begins: string, ends: string]> = {
  failure: ['the scheduled run failed', 'the scheduled run works again'],
  condition: ['a condition is met', 'the condition is no longer met'],
  missed: ['a scheduled run was missed', 'scheduled runs take place again'],
  test: ['a test of the alerts', 'a test of the alerts'],
};

/** Stores the alerts of schedules and sends their messages. */
export class AlertService {
  readonly #options: AlertsOptions;
  #entries = new Map<string, Entry>();
  readonly #file: JsonFile<Record<string, Entry>>;
  readonly #limit = new RateLimit(MAX_PER_HOUR, 3_600_000);
  readonly #stop = new AbortController();
  /** Messages, by note. */
  readonly #messages = new TasksByKey();

  private constructor(options: AlertsOptions) {
    this.#options = options;
    this.#file = new JsonFile(join(options.data, 'alerts.json'), () =>
      Object.fromEntries(this.#entries),
    );
  }

  /** Reads the stored alerts. Throws if their file is damaged. */
  static async open(options: AlertsOptions): Promise<AlertService> {
    const made = new AlertService(options);
    made.#entries = new Map(Object.entries((await made.#file.read()) ?? {}));
    return made;
  }

  /** Returns the alerts of a note and the outcome of the last message. */
  of(noteId: string): AlertState {
    const { alerts = NONE, last } = this.#entries.get(noteId) ?? {};
    return { alerts, sendsMail: this.#options.send !== undefined, ...(last ? { last } : {}) };
  }

  /** Throws a refusal if the alerts are not valid. */
  #check(note: StoredNote, alerts: ScheduleAlerts, isSent: boolean): void {
    const { send, allowPrivateFetch } = this.#options;
    const { on, condition, mail, webhook } = alerts;
    const refuse = (why: string): never => {
      throw new Refusal(400, why);
    };
    if (mail.length > 0 && !send)
      refuse('This server sends no mail. An administrator has to set TIDING_SMTP_URL.');
    for (const address of mail)
      if (!isAddress(address)) refuse(`${address} is not a mail address.`);
    if (webhook !== undefined) checkWebhook(webhook, allowPrivateFetch);
    if (isSent && mail.length === 0 && webhook === undefined)
      refuse('Enter a mail address or a webhook for the alerts.');
    if (on.includes('condition') && !condition) refuse('Enter the condition of the alert.');
    if (condition && !note.paragraphs.some(({ id }) => id === condition.paragraph))
      refuse('The paragraph of the condition is not in this note.');
  }

  /** Sets the alerts of a note, in the name of a user. Throws a refusal if they are not valid. */
  async set(note: StoredNote, alerts: ScheduleAlerts, { principal }: ActingUser): Promise<void> {
    this.#check(note, alerts, alerts.on.length > 0);
    const { last } = this.#entries.get(note.id) ?? {};
    this.#entries.set(note.id, { by: principal, alerts, open: {}, ...(last ? { last } : {}) });
    await this.#file.save();
  }

  /**
   * Sends a message to the recipients of alerts, stored or not, and returns its outcome. Throws a
   * refusal if they are not valid.
   */
  async test(
    note: StoredNote,
    alerts: ScheduleAlerts,
    { principal }: ActingUser,
  ): Promise<AlertOutcome> {
    this.#check(note, alerts, true);
    const entry = { by: principal, alerts, open: {} };
    return (await this.#deliver(note, entry, 'test', undefined, this.#now())).last;
  }

  /** Removes the alerts of notes that no longer exist. */
  sweep(exists: (noteId: string) => boolean): void {
    for (const noteId of this.#entries.keys()) if (!exists(noteId)) this.#remove(noteId);
  }

  /** Removes the alerts that a removed user set. A new user may get that name. */
  async forgetUser(principal: string): Promise<void> {
    for (const [noteId, { by }] of this.#entries) if (by === principal) this.#remove(noteId);
    await this.#file.save();
  }

  #remove(noteId: string): void {
    this.#entries.delete(noteId);
    this.#stored(this.#file.save());
  }

  #stored(saving: Promise<void>): void {
    saving.catch((error: Error) =>
      this.#options.log.error({ error: error.message }, 'alerts could not be stored'),
    );
  }

  /** Called when a scheduled run is over and is not repeated. `failure` says why it failed. */
  async runEnded(note: StoredNote, failure: string | undefined): Promise<void> {
    this.#report(note, 'missed', undefined);
    this.#report(note, 'failure', failure);
    const { on = [], condition } = this.#entries.get(note.id)?.alerts ?? {};
    if (failure === undefined && condition && on.includes('condition'))
      this.#report(
        note,
        'condition',
        await checkCondition(note, condition, this.#options.results, new Date(this.#now())),
      );
  }

  /** Called when a run that was due did not take place. */
  missed(note: StoredNote, reason: string): void {
    this.#report(note, 'missed', reason);
  }

  /** Stops sending. Messages that were not delivered are sent at the next event. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#file.save().catch(() => {});
  }

  #now(): number {
    return (this.#options.now?.() ?? new Date()).getTime();
  }

  /** Records an event with its reason, or without a reason that it is over. */
  #report(note: StoredNote, event: AlertEvent, reason: string | undefined): void {
    const { id } = note;
    if (!this.#entries.get(id)?.alerts.on.includes(event)) return;
    const now = this.#now();
    this.#messages
      .run(id, () => this.#tell(note, event, reason, now))
      .catch((error: Error) =>
        this.#options.log.error({ note: id, error: error.stack }, 'an alert failed'),
      );
  }

  async #tell(
    note: StoredNote,
    event: AlertEvent,
    reason: string | undefined,
    now: number,
  ): Promise<void> {
    const before = this.#entries.get(note.id);
    const { sent } = before?.open[event] ?? {};
    if (!before?.alerts.on.includes(event) || this.#stop.signal.aborted) return;
    if (reason === undefined ? !before.open[event] : sent !== undefined && now - sent < REPEAT_MS)
      return;
    const isTold = reason !== undefined || sent !== undefined;
    const outcome = isTold ? await this.#deliver(note, before, event, reason, now) : undefined;
    const entry = this.#entries.get(note.id);
    // The alerts were changed or removed while the message was sent.
    if (!entry || entry.alerts !== before.alerts || this.#stop.signal.aborted) return;
    const { [event]: _, ...others } = entry.open;
    this.#entries.set(note.id, {
      ...entry,
      open:
        reason === undefined
          ? others
          : { ...others, [event]: { sent: outcome?.isDelivered ? now : sent } },
      ...(outcome ? { last: outcome.last } : {}),
    });
    this.#stored(this.#file.save());
  }

  async #deliver(
    note: StoredNote,
    { alerts: { mail, webhook }, by }: Entry,
    event: AlertEvent | 'test',
    reason: string | undefined,
    now: number,
  ): Promise<{ isDelivered: boolean; last: AlertOutcome }> {
    const { log, audit, url, allowPrivateFetch, send, delays = DELAYS_MS } = this.#options;
    const isTest = event === 'test';
    const [begins, ends] = titles[event];
    const path = note.name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
    const subject = `${path}: ${reason === undefined ? ends : begins}`;
    const time = new Date(now).toISOString();
    const link = `${url()}/#/notebook/${encodeURIComponent(note.id)}`;
    const text =
      `${subject}.\n\n${reason === undefined ? '' : `${reason}\n\n`}` +
      `${time.slice(0, 19).replace('T', ' ')} UTC\n${link}\n\n` +
      `${by} set this alert in the schedule of the note. Owners of the note can change it there.\n`;
    const status = isTest ? 'test' : reason === undefined ? 'recovered' : 'problem';
    const json = { noteId: note.id, path, event, status, reason, time, link, text: subject };
    const { signal } = this.#stop;
    const tasks = mail.map(
      (to): Delivery => [to, async () => void (await send?.({ to, subject, text }))],
    );
    if (webhook !== undefined)
      tasks.push([
        'webhook',
        () => postWebhook(webhook, json, { allowPrivate: allowPrivateFetch, signal }),
      ]);
    // Tests count by user: they leave the messages about events their number.
    const refused = await this.#refusal(note, by, isTest ? `test ${by}` : note.id);
    const results = refused
      ? [refused]
      : await Promise.all(tasks.map((task) => this.#attempt(task, isTest ? [] : delays)));
    const problems = results.filter((problem) => problem !== undefined);
    const isDelivered = problems.length < results.length;
    const problem = problems.join(' ').slice(0, 1_000);
    const details = { note: note.id, about: event, status, failed: problems.length, refused };
    // The addresses are in the outcome that owners see, not in the log.
    if (problem === '') log.info({ event: 'alert-sent', ...details }, 'an alert was sent');
    else log.warn({ event: 'alert-failed', ...details }, 'an alert was not sent to everybody');
    const outcome = isDelivered ? 'ok' : 'failed';
    audit.record('alert', { principal: by, note: note.id, target: event, outcome });
    return { isDelivered, last: { time: now, text: subject, ...(problem ? { problem } : {}) } };
  }

  /** Why nothing may be sent; `undefined` if it may. `counted`: what the limit is for. */
  async #refusal(note: StoredNote, by: string, counted: string): Promise<string | undefined> {
    const { users, permissions } = this.#options;
    const person = await activeUser(users, by);
    if (!person || !permissions.has(person, note.id, 'owner'))
      return `${by}, who set the alerts, no longer owns the note.`;
    return this.#limit.take(counted) ? undefined : `More than ${MAX_PER_HOUR} alerts in an hour.`;
  }

  /** Sends a message, also again; returns the reason if it was not delivered. */
  async #attempt([to, task]: Delivery, delays: readonly number[]): Promise<string | undefined> {
    if (to !== 'webhook' && !this.#options.send) return `${to}: this server sends no mail.`;
    let problem: string | undefined;
    for (const delay of [0, ...delays]) {
      await pause(delay, undefined, { signal: this.#stop.signal, ref: false }).catch(() => {});
      if (this.#stop.signal.aborted) return `${to}: the server was stopped.`;
      problem = await task().then(
        () => undefined,
        (error: Error) => `${to}: ${error.message.replaceAll(/\s+/g, ' ').slice(0, 200)}`,
      );
      if (problem === undefined) break;
    }
    return problem;
  }
}
