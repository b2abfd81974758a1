import { describe, it } from 'vitest';
import { startZeppelin, zeppelinMissing } from '../support/zeppelin.ts';
import { coverage } from './coverage.ts';
import { contract, type Target } from './suite.ts';

const missing = zeppelinMissing();

if (missing !== undefined) {
  console.log(`Skipped: the contract suite against a real Zeppelin (${missing}).`);
  describe('contract: a real Zeppelin', () => it.skip(missing, () => {}));
} else {
  const open = async (): Promise<[Target, () => Promise<void>]> => {
    if (process.env['ZEPPELIN']) return [{ url: process.env['ZEPPELIN'], signIn: async (client) => void (await client.session.ticket()) }, async () => {}];
    const { url, stop } = await startZeppelin([], 18_480);
    return [{ url, signIn: async (client) => void (await client.session.ticket()) }, stop];
  };
  const withAccounts = (name: string) => async (): Promise<[Target, () => Promise<void>]> => {
    const { url, stop } = await startZeppelin(['--auth'], 18_481);
    return [
      {
        url,
        signIn: async (client) => void (await client.session.login(name, `${name}-pass`)),
        signInOther: async (client) => void (await client.session.login('bob', 'bob-pass')),
      },
      stop,
    ];
  };
  contract('a real Zeppelin without accounts', open);
  contract('a real Zeppelin with accounts', withAccounts('alice'));
  // Each operation and call by itself takes minutes, and waits long where that server has lost a run: with the others of `npm run test:upstream`.
  if (process.env['TIDING_UPSTREAM']) {
    coverage('a real Zeppelin without accounts', open, { ours: false, accounts: false });
    // An administrator: what the others may not do is refused in the page's own words, and tried elsewhere.
    coverage('a real Zeppelin with accounts', withAccounts('admin'), { ours: false, accounts: true });
  } else console.log('Skipped: every operation on a real Zeppelin (npm run test:upstream).');
}
