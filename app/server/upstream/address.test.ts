import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createServer } from '../index.ts';
import { parseUpstream, pathOf } from './address.ts';
import { Mask } from './mask.ts';

describe('an address', () => {
  it.each([
    ['http://zeppelin:8080', 'http://zeppelin:8080/'],
    ['https://z.example/context/', 'https://z.example/context'],
    ['http://[::1]:8080/', 'http://[::1]:8080/'],
  ])('%s is taken', (text, href) => expect(parseUpstream(text).href).toBe(href));
  it.each([
    ['zeppelin:8080', 'http://'],
    ['file:///etc/passwd', 'http://'],
    ['ws://zeppelin', 'http://'],
    ['nothing', 'no address'],
    ['http://me:secret@zeppelin', 'password'],
    ['http://z/?a=1', '?'],
  ])('%s is not', (text, why) => {
    expect(() => parseUpstream(text)).toThrow(why);
    expect(() => parseUpstream(text)).not.toThrow('secret');
  });
  it('that is not one keeps the server from starting', () =>
    expect(
      createServer({
        port: 0,
        upstream: 'ftp://z',
        data: join(tmpdir(), `tiding-${process.pid}-no-upstream`),
      }),
    ).rejects.toThrow('http://'));
});

describe('a path', () => {
  it('has each parameter as one segment, however it was written', () => {
    expect(pathOf('/helium/package/:name', { name: './a b' })).toBe('/helium/package/.%2Fa%20b');
    expect(pathOf('/notebook/:noteId/paragraph/:id', { noteId: '2A', id: 'p?x=1#y' })).toBe(
      '/notebook/2A/paragraph/p%3Fx%3D1%23y',
    );
  });
  it.each(['..', '.', '', '../security/ticket', 'a/../b', '..;x', 'a\\..\\b', 'a\r\nX: y'])(
    'does not lead elsewhere by %j',
    (noteId) => {
      expect(pathOf('/notebook/:noteId', { noteId })).toBeUndefined();
    },
  );
});

describe('a mask', () => {
  const secret = 'a-secret-of-some-length';
  it('writes over what is secret, also where it lies across pieces, and keeps every length', async () => {
    const text = `x${secret}y${secret.slice(0, 10)}z${secret}`;
    for (const size of [1, 3, 7, 22, 23, 1000]) {
      const stream = new Mask([secret, 'anonymous', '']).stream();
      for (let at = 0; at < text.length; at += size)
        stream.write(Buffer.from(text.slice(at, at + size)));
      stream.end();
      const out = Buffer.concat((await stream.toArray()) as Buffer[]).toString();
      expect(out).toBe(text.replaceAll(secret, '*'.repeat(secret.length)));
    }
  });
  it('leaves everything else as it is', () =>
    expect(new Mask(['anonymous']).over(Buffer.from('anonymous')).toString()).toBe('anonymous'));
});
