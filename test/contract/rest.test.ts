/** What a client promises where sockets are blocked: the same, but for what no REST call does. */
import { Users } from '../../app/server/auth/users.ts';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';
import { contract } from './suite.ts';

const lacks = {
  'puts what was in the trash, and folders that are renamed, beside what is there: nothing is lost':
    'folders are restored and renamed on the live channel alone',
  'renames, clones, trashes, restores and removes a note': 'no REST call moves to the trash',
  'renames and trashes a folder with everything in it': 'no REST call knows folders',
  'clears the output of a paragraph and of the note': 'no REST call clears one paragraph',
  'tells a second client of what the first one does':
    'it is told after 5 s at the earliest; see client/channel/live.test.ts',
  'gives nobody the answer to somebody else': 'others are told of after 5 s at the earliest',
  'never writes over unsaved text':
    'it is told after 5 s at the earliest; see client/channel/live.test.ts',
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
