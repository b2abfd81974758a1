import { expect, it } from 'vitest';
import { invitedNames } from './invited-names.ts';

it('reads names on lines, between commas and beside display names, each once', () => {
  expect(invitedNames(' ann@acme.org\n\nben, carl;dora  emil\r\nann@acme.org')).toEqual([
    'ann@acme.org',
    'ben',
    'carl',
    'dora',
    'emil',
  ]);
  expect(invitedNames('"Smith" <ann@acme.org>, Ben Lee <ben@acme.org>')).toEqual([
    'ann@acme.org',
    'ben@acme.org',
  ]);
  expect(invitedNames(' , \n')).toEqual([]);
});
