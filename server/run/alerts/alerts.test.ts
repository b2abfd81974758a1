import type { ScheduleAlerts } from '@tiding/client/protocol';
import { pino } from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { serve } from '../../../test/support/serve.ts';
import { startMailServer } from '../../../test/support/smtp.ts';
import { temporaryFolder, untilEnd } from '../../../test/support/until-end.ts';
import { smtpSender } from '../../auth/mail.ts';
import { newNote, newParagraph } from '../../notes/note.ts';
import { AlertService, type AlertsOptions } from './alerts.ts';

const mail = untilEnd(await startMailServer());
let posted: Record<string, unknown>[] = [];
/** Statuses of the next answers, by default 200. */
let statuses: number[] = [];
const receiver = await serve((request, response) => {
  request.setEncoding('utf8').on('data', (text: string) => posted.push(JSON.parse(text)));
  request.on('end', () => response.writeHead(statuses.shift() ?? 200, { Location: '/' }).end());
});
const webhook = `${receiver}/hook?key=s3cret`;

const note = newNote('Team/Daily\nreport', [newParagraph({ text: '%sql' })]);
let now: number;
let owns: boolean;
let logged: string;
let recorded: unknown[];
let options: AlertsOptions;
beforeEach(() => {
  [now, owns, logged, recorded] = [Date.UTC(2026, 0, 14, 6), true, '', []];
  [mail.letters.length, posted, statuses] = [0, [], []];
  options = {
    data: temporaryFolder(),
    users: { refresh: async () => {}, get: (name) => ({ name, roles: [] }) },
    permissions: { has: () => owns },
    results: { find: () => undefined },
    audit: { record: (event, entry) => void recorded.push({ event, ...entry }) },
    log: pino({}, { write: (line: string) => void (logged += line) }),
    send: smtpSender({ smtpUrl: mail.url, mailFrom: 'Notes <notes@acme.org>' }),
    allowPrivateFetch: true,
    url: () => 'https://notes.acme.org',
    now: () => new Date(now),
    delays: [0, 0],
  };
});
const open = async (alerts: Partial<ScheduleAlerts>) => {
  const service = await AlertService.open(options);
  const given = { on: ['failure', 'missed'], mail: [], retries: 0, ...alerts } as ScheduleAlerts;
  await service.set(note, given, { principal: 'ann', roles: [] });
  return service;
};
const last = (service: AlertService) => service.of(note.id).last;
const statusesOf = () => posted.map(({ event, status }) => `${String(event)} ${String(status)}`);

it('sends one message when runs begin to fail, and one when they work again', async () => {
  const service = await open({ mail: ['ann@acme.org', 'ben@acme.org'], webhook });
  for (let minute = 0; minute < 5; minute += 1) {
    await service.runEnded(note, 'Paragraph 1 failed. The note shows why.');
    now += 60_000;
  }
  await service.runEnded(note, undefined);
  await service.runEnded(note, undefined);
  service.missed(note, 'The server was off.');
  await expect.poll(() => posted.length).toBe(3);
  await expect.poll(() => mail.letters.length).toBe(6);
  expect(posted[0]).toEqual({
    noteId: note.id,
    path: 'Team/Daily report',
    event: 'failure',
    status: 'problem',
    reason: 'Paragraph 1 failed. The note shows why.',
    time: '2026-01-14T06:00:00.000Z',
    link: `https://notes.acme.org/#/notebook/${note.id}`,
    text: 'Team/Daily report: the scheduled run failed',
  });
  expect(statusesOf().slice(1)).toEqual(['failure recovered', 'missed problem']);
  const first = mail.letters.filter(({ to }) => to[0] === 'ben@acme.org')[0]!;
  expect(first.headers).toContainEqual(['Subject', 'Team/Daily report: the scheduled run failed']);
  expect(first.text).toContain(`2026-01-14 06:00:00 UTC\r\nhttps://notes.acme.org/#/notebook/`);
  expect(first.text).toContain('ann set this alert');
  await expect.poll(() => recorded.length).toBe(3);
  expect(recorded[0]).toEqual({
    ...{ event: 'alert', principal: 'ann', note: note.id, target: 'failure', outcome: 'ok' },
  });
  expect(logged).toContain('alert-sent');
  expect(logged).not.toMatch(/s3cret|acme\.org/);
});

