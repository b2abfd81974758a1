/** Every call that changes something × the headers of pages of other origins. */
import { type EndpointName, endpoints } from '@tiding/client/protocol';
import { expect, it } from 'vitest';
import { twoPeople } from '../support/people.ts';
import { request } from '../support/raw.ts';
import { untilEnd } from '../support/until-end.ts';

const people = untilEnd(await twoPeople());

const changes = (Object.keys(endpoints) as EndpointName[]).filter(
  (name) => !['GET', 'HEAD'].includes(endpoints[name].method),
);
const pages: readonly Record<string, string>[] = [
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
  { 'Sec-Fetch-Site': 'same-site', Origin: 'https://evil.example' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
  { 'Sec-Fetch-Site': 'unknown' },
  { Origin: 'https://evil.example' },
  { Origin: 'null' },
  { Origin: '' },
];

it.each(changes)('no page of another origin makes the call %s [S20]', async (name) => {
  const { method, path, encoding } = endpoints[name];
  const types = { form: 'application/x-www-form-urlencoded', text: 'text/plain' };
  const target = `/api${path.replace(/:(\w+)/g, 'x')}`;
  for (const headers of pages) {
    for (const type of new Set([types[encoding as 'form'] ?? 'application/json', 'text/plain'])) {
      const { status } = await request(people.url, method, target, {
        headers: {
          Cookie: people.admin.cookie,
          'X-Requested-With': 'XMLHttpRequest',
          'Content-Type': type,
          ...headers,
        },
      });
      expect([headers, type, status]).toEqual([headers, type, 403]);
    }
  }
});
