import { describe, it } from 'vitest';
import { startZeppelin, zeppelinMissing } from '../support/zeppelin.ts';
import { contract } from './suite.ts';

const missing = zeppelinMissing();

if (missing !== undefined) {
  console.log(`Skipped: the contract suite against a real Zeppelin (${missing}).`);
  describe('contract: a real Zeppelin', () => it.skip(missing, () => {}));
} else {
  contract('a real Zeppelin without accounts', async () => {
    if (process.env['ZEPPELIN']) return [{ url: process.env['ZEPPELIN'], signIn: async (client) => void (await client.session.ticket()) }, async () => {}];
    const { url, stop } = await startZeppelin([], 18_480);
    return [{ url, signIn: async (client) => void (await client.session.ticket()) }, stop];
  });
  contract('a real Zeppelin with accounts', async () => {
    const { url, stop } = await startZeppelin(['--auth'], 18_481);
    return [
      {
        url,
        signIn: async (client) => void (await client.session.login('alice', 'alice-pass')),
        signInOther: async (client) => void (await client.session.login('bob', 'bob-pass')),
      },
      stop,
    ];
  });
}
