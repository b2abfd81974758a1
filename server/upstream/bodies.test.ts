/** Request bodies forwarded to Zeppelin: streamed, and limited in size. */
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { createServer as createTcp } from 'node:net';
import { expect, it } from 'vitest';
import { json } from '../../test/support/fake-zeppelin.ts';
import { useGateway } from '../../test/support/gateway.ts';
import { asPage, type Login, login } from '../../test/support/raw.ts';

const gateway = useGateway();
const IMPORT = 'POST /notebook/import';
const sending = (who: Login, headers: Record<string, string | number> = {}): ClientRequest =>
  httpRequest(`${gateway.url}/api/notebook/import`, {
    method: 'POST',
    headers: { ...asPage(who), ...headers },
  });
const answerOf = async (outgoing: ClientRequest) => {
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, text };
};

it('forwards a body while it is still arriving', async () => {
  await gateway.start();
  const alice = await login(gateway.url, 'alice', 'alice-pass');
  const received: number[] = [];
  gateway.zeppelin.onRequest = (request, size) => {
    if (request.url === '/api/notebook/import') received.push(size);
  };
  gateway.zeppelin.replies[IMPORT] = (_, response, body) =>
    json(response, 200, { status: 'OK', body: body.length });
  for (const headers of [{}, { 'Content-Length': 200_000 }] as Record<string, number>[]) {
    received.length = 0;
    const outgoing = sending(alice, headers);
    outgoing.write(Buffer.alloc(100_000, 'a'));
    await expect.poll(() => received.at(-1)).toBe(100_000);
    const answer = answerOf(outgoing);
    outgoing.end(Buffer.alloc(100_000, 'b'));
    expect(await answer).toEqual({ status: 200, text: '{"status":"OK","body":200000}' });
  }
  const [chunked, whole] = gateway.asked(IMPORT);
  expect([chunked!.headers['transfer-encoding'], chunked!.headers['content-length']]).toEqual([
    'chunked',
    undefined,
  ]);
  expect([whole!.headers['transfer-encoding'], whole!.headers['content-length']]).toEqual([
    undefined,
    '200000',
  ]);
});

it('rejects a body declared over the limit, and cuts one that exceeds it undeclared', async () => {
  await gateway.start({ maxImportBytes: 100_000 });
  const alice = await login(gateway.url, 'alice', 'alice-pass');
  const begun: string[] = [];
  gateway.zeppelin.onRequest = (request) => begun.push(request.url!);
  const said = sending(alice, { 'Content-Length': 150_000 });
  const refused = answerOf(said);
  said.end(Buffer.alloc(150_000));
  expect(await refused).toMatchObject({
    status: 413,
    text: expect.stringContaining('at most 100000 bytes') as unknown,
  });
  expect(begun).toEqual([]);

  const silent = sending(alice);
  const late = answerOf(silent);
  silent.write(Buffer.alloc(60_000));
  await expect.poll(() => begun).toContain('/api/notebook/import');
  silent.end(Buffer.alloc(60_000));
  expect((await late).status).toBe(413);
  // Zeppelin has received the beginning but never the end.
  expect(gateway.asked(IMPORT)).toEqual([]);
  expect((await gateway.call(alice, 'GET', '/security/ticket')).status).toBe(200);
});

it('reads a body no faster than Zeppelin accepts it', async () => {
  await gateway.start({ maxImportBytes: 200 * 2 ** 20 });
  const alice = await login(gateway.url, 'alice', 'alice-pass');
  let paused: IncomingMessage | undefined;
  gateway.zeppelin.onRequest = (request) => {
    if (paused || request.url !== '/api/notebook/import') return;
    paused = request;
    request.pause();
  };
  gateway.zeppelin.replies[IMPORT] = (_, response, body) =>
    json(response, 200, { status: 'OK', body: body.length });
  const outgoing = sending(alice);
  const answer = answerOf(outgoing);
  let written = 0;
  const total = 120;
  const pump = () => {
    while (written < total) {
      written += 1;
      if (!outgoing.write(Buffer.alloc(2 ** 20, 'x'))) return void outgoing.once('drain', pump);
    }
    outgoing.end();
  };
  pump();
  let before = -1;
  await expect
    .poll(
      () => {
        const still = written === before && paused !== undefined;
        before = written;
        return still;
      },
      { interval: 300 },
    )
    .toBe(true);
  expect(written).toBeLessThan(total);
  paused!.resume();
  expect(await answer).toEqual({ status: 200, text: `{"status":"OK","body":${total * 2 ** 20}}` });
});

it('ends the request at Zeppelin on disconnect, and forwards an early response', async () => {
  await gateway.start();
  const alice = await login(gateway.url, 'alice', 'alice-pass');
  let gone: Promise<unknown> | undefined;
  gateway.zeppelin.onRequest = (request) => {
    if (request.url === '/api/notebook/import')
      gone ??= new Promise((resolve) => request.on('error', () => {}).once('close', resolve));
  };
  const going = sending(alice);
  going.on('error', () => {});
  going.write('{');
  await expect.poll(() => gone !== undefined).toBe(true);
  going.destroy();
  await gone;
  expect(gateway.asked(IMPORT)).toEqual([]);

  // A server that closes the connection in the middle of the body.
  const rude = createTcp((socket) => void socket.once('data', () => socket.destroy()));
  const { port } = new URL(gateway.zeppelin.url);
  await gateway.zeppelin.stop();
  await new Promise<void>((resolve) => rude.listen(Number(port), '127.0.0.1', resolve));
  try {
    const outgoing = sending(alice);
    const answer = answerOf(outgoing);
    outgoing.write('{');
    outgoing.end('}');
    expect(await answer).toMatchObject({
      status: 502,
      text: expect.stringContaining('cannot be reached') as unknown,
    });
  } finally {
    await new Promise((resolve) => rude.close(resolve));
  }
});
