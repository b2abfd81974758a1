/** Probes for sessions and tokens. */
import { gone, type Lab, must, type Probes, refused } from './lab.ts';

/** Invites a user for one probe, and removes them again. */
async function withUser({ client }: Lab, use: (name: string) => Promise<unknown>): Promise<void> {
  const name = `u${gone}${Math.random().toString(36).slice(2, 8)}`;
  await client.people.invite(name);
  try {
    await use(name);
  } finally {
    await client.people.remove(name);
  }
}

export const sessionProbes = {
  PING: async ({ open, client }) => {
    // Sent every ten seconds, and never answered: the connection stays open.
    const note = await open();
    note.channel.send('PING', {});
    await client.notes.list();
    must(note.state.connection === 'open', 'the connection is lost');
  },
  version: ({ fresh }) => fresh().connect(),
  ticket: ({ client }) => client.session.renew(),
  loginAddress: ({ client }) => refused('http', client.call('loginAddress'), [404, 405]),
  ssoLogin: async ({ client }) =>
    must((await client.call('ssoLogin', { query: { ref: '/' } })).status < 400, 'no page'),
  ssoCallback: async ({ client }) =>
    must(
      (await client.call('ssoCallback', { query: { state: 'unknown' } })).status < 400,
      'no page',
    ),
  openApi: ({ client }) => client.call('openApi'),
  asyncApi: ({ client }) => client.call('asyncApi'),
  login: async ({ fresh, target, accounts }) => {
    const client = fresh();
    if (accounts) await target.signIn(client);
    // The server has no sign-in page without accounts.
    else await refused('http', client.session.login('a', 'b'));
  },
  loginOnce: ({ fresh }) => refused('http', fresh().session.loginOnce('unknown'), 403),
  logout: async ({ fresh, target, accounts }) => {
    const client = fresh();
    if (!accounts) return client.session.logout().catch(() => {});
    // Upstream users have one ticket for all sessions, which ends with any of them.
    await (target.signInOther ?? target.signIn)(client);
    await client.session.logout();
    must(client.state.session.phase === 'signed-out', 'still signed in');
    return undefined;
  },
  magpieConfig: ({ client }) => client.administration.magpieConfig(),
  magpieVersion: ({ client }) => client.administration.productVersion(),
  listTokens: ({ client }) => client.tokens.list(),
  createToken: async ({ client }) =>
    must((await client.tokens.create({ description: 'x' })).token, 'no secret'),
  setTokenStatus: async ({ client }) =>
    client.tokens.setStatus((await client.tokens.create()).tokenId, 'disabled'),
  describeToken: async ({ client }) =>
    must(
      (await client.tokens.describe((await client.tokens.create()).tokenId, 'y')).description ===
        'y',
      'another',
    ),
  deleteToken: async ({ client }) => client.tokens.remove((await client.tokens.create()).tokenId),
  createEmbedToken: async ({ client, newNote, fresh }) => {
    const noteId = await newNote();
    const { token } = await client.embedTokens.create({
      noteId,
      scope: 'view',
      expiresInSeconds: 60,
    });
    must((await fresh({ auth: { token } }).open(noteId)).paragraphs.length === 1, 'no paragraph');
  },
  revokeEmbedToken: async ({ client, newNote }) =>
    client.embedTokens.revoke(
      (await client.embedTokens.create({ noteId: await newNote(), scope: 'run' })).jti,
    ),
  revokeEmbedTokens: ({ client }) => client.embedTokens.revokeAll(),
  // The gateway does not know who created a note, so trust is the reader's decision.
  getTrust: async ({ client, newNote }) =>
    must(
      typeof (await client.call('getTrust', { params: { noteId: await newNote() } })).trusted ===
        'boolean',
      'no answer',
    ),
  setTrust: async ({ client, newNote }) => {
    const params = { noteId: await newNote() };
    must(
      !(await client.call('setTrust', { params, body: { trusted: false } })).trusted,
      'still trusted',
    );
    must(!(await client.call('getTrust', { params })).trusted, 'trusted again');
  },
  findPrincipals: async ({ client, accounts }) =>
    must((await client.people.find('a')).users.length > 0 || !accounts, 'no users'),
  principals: async ({ client }) => must((await client.people.list()).users.length > 0, 'no users'),
  listUsers: async ({ client }) =>
    must(
      (await client.people.users()).some(({ sessions }) => sessions > 0),
      'nobody is signed in',
    ),
  inviteUser: (lab) =>
    withUser(lab, (name) => refused('http', lab.client.people.invite(name), 409)),
  setUserRoles: (lab) =>
    withUser(lab, async (name) =>
      must((await lab.client.people.setRoles(name, ['a'])).roles.join() === 'a', 'other roles'),
    ),
  setUserStatus: (lab) =>
    withUser(lab, async (name) => {
      must((await lab.client.people.disable(name)).disabled, 'still enabled');
      must(!(await lab.client.people.enable(name)).disabled, 'still disabled');
    }),
  listUserSessions: (lab) =>
    withUser(lab, async (name) =>
      must((await lab.client.people.sessions(name)).length === 0, 'a session'),
    ),
  endUserSessions: (lab) => withUser(lab, (name) => lab.client.people.endSessions(name)),
  createPasswordLink: (lab) =>
    withUser(lab, async (name) => {
      const { link = '' } = await lab.client.people.createPasswordLink(name);
      must(await lab.client.people.checkPasswordReset(link.split('/').at(-1)!), 'no link');
    }),
  removeUser: (lab) =>
    withUser(lab, async (name) => {
      await lab.client.people.remove(name);
      await refused('http', lab.client.people.remove(name), 404);
      await lab.client.people.invite(name);
    }),
  requestPasswordReset: ({ client }) => client.people.requestPasswordReset('nobody@example.org'),
  checkPasswordReset: ({ client }) =>
    refused('http', client.people.checkPasswordReset('unknown'), 404),
  resetPassword: ({ client }) =>
    refused('http', client.people.resetPassword('unknown', 'long-enough-it-is'), 404),
} satisfies Probes;
