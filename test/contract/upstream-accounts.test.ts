/** Like `upstream.test.ts`, for a Zeppelin with accounts. */
import { describe, it } from 'vitest';
import { zeppelinMissing } from '../support/zeppelin.ts';
import { coverage } from './coverage.ts';
import { inFront } from './in-front.ts';
import { contract } from './suite.ts';

const missing = zeppelinMissing(true);

if (missing !== undefined) {
  console.log(
    `Skipped: the contract suite in front of a real Zeppelin with accounts (${missing}).`,
  );
  describe('contract: in front of a real Zeppelin with accounts', () => it.skip(missing, () => {}));
} else {
  const as = inFront(18_483, ['--auth'], 2);
  const people = (name: string) =>
    as({
      signIn: async (client) => void (await client.session.login(name, `${name}-pass`)),
      signInOther: async (client) => void (await client.session.login('bob', 'bob-pass')),
    });
  contract('in front of a real Zeppelin with accounts', people('alice'));
  coverage('in front of a real Zeppelin with accounts', people('admin'), {
    isTiding: false,
    accounts: true,
  });
}
