import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createServer } from '../index.ts';
import { parseUpstream, upstreamPath } from './address.ts';
import { SecretMask } from './mask.ts';

describe('upstream address', () => {
  it.each([
    ['http://zeppelin:8080', 'http://zeppelin:8080/'],
    ['https://z.example/context/', 'https://z.example/context'],
    ['http://[::1]:8080/', 'http://[::1]:8080/'],
  ])('accepts %s', (text, href) => expect(parseUpstream(text).href).toBe(href));
  it.each([
    ['zeppelin:8080', 'http://'],
    ['file:///etc/passwd', 'http://'],
    ['ws://zeppelin', 'http://'],
    ['nothing', 'is not a URL'],
    ['http://me:secret@zeppelin', 'password'],
    ['http://z/?a=1', '?'],
  ])('rejects %s', (text, why) => {
    expect(() => parseUpstream(text)).toThrow(why);
    expect(() => parseUpstream(text)).not.toThrow('secret');
  });
  it('prevents the server from starting if it is invalid', () =>
    expect(
      createServer({
        port: 0,
        upstream: 'ftp://z',
        data: join(tmpdir(), `tiding-${process.pid}-no-upstream`),
      }),
    ).rejects.toThrow('http://'));
});

describe('path', () => {
  it('has one segment per parameter, however the parameter was written', () => {
    expect(upstreamPath('/helium/package/:name', { name: './a b' })).toBe(
      '/helium/package/.%2Fa%20b',
    );
    expect(upstreamPath('/notebook/:noteId/paragraph/:id', { noteId: '2A', id: 'p?x=1#y' })).toBe(
      '/notebook/2A/paragraph/p%3Fx%3D1%23y',
    );
  });
  it.each(['..', '.', '', '../security/ticket', 'a/../b', '..;x', 'a\\..\\b', 'a\r\nX: y'])(
    "can't be redirected by %j",
    (noteId) => {
      expect(upstreamPath('/notebook/:noteId', { noteId })).toBeUndefined();
    },
  );
});

describe('mask', () => {
  const secret = 'a-secret-of-some-length';
  it('masks secrets, also across chunk boundaries, and keeps every length', async () => {
    const text = `x${secret}y${secret.slice(0, 10)}z${secret}`;
    for (const size of [1, 3, 7, 22, 23, 1000]) {
      const stream = new SecretMask([secret, 'anonymous', '']).stream();
      for (let at = 0; at < text.length; at += size)
        stream.write(Buffer.from(text.slice(at, at + size)));
      stream.end();
      const out = Buffer.concat((await stream.toArray()) as Buffer[]).toString();
      expect(out).toBe(text.replaceAll(secret, '*'.repeat(secret.length)));
    }
  });
  it('leaves everything else unchanged', () =>
    expect(new SecretMask(['anonymous']).over(Buffer.from('anonymous')).toString()).toBe(
      'anonymous',
    ));
});
