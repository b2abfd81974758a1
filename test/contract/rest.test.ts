/**
 * The contract suite for a client without sockets: the same promises, except those that no REST
 * call can keep.
 */
import { Users } from '../../server/auth/users.ts';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';
import { contract } from './suite.ts';

const lacks = {
  'restores and renames folders beside existing ones: nothing is lost':
    'folders are restored and renamed on the live channel only',
  'renames, clones, trashes, restores and removes a note [D18]': 'no REST call moves to the trash',
  'renames and trashes a folder with everything in it [D18]': 'no REST call supports folders',
  'clears the output of a paragraph and of the note': 'no REST call clears one paragraph',
  'notifies a second client of changes by the first':
    'clients poll every 5 s; see client/channel/live.test.ts',
  'gives no client the answer for another': 'clients poll every 5 s',
  'never overwrites unsaved text [S78]': 'clients poll every 5 s; see client/channel/live.test.ts',
};
for (const [title, reason] of Object.entries(lacks))
  console.log(`Skipped over REST: ${title} (${reason}).`);

contract(
  'the embedded server over REST',
  async () => {
    const { server, data, stop } = await startEmbedded({ shell: true });
    await new Users(data).set('bob', { password: 'bobs-password', roles: [] });
    return [
      {
        url: server.url,
        options: { live: 'rest' },
        signIn: async (client) => void (await client.session.login('admin', ADMIN_PASSWORD)),
        signInOther: async (client) => void (await client.session.login('bob', 'bobs-password')),
      },
      stop,
    ];
  },
  lacks,
);
