import { Users } from '../../server/auth/users.ts';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';
import { coverage } from './coverage.ts';
import { contract, type Target } from './suite.ts';

async function embedded(): Promise<[Target, () => Promise<void>]> {
  const { server, data, stop } = await startEmbedded({ shell: true });
  await new Users(data).set('bob', { password: 'bobs-password', roles: [] });
  return [
    {
      url: server.url,
      signIn: async (client) => void (await client.session.login('admin', ADMIN_PASSWORD)),
      signInOther: async (client) => void (await client.session.login('bob', 'bobs-password')),
    },
    stop,
  ];
}

contract('the embedded server', embedded);
coverage('the embedded server', embedded, { isTiding: true, accounts: true });
