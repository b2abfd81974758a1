import { same } from '../result/test-support.tsx';
import { invitedNames } from './invited-names.ts';

it('reads names on lines, between commas and beside display names, each once', () => {
  same(invitedNames(' ann@acme.org\n\nben, carl;dora  emil\r\nann@acme.org'), [
    'ann@acme.org',
    'ben',
    'carl',
    'dora',
    'emil',
  ]);
  same(invitedNames('"Smith" <ann@acme.org>, Ben Lee <ben@acme.org>'), [
    'ann@acme.org',
    'ben@acme.org',
  ]);
  same(invitedNames(' , \n'), []);
});
