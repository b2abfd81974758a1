/**
 * Addresses of remotes, the only addresses that users enter and the server contacts: which ones are
 * accepted, and that the server contacts exactly the address it checked.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { isInside } from '../../server/base/private-network.ts';
import { checkRemote, remoteHttp } from '../../server/revisions/remote.ts';

type Found = { address: string; family: number };
const names = vi.hoisted(() => ({ answers: [] as Found[][], asked: 0 }));
vi.mock('node:dns', async (original) => ({
  ...(await original<typeof import('node:dns')>()),
  // A malicious name server: each query may return a different answer.
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

let inside: Server;
let port: number;
let reached: string[] = [];
beforeAll(async () => {
  inside = createServer((request, response) => {
    reached.push(request.url ?? '');
    if (request.url?.startsWith('/moved'))
      response.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data' }).end();
    else response.end('inside');
  });
  await new Promise<void>((resolve) => void inside.listen(0, '127.0.0.1', resolve));
  ({ port } = inside.address() as AddressInfo);
});
afterAll(() => void inside.close());
beforeEach(() => {
  [reached, names.answers, names.asked] = [[], [], 0];
});
const ask = (url: string, allowPrivate = false) =>
  remoteHttp({ signal: AbortSignal.timeout(5_000), allowPrivate, gitdir: '/nowhere' }).request({
    url,
  });

describe('an address', () => {
  it.each(
    (
      '127.0.0.1 127.255.0.1 0.0.0.0 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 ' +
      '169.254.169.254 100.64.0.1 224.0.0.1 255.255.255.255 :: ::1 fc00::1 fdff::1 ' +
      'fe80::1 ff02::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::FFFF:a00:1 64:ff9b::7f00:1 ' +
      '2002:7f00:1::'
    ).split(' '),
  )('%s is private', (address) => expect(isInside(address)).toBe(true));

  it.each([
    '1.1.1.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.167.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '::ffff:1.1.1.1',
    'example.org',
    '',
  ])('%s is public', (address) => expect(isInside(address)).toBe(false));

  it('with http is accepted only in a private network, and only if allowed', () => {
    for (const host of ['127.0.0.1', 'localhost', '10.1.2.3', 'git', '[::1]']) {
      expect(checkRemote(`http://${host}/x.git`, true).protocol).toBe('http:');
      expect(() => checkRemote(`http://${host}/x.git`, false), host).toThrow(
        'must start with https://',
      );
    }
    for (const allowed of [true, false])
      expect(() => checkRemote('http://git.example.org/x.git', allowed)).toThrow(
        'must start with https://',
      );
    expect(checkRemote('https://git.example.org/x.git', false).href).toBe(
      'https://git.example.org/x.git',
    );
  });
});

describe('a name', () => {
  it.each([
    ['this machine', [{ address: '127.0.0.1', family: 4 }]],
    [
      'a private network, besides a public one',
      [
        { address: '1.1.1.1', family: 4 },
        { address: '192.168.0.1', family: 4 },
      ],
    ],
    ['an address in another notation', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['nowhere', []],
  ])('of %s is refused before anything is sent [S60]', async (_, answer) => {
    names.answers = [answer];
    await expect(ask(`https://git.example.org:${port}/x.git/info/refs`)).rejects.toMatchObject({
      code: 'EINSIDE',
    });
    expect(reached).toEqual([]);
  });

  it('is resolved once, and never a second time [S60]', async () => {
    // This address is reserved for documentation, so nothing answers; the test checks that the
    // second answer is never contacted.
    names.answers = [
      [{ address: '203.0.113.1', family: 4 }],
      [{ address: '127.0.0.1', family: 4 }],
    ];
    const signal = AbortSignal.timeout(500);
    await expect(
      remoteHttp({ signal, allowPrivate: false, gitdir: '/nowhere' }).request({
        url: `https://git.example.org:${port}/x.git/info/refs`,
      }),
    ).rejects.toThrow();
    expect([names.asked, reached]).toEqual([1, []]);
  });
});

it('a redirect is not followed, whatever its target [S60]', async () => {
  await expect(ask(`http://127.0.0.1:${port}/moved/info/refs`, true)).rejects.toThrow(
    'The remote has moved to http://169.254.169.254/latest/meta-data.',
  );
  expect(reached).toEqual(['/moved/info/refs']);
});
