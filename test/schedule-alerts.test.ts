/** Alerts of schedules over REST, with real runs, a mail server and a webhook. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AlertState, Note, ScheduleAlerts } from '@tiding/client/protocol';
import { expect, it } from 'vitest';
import { bodyOf, twoPeople } from './support/people.ts';
import { openSocket } from './support/raw.ts';
import { startMailServer } from './support/smtp.ts';
import { untilEnd } from './support/until-end.ts';

const posted: string[] = [];
const receiver = untilEnd(
  createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => posted.push(text));
    request.on('end', () => response.end());
  }),
);
await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/secret-path`;
const mail = untilEnd(await startMailServer());
const { url, admin, bob, call, create } = untilEnd(
  await twoPeople({
    smtpUrl: mail.url,
    mailFrom: 'notes@acme.org',
    allowPrivateFetch: true,
  }),
);
const pathOf = (note: Note) => `/magpie/jobs/${note.id}/alerts`;
const set = (note: Note, alerts: object, who = admin) => call(who, 'PUT', pathOf(note), alerts);
const failures: ScheduleAlerts = { on: ['failure'], mail: ['ann@acme.org'], webhook, retries: 0 };
const subjects = () =>
  mail.letters.flatMap(({ headers }) => headers.filter(([name]) => name === 'Subject'));

it('of a note that fails each second are one message, without its output', async () => {
  const note = await create('%js\nthrow new Error("password hunter2")');
  const { id } = note.paragraphs![0]!;
  expect((await set(note, failures)).status).toBe(204);
  await call(admin, 'POST', `/notebook/cron/${note.id}`, { cron: '* * * * * ?' });
  const runs = async () =>
    ((await call(admin, 'GET', `/magpie/jobs/${note.id}/history`)).json as object[]).length;
  await expect.poll(runs).toBeGreaterThan(2);
  await call(admin, 'PUT', `/notebook/${note.id}/paragraph/${id}`, { text: '%js\n1' });
  await expect.poll(() => posted.length).toBe(2);
  await call(admin, 'DELETE', `/notebook/cron/${note.id}`);
  expect(subjects().map(([, subject]) => subject)).toEqual([
    `${note.name}: the scheduled run failed`,
    `${note.name}: the scheduled run works again`,
  ]);
  expect(JSON.parse(posted[0]!)).toMatchObject({
    ...{ noteId: note.id, path: note.name, event: 'failure', status: 'problem' },
    reason: 'Paragraph 1 failed. The note shows why.',
    link: `${url}/#/notebook/${note.id}`,
  });
  expect(posted.join() + mail.letters.map(({ text }) => text).join()).not.toContain('hunter2');
  await expect
    .poll(async () => ((await call(admin, 'GET', pathOf(note))).json as AlertState).last)
    .toMatchObject({ text: `${note.name}: the scheduled run works again` });
});

it('check a typed result of the run', async () => {
  const note = await create('%sql\nselect 95.10::decimal(18,2) as revenue, 1 as x');
  const [{ id }] = note.paragraphs as [{ id: string }];
  const condition = { paragraph: id, column: 'revenue', aggregate: 'sum', is: '<', value: '95.11' };
  const before = posted.length;
  await set(note, { ...failures, on: ['condition'], mail: [], condition });
  await call(admin, 'POST', `/notebook/cron/${note.id}`, { cron: '* * * * * ?' });
  await expect.poll(() => posted.length).toBe(before + 1);
  await call(admin, 'DELETE', `/notebook/cron/${note.id}`);
  expect(JSON.parse(posted[before]!)).toMatchObject({
    event: 'condition',
    reason: 'sum of "revenue" in paragraph 1 is 95.10, which is < 95.11.',
  });
});

it('belong to the owners: no reader, copy or file gets an address', async () => {
  const note = await create('%md\nx');
  await set(note, failures);
  await call(admin, 'POST', `/notebook/cron/${note.id}`, { cron: '0 0 0 1 1 ?' });
  await call(admin, 'PUT', `/notebook/${note.id}/permissions`, {
    ...{ owners: ['admin'], writers: ['bob'], runners: [], readers: [] },
  });
  expect((await call(bob, 'GET', pathOf(note))).status).toBe(403);
  expect((await set(note, failures, bob)).status).toBe(403);
  const socket = await openSocket(url, { identity: bob.identity, note: note.id });
  const clone = await bodyOf<string>(call(bob, 'POST', `/notebook/${note.id}`, { name: 'copy' }));
  expect((await call(bob, 'GET', `/magpie/jobs/${clone}/alerts`)).json).toEqual({
    alerts: { on: [], mail: [], retries: 0 },
    sendsMail: true,
  });
  socket.send({ op: 'GET_NOTE', data: { id: note.id } });
  const seen = [
    JSON.stringify(await socket.next('NOTE')),
    (await call(bob, 'GET', `/notebook/${note.id}`)).text,
    (await call(admin, 'GET', `/notebook/export/${note.id}`)).text,
  ];
  socket.socket.close();
  expect(seen.join()).not.toMatch(/secret-path|ann@acme/);
});

it('with unknown keys, values or paragraphs are refused', async () => {
  const note = await create('%md\nx');
  const condition = { paragraph: 'gone', column: 'a', aggregate: 'sum', is: '<', value: '1' };
  for (const [change, why] of [
    [{ also: 1 }, /Unknown field also/],
    [{ retries: 6 }, /retries/],
    [{ condition: { ...condition, is: '~' } }, /condition/],
    [{ condition }, /not in this note/],
  ] as [object, RegExp][]) {
    const { status, text } = await set(note, { ...failures, ...change });
    expect([status, text]).toEqual([400, expect.stringMatching(why)]);
  }
});