it('repeats a message each day, also after a restart, and six an hour at most', async () => {
  let service = await open({ webhook });
  await service.runEnded(note, 'It failed.');
  await expect.poll(() => last(service)?.time).toBe(now);
  await service.close();
  service = await AlertService.open(options);
  now += 24 * 3_600_000 - 1;
  await service.runEnded(note, 'It failed.');
  now += 1;
  await service.runEnded(note, 'It failed.');
  await expect.poll(() => last(service)?.time).toBe(now);
  expect(statusesOf()).toEqual(['failure problem', 'failure problem']);
  for (let count = 0; count < 5; count += 1) {
    await service.runEnded(note, undefined);
    await service.runEnded(note, 'It failed.');
  }
  await expect
    .poll(() => last(service))
    .toMatchObject({ problem: 'More than 6 alerts in an hour.' });
  expect(posted).toHaveLength(7);
});

it('tries again, does not follow redirects, and shows what was not delivered', async () => {
  const service = await open({ webhook });
  statuses = [500, 302];
  await service.runEnded(note, 'It failed.');
  await expect.poll(() => last(service)?.problem === undefined && posted.length).toBe(3);
  statuses = [410, 410, 410];
  service.missed(note, 'The server was off.');
  await expect
    .poll(() => last(service)?.problem)
    .toBe(`webhook: ${new URL(webhook).host} answered with status 410.`);
  expect(recorded.at(-1)).toMatchObject({ target: 'missed', outcome: 'failed' });
  // Nobody was told, so the next event is not a repetition.
  service.missed(note, 'The server was off.');
  await expect.poll(() => posted.length).toBe(7);
});

it('sends nothing in the name of a user who no longer owns the note', async () => {
  const service = await open({ mail: ['ann@acme.org'], webhook });
  owns = false;
  await service.runEnded(note, 'It failed.');
  await expect
    .poll(() => last(service)?.problem)
    .toBe('ann, who set the alerts, no longer owns the note.');
  await service.forgetUser('ann');
  expect(service.of(note.id)).toEqual({
    alerts: { on: [], mail: [], retries: 0 },
    sendsMail: true,
  });
  expect([posted, mail.letters]).toEqual([[], []]);
});

it('sends a test message once, to recipients that are not stored', async () => {
  const service = await open({ on: [] });
  const test = (alerts: Partial<ScheduleAlerts>) =>
    service.test(
      note,
      { on: [], mail: [], retries: 0, ...alerts },
      { principal: 'ann', roles: [] },
    );
  await expect(test({})).rejects.toThrow('Enter a mail address or a webhook for the alerts.');
  const text = 'Team/Daily report: a test of the alerts';
  expect(await test({ mail: ['ann@acme.org'], webhook })).toEqual({ time: now, text });
  expect(posted).toMatchObject([{ event: 'test', status: 'test', text }]);
  expect(mail.letters.map(({ to }) => to[0])).toEqual(['ann@acme.org']);
  statuses = [500];
  expect((await test({ webhook })).problem).toMatch(/^webhook: .* answered with status 500\.$/);
  expect([posted.length, last(service)]).toEqual([2, undefined]);
});

it.each([
  [{ mail: ['ann'] }, 'ann is not a mail address.'],
  [{ on: ['failure'] }, 'Enter a mail address or a webhook for the alerts.'],
  [{ on: ['condition'], mail: ['a@acme.org'] }, 'Enter the condition of the alert.'],
  [{ webhook: 'http://hooks.acme.org' }, 'The webhook must start with https://.'],
  [{ webhook: 'https://a:b@hooks.acme.org' }, /cannot contain a user name/],
  [{ webhook: 'https://127.0.0.1/x' }, /this machine or in a private network/],
  [{ webhook: 'https://[::ffff:10.0.0.1]/x' }, /this machine or in a private network/],
  [{ webhook: 'https://localhost' }, /this machine or in a private network/],
] as [Partial<ScheduleAlerts>, string | RegExp][])('refuses %j', async (alerts, why) => {
  options = { ...options, allowPrivateFetch: false };
  await expect(open(alerts)).rejects.toThrow(why);
});

it('refuses mail without a mail server, and names the setting', async () => {
  options = { ...options, send: undefined };
  await expect(open({ mail: ['ann@acme.org'] })).rejects.toThrow('TIDING_SMTP_URL');
});
