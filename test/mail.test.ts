/** Password reset mails, sent over SMTP to a test server. */
import { afterEach, describe, expect, it } from 'vitest';
import { smtpMailer } from '../server/auth/mail.ts';
import { Users } from '../server/auth/users.ts';
import { createServer } from '../server/index.ts';
import { login, request, startEmpty } from './support/raw.ts';
import { type Letter, startMailServer } from './support/smtp.ts';
import { untilEnd } from './support/until-end.ts';

const mail = untilEnd(await startMailServer());
const embedded = untilEnd(
  await startEmpty({
    smtpUrl: mail.url,
    mailFrom: 'Notes <notes@acme.org>',
    publicUrl: 'https://notes.acme.org',
    logLevel: 'silent',
  }),
);
const { url } = embedded.server;
const users = new Users(embedded.data);
await users.set('ann@acme.org', { password: 'the old password' });
await users.set('ben', { password: 'the old password' });
await users.set('eve@acme.org', { sso: { issuer: 'https://sso.acme.org', subject: 'eve' } });
afterEach(() => void Object.assign(mail, { recipients: '250 ok' }));

const json = { 'Content-Type': 'application/json' };
const ask = (username: string) =>
  request(url, 'POST', '/api/magpie/password-reset', {
    headers: json,
    body: JSON.stringify({ username }),
  });
const header = (letter: Letter, name: string) =>
  letter.headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);

it('contains a link to the public address that works once', async () => {
  // Callers control their request headers.
  expect(
    await request(url, 'POST', '/api/magpie/password-reset', {
      headers: { ...json, Host: 'localhost', 'X-Forwarded-Host': 'evil.example' },
      body: '{"username":"ann@acme.org"}',
    }),
  ).toMatchObject({ status: 202 });
  await expect.poll(() => mail.letters.length).toBe(1);
  const [letter] = mail.letters as [Letter];
  expect([letter.from, letter.to]).toEqual(['notes@acme.org', ['ann@acme.org']]);
  expect([header(letter, 'to'), header(letter, 'from'), header(letter, 'subject')]).toEqual([
    ['ann@acme.org'],
    ['Notes <notes@acme.org>'],
    ['Set a new password for Tiding'],
  ]);
  expect(header(letter, 'auto-submitted')).toEqual(['auto-generated']);
  const links = letter.text.match(/https?:\/\/\S+/g)!;
  expect(links).toHaveLength(1);
  expect(links[0]).toMatch(/^https:\/\/notes\.acme\.org\/#\/password-reset\/tdr_[\w-]{43}$/);
  const path = `/api/magpie/password-reset/${links[0]!.split('/').at(-1)}`;
  expect((await request(url, 'GET', path)).status).toBe(200);
  const set = () =>
    request(url, 'PUT', path, { headers: json, body: '{"newPassword":"a whole new one"}' });
  expect([(await set()).status, (await set()).status]).toEqual([200, 410]);
  await login(url, 'ann@acme.org', 'a whole new one');
});

it('sends no mail to users who are unknown, have no address, or use single sign-on', async () => {
  const before = mail.letters.length;
  for (const name of ['nobody@acme.org', 'ben', 'eve@acme.org'])
    expect((await ask(name)).status).toBe(202);
  // The last mail in the queue arrived, so earlier requests were handled.
  await ask('ann@acme.org');
  await expect.poll(() => mail.letters.length).toBe(before + 1);
  expect(mail.letters.at(-1)!.to).toEqual(['ann@acme.org']);
});

it('continues when the mail server rejects a recipient', async () => {
  const before = mail.letters.length;
  mail.recipients = '550 no such user';
  const refused = mail.lines.filter((line) => line.startsWith('RCPT')).length;
  expect((await ask('ann@acme.org')).status).toBe(202);
  await expect
    .poll(() => mail.lines.filter((line) => line.startsWith('RCPT')).length)
    .toBe(refused + 1);
  mail.recipients = '250 ok';
  await ask('ann@acme.org');
  await expect.poll(() => mail.letters.length).toBe(before + 1);
});

describe('the mailer', () => {
  const settings = () => ({ smtpUrl: mail.url, mailFrom: 'notes@acme.org' });
  const write = (to: string) =>
    smtpMailer(settings())!({
      to,
      link: 'https://notes.acme.org/#/password-reset/tdr_x',
      expiresAt: '2026-11-21T10:00:00.000Z',
    });

  it.each([
    'ann@acme.org\r\nBcc: eve@evil.example',
    'ann@acme.org\nSubject: x',
    'ann@acme.org, eve@evil.example',
    'ann@acme.org;eve@evil.example',
    '"ann" <eve@evil.example>',
    'ann@acme.org eve@evil.example',
    'ann@acme.org> SIZE=1\r\nRCPT TO:<eve@evil.example',
    'ann',
    '@acme.org',
    'a@b@c',
    'ann@acme.org\u0000',
  ])('rejects the address %j, without contacting the mail server', async (to) => {
    const before = mail.lines.length;
    expect(await write(to)).toBe(false);
    expect(mail.lines.length).toBe(before);
  });

  it('accepts addresses with special characters and other scripts', async () => {
    await write('ann.b+notes@acme.org');
    expect(mail.letters.at(-1)!.to).toEqual(['ann.b+notes@acme.org']);
    expect(mail.letters.at(-1)!.text).toContain('until 2026-11-21 10:00 UTC');
  });

  it('sends no password over an unencrypted connection', async () => {
    const before = mail.letters.length;
    const mailer = smtpMailer({ ...settings(), smtpUrl: mail.url.replace('//', '//ann:secret@') })!;
    await expect(
      mailer({ to: 'ann@acme.org', link: 'x', expiresAt: '2026-11-21T10:00:00.000Z' }),
    ).rejects.toThrow();
    expect(mail.letters.length).toBe(before);
    expect(mail.lines.join('\n')).not.toMatch(/AUTH|c2VjcmV0|secret/);
  });

  it('is disabled if nothing is configured', () => {
    expect(smtpMailer({ smtpUrl: undefined, mailFrom: undefined })).toBeUndefined();
  });

  it.each([
    [{ smtpUrl: 'http://mail.acme.org', mailFrom: 'a@acme.org' }, 'TIDING_SMTP_URL'],
    [{ smtpUrl: 'smtp://ann:secret@', mailFrom: 'a@acme.org' }, 'TIDING_SMTP_URL'],
    [{ smtpUrl: 'smtp://mail.acme.org', mailFrom: undefined }, 'TIDING_MAIL_FROM'],
    [{ smtpUrl: 'smtp://mail.acme.org', mailFrom: 'a@acme.org\r\nBcc: x@y' }, 'TIDING_MAIL_FROM'],
  ])('rejects %j before the server starts', async (given, reason) => {
    const error = await createServer({ port: 0, data: `${embedded.data}/none`, ...given }).then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(error?.message).toContain(reason);
    expect(error?.message).not.toContain('secret');
  });
});
