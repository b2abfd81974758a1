/**
 * Files that `create table … from url` downloads, notes that are imported from an address, and
 * webhooks: addresses of this machine and of private networks are refused in every notation, by
 * name, after a redirect, and when a name changes its address.
 */
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { download, downloadText } from '../../server/magpie/statements/files/download.ts';
import { postWebhook } from '../../server/run/alerts/webhook.ts';
import { temporaryFolder } from '../support/until-end.ts';

type Found = { address: string; family: number };
const HERE = '127.0.0.1';
/** `outside`: an address of this machine that stands for a public one. */
const names = vi.hoisted(() => ({ answers: [] as Found[][], asked: 0, outside: '' }));
vi.mock('node:dns', async (original) => ({
  ...(await original<typeof import('node:dns')>()),
  lookup: (
    _name: string,
    _options: unknown,
    done: (error: Error | null, found: Found[]) => void,
  ) => {
    names.asked += 1;
    setImmediate(() =>
      done(null, names.answers.length > 1 ? names.answers.shift()! : (names.answers[0] ?? [])),
    );
  },
}));
vi.mock('../../server/base/private-network.ts', async (original) => {
  const network = await original<typeof import('../../server/base/private-network.ts')>();
  return {
    ...network,
    isInside: (address: string) => address !== names.outside && network.isInside(address),
  };
});

let server: Server;
let port: number;
let reached: string[];
let folder: string;
let file: string;
beforeAll(async () => {
  folder = temporaryFolder();
  file = join(folder, 'file');
  server = createServer((request, response) => {
    reached.push(request.url!);
    const to = new URL(request.url!, 'http://x').searchParams.get('to');
    if (to) response.writeHead(302, { Location: to }).end();
    else response.end('a,b\n1,2\n');
  });
  await new Promise<void>((resolve) => void server.listen(0, HERE, resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => void server.close());
beforeEach(async () => {
  [reached, names.answers, names.asked, names.outside] = [[], [], 0, ''];
  await rm(file, { force: true });
});
const get = (url: string, allowPrivate = false) =>
  download(url, file, { allowPrivate, signal: AbortSignal.timeout(5_000) });
const refused = /is this machine or in a private network.*--allow-private-fetch/;

it('are fetched from outside, or if private networks are allowed', async () => {
  await get(`http://${HERE}:${port}/a.csv`, true);
  expect(await readFile(file, 'utf8')).toBe('a,b\n1,2\n');
  await rm(file);
  names.outside = HERE;
  await get(`http://${HERE}:${port}/b.csv`);
  expect(reached).toEqual(['/a.csv', '/b.csv']);
});

it('are read as texts up to a size, under the same rules', async () => {
  const text = (maxBytes: number, allowPrivate: boolean) =>
    downloadText(`http://${HERE}:${port}/n.json`, maxBytes, {
      allowPrivate,
      signal: AbortSignal.timeout(5_000),
    });
  expect(await text(8, true)).toBe('a,b\n1,2\n');
  await expect(text(7, true)).rejects.toThrow('The file is larger than');
  await expect(text(8, false)).rejects.toThrow(refused);
  expect(reached).toEqual(['/n.json', '/n.json']);
});

it.each(
  (
    '127.0.0.1 2130706433 0177.0.0.1 0x7f.1 127.1 0 10.0.0.1 172.16.9.9 192.168.1.1 ' +
    '169.254.169.254 100.64.0.1 [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] ' +
    '[fe80::1] [fc00::1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [::7f00:1] localhost ' +
    'db.localhost.'
  ).split(' '),
)('the address %s is refused', async (host) => {
  names.answers = [[{ address: '127.0.0.1', family: 4 }]];
  await expect(get(`http://${host}:${port}/a.csv`)).rejects.toThrow(refused);
  expect(reached).toEqual([]);
  expect(existsSync(file)).toBe(false);
});

describe('a name', () => {
  it.each([
    ['this machine', [{ address: '127.0.0.1', family: 4 }]],
    ['the metadata service', [{ address: '169.254.169.254', family: 4 }]],
    [
      'a private network, besides a public one',
      [
        { address: '1.1.1.1', family: 4 },
        { address: '192.168.0.1', family: 4 },
      ],
    ],
    ['an address in another notation', [{ address: '::ffff:127.0.0.1', family: 6 }]],
  ])('of %s is refused when it connects', async (_, answer) => {
    names.answers = [answer];
    await expect(get(`http://files.example.org:${port}/a.csv`)).rejects.toThrow(refused);
    expect(reached).toEqual([]);
  });

  it('of this machine is refused as a webhook', async () => {
    names.answers = [[{ address: HERE, family: 4 }]];
    const { signal } = new AbortController();
    const post = (address: string, allowPrivate: boolean) =>
      postWebhook(address, {}, { allowPrivate, signal });
    await expect(post(`https://files.example.org:${port}/x`, false)).rejects.toThrow(refused);
    expect([names.asked, reached]).toEqual([1, []]);
    await post(`http://${HERE}:${port}/x`, true);
    expect(reached).toEqual(['/x']);
  });

  it('is resolved once: the address that was checked is the one that is used', async () => {
    // Nothing answers at the first address, which is reserved for documentation.
    names.answers = [[{ address: '203.0.113.1', family: 4 }], [{ address: HERE, family: 4 }]];
    const signal = AbortSignal.timeout(500);
    const address = `http://files.example.org:${port}/a.csv`;
    await expect(download(address, file, { allowPrivate: false, signal })).rejects.toThrow();
    expect([names.asked, reached]).toEqual([1, []]);
  });
});

it.each([
  'http://10.0.0.1/secret',
  'http://167772161/secret',
  'http://[::1]/secret',
  'http://files.example.org/secret',
  'file:///etc/passwd',
])('a redirect to %s is refused', async (to) => {
  names.outside = HERE;
  names.answers = [[{ address: '10.0.0.1', family: 4 }]];
  const target = encodeURIComponent(to);
  await expect(get(`http://${HERE}:${port}/?to=${target}`)).rejects.toThrow(
    to.startsWith('file:') ? 'must start with http' : refused,
  );
  expect(reached).toEqual([`/?to=${target}`]);
  expect(existsSync(file)).toBe(false);
});
