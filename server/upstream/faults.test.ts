/**
 * A Zeppelin that goes away, hangs, responds late or sends invalid data: users are notified, and no
 * local data is lost.
 */

import { createClient } from '@tiding/client';
import { describe, expect, it } from 'vitest';
import { json } from '../../test/support/fake-zeppelin.ts';
import { useGateway } from '../../test/support/gateway.ts';
import { login, openSocket } from '../../test/support/raw.ts';
import { untilEnd } from '../../test/support/until-end.ts';

const gateway = useGateway();
const connected = async () => {
  const who = await login(gateway.url, 'alice', 'alice-pass');
  const socket = await openSocket(gateway.url, { identity: who.identity });
  socket.send({ op: 'LIST_NOTES' });
  await expect.poll(() => gateway.zeppelin.frames.some(({ op }) => op === 'LIST_NOTES')).toBe(true);
  return { who, socket, there: gateway.zeppelin.sockets.at(-1)! };
};

describe('invalid frame', () => {
  it.each([
    ['no JSON', '{"op": "NOTE", '],
    ['a list', '[1, 2]'],
    ['an object without an operation', '{"data": {}}'],
    ['bytes', Buffer.from([0, 1, 2])],
    ['nothing', ''],
    ['a large piece of something', `"${'x'.repeat(100_000)}"`],
  ])('is skipped and reported, and the next one arrives: %s', async (_, frame) => {
    await gateway.start({ logLevel: 'silent' });
    const { socket, there } = await connected();
    there.send(frame);
    there.send('{"op":"NOTES_INFO","data":{"notes":[]}}');
    expect(await socket.any()).toMatchObject({
      op: 'ERROR_INFO',
      data: { info: expect.stringContaining('cannot be read') as unknown },
    });
    expect((await socket.any()).op).toBe('NOTES_INFO');
  });

  it('closes the channel with a reason if it violates the WebSocket protocol', async () => {
    await gateway.start({ logLevel: 'silent' });
    const { socket, there } = await connected();
    // A continuation frame without a first frame.
    (there as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(
      Buffer.from([0x80, 0x01, 0x61]),
    );
    expect((await socket.any()).data['info']).toContain('cannot be read');
    expect((await socket.closed).code).not.toBe(1000);
  });
});

describe('hanging Zeppelin', () => {
  it('is detected and reported on an open socket, and reconnected', async () => {
    await gateway.start({ upstreamTimeoutMs: 300, logLevel: 'silent' });
    const { socket, there } = await connected();
    there.pause();
    expect((await socket.next('ERROR_INFO')).data['info']).toContain('stopped responding');
    expect(await socket.closed).toEqual({ code: 1013, reason: 'upstream does not answer' });
  });

  it('is reported if it hangs before it accepts a socket', async () => {
    await gateway.start({ logLevel: 'silent' });
    const who = await login(gateway.url, 'alice', 'alice-pass');
    const socket = await openSocket(gateway.url, { identity: who.identity });
    await gateway.zeppelin.stop();
    socket.send({ op: 'LIST_NOTES' });
    expect((await socket.next('ERROR_INFO')).data['info']).toMatch(
      /cannot be reached \(.*ECONNREFUSED/,
    );
    expect((await socket.closed).code).toBe(1013);
  });

  it('counts as failed if it responds with HTML, partial or compressed content', async () => {
    await gateway.start({ upstreamTimeoutMs: 500, logLevel: 'silent' });
    const who = await login(gateway.url, 'alice', 'alice-pass');
    const { replies } = gateway.zeppelin;
    const page = (status: number) => (_: unknown, response: import('node:http').ServerResponse) =>
      void response
        .writeHead(status, { 'Content-Type': 'text/html;charset=utf-8' })
        .end('<h1>at org.apache.Inside(Main.java:1)</h1>');
    replies['GET /notebook/a'] = page(200);
    replies['GET /notebook/b'] = page(500);
    replies['GET /notebook/c'] = page(504);
    replies['GET /notebook/d'] = () => {};
    replies['GET /notebook/e'] = (_, response) =>
      json(response, 200, { status: 'OK' }, { 'Content-Encoding': 'gzip' });
    replies['GET /notebook/f'] = (_, response) =>
      json(response, 500, { status: 'INTERNAL_SERVER_ERROR', message: 'in its own words' });
    const answers = await Promise.all(
      [...'abcdef'].map(async (id) => await gateway.call(who, 'GET', `/notebook/${id}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([502, 502, 504, 504, 502, 500]);
    for (const { text, json: body } of answers) {
      expect(text).not.toContain('Inside');
      expect(body).toMatchObject({
        status: expect.any(String) as unknown,
        message: expect.stringMatching(/Zeppelin behind this server|its own words/) as unknown,
      });
    }
  });
});

describe('client', () => {
  it('reconnects when Zeppelin is back, and delivers what was typed meanwhile', async () => {
    gateway.zeppelin.accounts = false;
    const paragraph = {
      id: 'p1',
      text: 'before',
      config: {},
      settings: { params: {}, forms: {} },
      status: 'READY',
    };
    const answering = () => {
      gateway.zeppelin.accounts = false;
      gateway.zeppelin.onSocket = (there) =>
        there.on('message', (data) => {
          const { op } = JSON.parse(String(data)) as { op: string };
          if (op === 'GET_NOTE')
            there.send(
              JSON.stringify({
                op: 'NOTE',
                data: {
                  note: {
                    id: 'n1',
                    name: 'one',
                    path: '/one',
                    paragraphs: [paragraph],
                    config: {},
                    info: {},
                  },
                },
              }),
            );
          if (op === 'LIST_CONFIGURATIONS')
            there.send('{"op":"CONFIGURATIONS_INFO","data":{"configurations":{}}}');
        });
    };
    answering();
    await gateway.start({ logLevel: 'silent' });
    const { cookie } = await gateway.admin();
    const { token } = (await gateway.call({ cookie } as never, 'POST', '/magpie/access-token', {}))
      .json as { token: string };
    const client = untilEnd(
      createClient({
        server: gateway.url,
        auth: { token },
        autosave: 0,
        backoff: () => 100,
      }),
    );
    const note = await client.open('n1');
    await gateway.restart();
    answering();
    note.paragraphs[0]!.edit('typed while it was away');
    void note.paragraphs[0]!.commit().catch(() => {});
    await expect
      .poll(() =>
        gateway.zeppelin.frames.some(
          ({ op, data }) =>
            op === 'COMMIT_PARAGRAPH' &&
            (data as { paragraph?: string }).paragraph === 'typed while it was away',
        ),
      )
      .toBe(true);
  });
});
