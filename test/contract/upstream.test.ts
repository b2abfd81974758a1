/** The contract suite for the gateway: it keeps every promise that the Zeppelin behind it keeps. */
import { describe, it } from 'vitest';
import { ADMIN_PASSWORD } from '../support/embedded.ts';
import { zeppelinMissing } from '../support/zeppelin.ts';
import { coverage } from './coverage.ts';
import { inFront } from './in-front.ts';
import { contract } from './suite.ts';

const missing = zeppelinMissing();

if (missing !== undefined) {
  console.log(`Skipped: the contract suite in front of a real Zeppelin (${missing}).`);
  describe('contract: in front of a real Zeppelin', () => it.skip(missing, () => {}));
} else {
  // The Zeppelin has no accounts, so the gateway's own users sign in.
  const open = inFront(
    18_482,
    [],
    2,
  )({ signIn: async (client) => void (await client.session.login('admin', ADMIN_PASSWORD)) });
  contract('in front of a real Zeppelin without accounts', open);
  coverage('in front of a real Zeppelin without accounts', open, {
    isTiding: false,
    accounts: false,
  });
}
