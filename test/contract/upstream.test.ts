/** The promises of the client once more, with this server in between: what a real Zeppelin keeps it keeps, and nothing is lost on the way. */
import { describe, it } from 'vitest';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';
import { startZeppelin, zeppelinMissing } from '../support/zeppelin.ts';
import { coverage } from './coverage.ts';
import { contract, type Target } from './suite.ts';

const missing = zeppelinMissing();

if (missing !== undefined) {
  console.log(`Skipped: the contract suite in front of a real Zeppelin (${missing}).`);
  describe('contract: in front of a real Zeppelin', () => it.skip(missing, () => {}));
} else {
  const open = (port: number, flags: string[], people: Pick<Target, 'signIn' | 'signInOther'>) => async (): Promise<[Target, () => Promise<void>]> => {
    const zeppelin = await startZeppelin(flags, port);
    const { server, stop } = await startEmbedded({ upstream: zeppelin.url });
    return [
      { url: server.url, ...people },
      async () => {
        await stop();
        await zeppelin.stop();
      },
    ];
  };
  const without = open(18_482, [], { signIn: async (client) => void (await client.session.login('admin', ADMIN_PASSWORD)) });
  const withAccounts = (name: string) => open(18_483, ['--auth'], {
    signIn: async (client) => void (await client.session.login(name, `${name}-pass`)),
    signInOther: async (client) => void (await client.session.login('bob', 'bob-pass')),
  });
  contract('in front of a real Zeppelin without accounts', without);
  contract('in front of a real Zeppelin with accounts', withAccounts('alice'));
  coverage('in front of a real Zeppelin without accounts', without, { ours: false, accounts: false });
  coverage('in front of a real Zeppelin with accounts', withAccounts('admin'), { ours: false, accounts: true });
}
