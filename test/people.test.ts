/** Administrators manage users: what they see, what they change, and what is refused. */
import { type Client, createClient } from '@tiding/client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Users } from '../server/auth/users.ts';
import { ADMIN_PASSWORD, adminClient } from './support/embedded.ts';
import { auditOf, startEmpty } from './support/raw.ts';
import { startMailServer } from './support/smtp.ts';
import { untilEnd } from './support/until-end.ts';

const PASSWORD = 'a-password-for-tests';

const open = (options: Partial<Parameters<typeof createClient>[0]> = {}): Client =>
  untilEnd(createClient({ server: url, ...options }));
const signedIn = async (name: string, password = PASSWORD): Promise<Client> => {
  const client = open();
  await client.session.login(name, password);
  return client;
};
const tokenOf = (link = '') => link.split('/').at(-1)!;
const one = async (name: string) => (await admin.people.users()).find((each) => each.name === name);
const embedded = untilEnd(await startEmpty());
const { url } = embedded.server;
const users = new Users(embedded.data);
const admin = await signedIn('admin', ADMIN_PASSWORD);

beforeEach(async () => {
  await users.set('ann', { password: PASSWORD, roles: ['analysts'], disabled: false });
});

describe('inviting', () => {
  it('creates a user whose link sets a password, once', async () => {
    const { expiresAt, link, mailed, name } = await admin.people.invite('ben@acme.org', [
      'analysts',
      'magpie.AccessToken',
    ]);
    expect([name, mailed]).toEqual(['ben@acme.org', false]);
    const left = Date.parse(expiresAt) - Date.now();
    expect(left).toBeGreaterThan(6.9 * 86_400_000);
    expect(left).toBeLessThanOrEqual(7 * 86_400_000);
    expect(link?.startsWith(`${url}/#/password-reset/tdr_`)).toBe(true);
    const before = await one('ben@acme.org');
    expect(before).toMatchObject({
      roles: ['analysts', 'magpie.AccessToken'],
      disabled: false,
      invited: true,
      hasPassword: false,
      linkExpiresAt: expiresAt,
      sessions: 0,
    });
    expect(before?.lastSignIn).toBeUndefined();
    expect(
      await open().call('checkPasswordReset', { params: { resetToken: tokenOf(link) } }),
    ).toEqual({ valid: true, expiresAt, name: 'ben@acme.org', invitation: true });
    await open().people.resetPassword(tokenOf(link), PASSWORD);
    await expect(open().people.resetPassword(tokenOf(link), PASSWORD)).rejects.toMatchObject({
      status: 410,
    });
    const since = Date.now();
    await signedIn('ben@acme.org');
    const after = await one('ben@acme.org');
    expect(after).toMatchObject({ invited: false, hasPassword: true, sessions: 1 });
    expect(after?.linkExpiresAt).toBeUndefined();
    expect(Math.abs(Date.parse(after!.lastSignIn!) - since)).toBeLessThan(60_000);
  });

  it('refuses names and roles that are invalid or taken, and creates nothing', async () => {
    const before = (await admin.people.users()).length;
    for (const [name, roles, status] of [
      ['ann', [], 409],
      ['two words', [], 400],
      ['anonymous', [], 400],
      ['carl', ['a role'], 400],
      ['carl', [''], 400],
    ] as const)
      await expect(admin.people.invite(name, roles), name).rejects.toMatchObject({ status });
    expect((await admin.people.users()).length).toBe(before);
  });

  it('replaces an earlier link by a new one', async () => {
    const { link: first } = await admin.people.invite('dora');
    const { link: second } = await admin.people.createPasswordLink('dora');
    await expect(open().people.checkPasswordReset(tokenOf(first))).rejects.toMatchObject({
      status: 404,
    });
    expect(await open().people.checkPasswordReset(tokenOf(second))).toMatch(/Z$/);
    await admin.people.remove('dora');
    await expect(open().people.checkPasswordReset(tokenOf(second))).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('changing', () => {
  it('sets roles, which work at once', async () => {
    const ann = await signedIn('ann');
    await expect(ann.people.users()).rejects.toMatchObject({ status: 403 });
    expect((await admin.people.setRoles('ann', ['global.SuperAdmin', 'b', 'b'])).roles).toEqual([
      'global.SuperAdmin',
      'b',
    ]);
    expect((await ann.people.users()).length).toBeGreaterThan(1);
    await admin.people.setRoles('ann', []);
    await expect(ann.people.users()).rejects.toMatchObject({ status: 403 });
  });

  it('lists sessions and whether a page is open, and ends them with the reason', async () => {
    await admin.people.endSessions('ann');
    const ann = await signedIn('ann');
    await ann.open(await ann.notes.create({ path: 'Open' }));
    await vi.waitFor(
      async () => expect(await admin.people.sessions('ann')).toMatchObject([{ open: true }]),
      { timeout: 60_000 },
    );
    const [session] = await admin.people.sessions('ann');
    expect(session).toMatchObject({ current: false });
    expect(Date.parse(session!.startedAt)).toBeLessThanOrEqual(Date.parse(session!.lastUsedAt));
    await admin.people.endSessions('ann');
    await vi.waitFor(
      () =>
        expect(ann.state.session).toMatchObject({
          phase: 'signed-out',
          info: 'An administrator has ended your sessions. Sign in again.',
        }),
      { timeout: 60_000 },
    );
    expect(await admin.people.sessions('ann')).toEqual([]);
    // The administrator's own session stays.
    const other = await signedIn('admin', ADMIN_PASSWORD);
    await admin.people.endSessions('admin');
    expect(await admin.people.sessions('admin')).toMatchObject([{ current: true }]);
    await expect(other.people.users()).rejects.toMatchObject({ status: 401 });
  });

  it('disables a user: sessions, sockets, tokens and schedules stop at once', async () => {
    await admin.people.setRoles('ann', ['magpie.AccessToken']);
    const ann = await signedIn('ann');
    const noteId = await ann.notes.create({ path: 'Scheduled' });
    await ann.call('setCron', { params: { noteId }, body: { cron: '0 0 0 * * ?' } });
    const { token } = await ann.tokens.create();
    const script = open({ auth: { token: token! } });
    await script.notes.list();
    const { link } = await admin.people.createPasswordLink('ann');
    expect(await admin.people.disable('ann')).toMatchObject({ disabled: true, sessions: 0 });
    for (const client of [ann, script])
      await vi.waitFor(() => expect(client.state.session.phase).toBe('signed-out'), {
        timeout: 60_000,
      });
    expect(ann.state.session.info).toBe('Your account has been disabled. Ask an administrator.');
    await expect(script.call('listNotes')).rejects.toMatchObject({ code: 'signed-out' });
    await expect(open().people.checkPasswordReset(tokenOf(link))).rejects.toMatchObject({
      status: 404,
    });
    await expect(signedIn('ann')).rejects.toMatchObject({ status: 403 });
    await expect(admin.people.createPasswordLink('ann')).rejects.toMatchObject({
      status: 409,
      message: 'ann is disabled. Enable the user first.',
    });
    expect(await admin.people.enable('ann')).toMatchObject({ disabled: false });
    // The token was kept.
    expect((await open({ auth: { token: token! } }).call('listNotes')).length).toBeGreaterThan(0);
  });

  it('removes a user', async () => {
    const ann = await signedIn('ann');
    await admin.people.remove('ann');
    expect(await one('ann')).toBeUndefined();
    await expect(ann.call('listNotes')).rejects.toMatchObject({ status: 401 });
    // A new user of that name has never signed in.
    await users.set('ann', { password: PASSWORD });
    expect((await one('ann'))?.lastSignIn).toBeUndefined();
  });

  it('records each change in the audit log', async () => {
    await admin.people.invite('emil', ['analysts']);
    await admin.people.setRoles('emil', ['a', 'b']);
    await admin.people.createPasswordLink('emil');
    await admin.people.endSessions('emil');
    await admin.people.disable('emil');
    await admin.people.remove('emil');
    const wanted = [
      ['user-invited', 'emil', 'analysts'],
      ['user-changed', 'emil', 'a b'],
      ['password-link-created', 'emil', undefined],
      ['user-sessions-ended', 'emil', undefined],
      ['user-changed', 'emil disabled', undefined],
      ['user-removed', 'emil', undefined],
    ];
    await vi.waitFor(
      async () =>
        expect(
          (await auditOf(embedded.data))
            .filter(({ principal, target = '' }) => principal === 'admin' && /^emil/.test(target))
            .map(({ event, roles, target }) => [event, target, roles]),
        ).toEqual(wanted),
      { timeout: 60_000 },
    );
    expect(JSON.stringify(await auditOf(embedded.data))).not.toContain('tdr_');
  });
});

describe('what is refused', () => {
  it('every call, to users who are not administrators', async () => {
    await admin.people.setRoles('ann', ['magpie.OrganizationAdmin', 'magpie.AccessToken']);
    const { people } = await signedIn('ann');
    for (const call of [
      () => people.users(),
      () => people.invite('x'),
      () => people.setRoles('ann', ['global.SuperAdmin']),
      () => people.disable('admin'),
      () => people.enable('admin'),
      () => people.sessions('admin'),
      () => people.endSessions('admin'),
      () => people.createPasswordLink('admin'),
      () => people.remove('admin'),
    ])
      await expect(call()).rejects.toMatchObject({ status: 403 });
  });

  it('unknown users', async () => {
    const { people } = admin;
    for (const call of [
      () => people.setRoles('nobody', []),
      () => people.disable('nobody'),
      () => people.enable('nobody'),
      () => people.sessions('nobody'),
      () => people.endSessions('nobody'),
      () => people.createPasswordLink('nobody'),
      () => people.remove('nobody'),
    ])
      await expect(call()).rejects.toMatchObject({
        status: 404,
        message: 'There is no user nobody.',
      });
    await expect(
      admin.call('setUserStatus', { params: { userName: 'ann', status: 'other' } }),
    ).rejects.toMatchObject({ status: 400 });
  });

  it('changes by which you would lose your own account or role', async () => {
    for (const call of [
      () => admin.people.disable('admin'),
      () => admin.people.remove('admin'),
      () => admin.people.setRoles('admin', ['analysts']),
    ])
      await expect(call()).rejects.toMatchObject({
        status: 409,
        message: expect.stringMatching(/^You can't .* yourself/),
      });
    expect((await one('admin'))?.roles).toContain('global.SuperAdmin');
  });

  it('that the last two administrators remove each other at the same time', async () => {
    await admin.people.setRoles('ann', ['global.SuperAdmin']);
    const ann = await signedIn('ann');
    const outcomes = await Promise.allSettled([
      admin.people.setRoles('ann', []),
      ann.people.setRoles('admin', []),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await users.set('admin', { roles: ['global.SuperAdmin', 'magpie.AccessToken'] });
    await users.set('ann', { roles: [] });
  });

  it('that the command language disables or drops the last administrator', async () => {
    await users.set('ann', { roles: ['magpie.OrganizationAdmin'] });
    const ann = await signedIn('ann');
    const note = await ann.open(await ann.notes.create({ path: `Statements ${Date.now()}` }));
    for (const statement of ['disable user admin', 'drop user admin']) {
      note.paragraphs[0]!.edit(`%magpie ${statement}`);
      await note.commit();
      const result = await note.paragraphs[0]!.run();
      expect(JSON.stringify(result)).toContain('There is no administrator without admin.');
    }
    note.close();
    expect(await one('admin')).toMatchObject({ disabled: false });
  });
});

describe('servers of other kinds', () => {
  it('mail invitations and resets instead of showing them', async () => {
    const mail = untilEnd(await startMailServer());
    const other = untilEnd(await startEmpty({ smtpUrl: mail.url, mailFrom: 'notes@acme.org' }));
    const client = untilEnd(await adminClient(other.server.url));
    const sent = await client.people.invite('ann@acme.org');
    expect(sent).toMatchObject({ mailed: true });
    expect(sent.link).toBeUndefined();
    const letter = mail.letters.at(-1)!;
    expect(letter.to).toEqual(['ann@acme.org']);
    expect(letter.text).toContain('Your user name is ann@acme.org.');
    const token = tokenOf(/https?:\/\/\S+/.exec(letter.text)![0]);
    await client.people.resetPassword(token, PASSWORD);
    await client.people.createPasswordLink('ann@acme.org');
    expect(mail.letters.at(-1)!.text).toContain('Somebody requested a new password');
    // Not an address, and an address that the mail server refuses.
    expect(await client.people.invite('ben')).toMatchObject({ mailed: false });
    mail.recipients = '550 no such mailbox';
    const { link } = await client.people.invite('carl@acme.org');
    expect(link).toContain('/#/password-reset/tdr_');
  });

  it('have no users if nobody signs in', async () => {
    const other = untilEnd(await startEmpty({ anonymous: true }));
    const client = untilEnd(createClient({ server: other.server.url }));
    for (const call of [() => client.people.users(), () => client.people.invite('ann')])
      await expect(call()).rejects.toMatchObject({
        status: 409,
        message: expect.stringMatching(/^This server has no users: everybody is anonymous/),
      });
    expect(await client.administration.magpieConfig()).toMatchObject({
      features: { people: false },
    });
  });

  it('remember the last sign-in after a restart', async () => {
    const before = await one('admin');
    const { Sessions } = await import('../server/auth/sessions.ts');
    const reopened = await Sessions.open(embedded.data);
    expect(new Date(reopened.lastSignIn('admin')!).toISOString()).toBe(before!.lastSignIn);
  });
});
