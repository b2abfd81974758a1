import { createClient } from '@tiding/client';
import { describe, it } from 'vitest';
import { startZeppelin, zeppelinMissing } from '../support/zeppelin.ts';
import { coverage } from './coverage.ts';
import { contract, type Target } from './suite.ts';

const missing = zeppelinMissing();
const accountsMissing = zeppelinMissing(true);

if (missing !== undefined && accountsMissing !== undefined) {
  console.log(`Skipped: the contract suite against a real Zeppelin (${missing}).`);
  describe('contract: a real Zeppelin', () => it.skip(missing, () => {}));
} else {
  /** Restarts the shell interpreter, as a user with permission. */
  const mend = (url: string, signIn: Target['signIn']) => async () => {
    const client = createClient({ server: url });
    try {
      await signIn(client);
      const shell = (await client.interpreters.list()).find(({ name }) => name === 'sh');
      if (shell) await client.interpreters.restart(shell.id);
    } finally {
      client.close();
    }
  };
  const open = async (): Promise<[Target, () => Promise<void>]> => {
    const { url, stop } = await startZeppelin([], 18_480);
    const signIn: Target['signIn'] = async (client) => void (await client.session.ticket());
    return [{ url, signIn, mend: mend(url, signIn) }, stop];
  };
  const withAccounts = (name: string) => async (): Promise<[Target, () => Promise<void>]> => {
    const { url, stop } = await startZeppelin(['--auth'], 18_481);
    return [
      {
        url,
        signIn: async (client) => void (await client.session.login(name, `${name}-pass`)),
        signInOther: async (client) => void (await client.session.login('bob', 'bob-pass')),
        mend: mend(url, async (client) => void (await client.session.login('admin', 'admin-pass'))),
      },
      stop,
    ];
  };
  if (missing === undefined) contract('a real Zeppelin without accounts', open);
  if (accountsMissing === undefined)
    contract('a real Zeppelin with accounts', withAccounts('alice'));
  if (missing === undefined)
    coverage('a real Zeppelin without accounts', open, { isTiding: false, accounts: false });
  // As an administrator: refused calls have different messages, and are tested elsewhere.
  if (accountsMissing === undefined)
    coverage('a real Zeppelin with accounts', withAccounts('admin'), {
      isTiding: false,
      accounts: true,
    });
}
