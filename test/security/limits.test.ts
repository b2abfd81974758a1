/**
 * Every limit, set to a low value: input beyond it is rejected with a message, and nothing else
 * changes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MAX_PATCH_PARTS } from '../../client/model/text/text-patch.ts';
import { MAX_EMBED_SECONDS } from '../../server/auth/embed-tokens.ts';
import {
  flagOf,
  type LimitName,
  limitsOf,
  readLimit,
  SERVER_LIMITS,
} from '../../server/base/limits.ts';
import { resolveOptions } from '../../server/base/options.ts';
import { MAX_UNREAD_ANSWERS } from '../../server/hub/writer.ts';
import { MAX_RUNS_KEPT } from '../../server/run/history.ts';
import { MAX_VALUE_BYTES } from '../../server/run/shared-values.ts';
import { startLimited } from '../support/limited-process.ts';
import { bodyOf, twoPeople } from '../support/people.ts';
import { type ApiCall, asPage, callApi, type Login, openSocket, request } from '../support/raw.ts';
import { root } from '../support/sources.ts';
import { untilEnd } from '../support/until-end.ts';

const { url, admin, create } = untilEnd(
  await twoPeople(
    {
      maxParagraphs: 3,
      maxTextBytes: 400_000,
      maxNameBytes: 20,
      maxPathDepth: 2,
      maxJsonDepth: 10,
      maxFrames: 30,
      maxQueuedBytes: 100_000,
      maxEmbedSockets: 5,
      maxVisitorSockets: 3,
      trustProxy: true,
      // Includes the start of a process.
      maxRunMs: 8_000,
      maxOutputBytes: 1_000,
    },
    startLimited,
  ),
);

const call = (...args: ApiCall) => callApi(url, admin, ...args);
const open = async () => openSocket(url, { identity: admin.identity });
const refused = async (op: string, data: object): Promise<string> => {
  const socket = await open();
  socket.send({ op, data });
  const frame = await socket.next(
    'ERROR_INFO',
    'NEW_NOTE',
    'IMPORT_NOTE',
    'PARAGRAPH',
    'PARAGRAPH_ADDED',
  );
  expect(frame.op).toBe('ERROR_INFO');
  expect(frame.data['code']).toBe(400);
  return String(frame.data['info']);
};
/** A figure of the server, without the beginning of its name. */
const metric = async (name: string): Promise<number> => {
  const lines = (await request(url, 'GET', '/metrics')).text.split('\n');
  const line = lines.find((each) => each.startsWith(`tiding_${name} `));
  return Number(line?.split(' ').at(-1) ?? 0);
};
const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

it('a note has a maximum number of paragraphs [S48]', async () => {
  const { id } = await create('%md\n1', '%md\n2', '%md\n3');
  const message = 'A note can have at most 3 paragraphs.';
  expect(await refused('INSERT_PARAGRAPH', { index: 0, noteId: id })).toBe(message);
  const four = [1, 2, 3, 4].map((n) => ({ text: `%md\n${n}` }));
  expect(await refused('IMPORT_NOTE', { note: { name: 'four', paragraphs: four } })).toBe(message);
  expect((await call('POST', '/notebook', { name: 'four', paragraphs: four })).status).toBe(400);
  expect((await call('POST', '/notebook/import', { name: 'four', paragraphs: four })).status).toBe(
    400,
  );
});

it('a text has a maximum number of bytes [S48]', async () => {
  const { id, paragraphs } = await create('%md\n1');
  const text = 'ü'.repeat(200_001);
  const message = 'A paragraph can have at most 400000 bytes of text.';
  expect(
    await refused('COMMIT_PARAGRAPH', { id: paragraphs![0]!.id, noteId: id, paragraph: text }),
  ).toBe(message);
  expect(await refused('COPY_PARAGRAPH', { index: 0, noteId: id, paragraph: text })).toBe(message);
  expect(
    (await call('PUT', `/notebook/${id}/paragraph/${paragraphs![0]!.id}`, { text })).status,
  ).toBe(400);
  expect((await call('POST', '/notebook', { name: 'long', paragraphs: [{ text }] })).status).toBe(
    400,
  );
});

it('a name has a maximum number of bytes, a path a maximum number of parts [S48]', async () => {
  expect(await refused('NEW_NOTE', { name: 'ü'.repeat(11) })).toBe(
    'A part of a path cannot be longer than 20 bytes.',
  );
  expect(await refused('NEW_NOTE', { name: 'a/b/c' })).toBe(
    'A path cannot have more than 2 parts.',
  );
});

it('JSON has a maximum number of levels, in messages and in bodies [S47]', async () => {
  const socket = await open();
  socket.send(`{"op":"LIST_NOTES","data":${deep(10)}}`);
  expect((await socket.next('ERROR_INFO')).data['info']).toBe(
    'JSON may be nested at most 10 levels deep.',
  );
  const answer = await request(url, 'POST', '/api/notebook', {
    headers: asPage(admin),
    body: deep(11),
  });
  expect([answer.status, (answer.json as { message: string }).message]).toEqual([
    400,
    'JSON may be nested at most 10 levels deep.',
  ]);
});

it('messages faster than the limit close their socket with 1008, and no other [S50]', async () => {
  const [socket, other] = [await open(), await open()];
  for (let n = 0; n < 300; n += 1) socket.send('{"op":"PING"}');
  expect(await socket.closed).toEqual({ code: 1008, reason: 'too many messages' });
  other.send({ op: 'LIST_NOTES' });
  await other.next('NOTES_INFO');
});

it('pages with embed tokens share a limit of sockets, and may share one [S52 S92]', async () => {
  const { id } = await create('%md\n1');
  const visitor = async () => {
    const made = await call('POST', '/magpie/embed-token', { noteId: id, scope: 'results' });
    const { token } = made.json as { token: string };
    const headers = { Authorization: `Bearer ${token}` };
    const ticket = await request(url, 'GET', '/api/security/ticket', { headers });
    return (ticket.json as { body: Login['identity'] }).body;
  };
  const [shared, own] = [await visitor(), await visitor()];
  const enter = async (identity: Login['identity'], address = '::ffff:192.0.2.1') => {
    const socket = await openSocket(url, { identity, headers: { 'X-Forwarded-For': address } });
    socket.send({ op: 'GET_NOTE', data: { id } });
    return socket;
  };
  for (const [identity, address] of [
    [shared, '2001:db8::1'],
    [shared, '2001:db8::ffff:1'],
    [own, '2001:db8:0:0:2::1'],
  ] as const)
    await (await enter(identity, address)).next('NOTE');
  expect(await (await enter(own, '2001:db8::2')).closed).toEqual({
    code: 4029,
    reason: 'too many connections with embed tokens of one user from one address, at most 3',
  });
  for (const identity of [shared, own]) await (await enter(identity)).next('NOTE');
  expect(await (await enter(own, '192.0.2.2')).closed).toEqual({
    code: 4029,
    reason: 'too many connections with embed tokens of one user, at most 5',
  });
  await (await enter(admin.identity)).next('NOTE');
});

it('requests wait while answers are unread, and are answered later [S51]', async () => {
  const { id } = await create(
    ...[1, 2, 3].map((n) => `%md\n${String(n).repeat(390_000)}`).slice(0, 2),
  );
  const slow = await open();
  slow.socket.pause();
  const handled = () => metric('messages_total{op="GET_NOTE"}');
  const first = await handled();
  const REQUESTS = 40;
  for (let n = 0; n < REQUESTS; n += 1) slow.send({ op: 'GET_NOTE', data: { id } });
  let before = first;
  for (let now = await handled(); now !== before || now === first; now = await handled()) {
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(before - first).toBeLessThan(REQUESTS - 5);
  slow.socket.resume();
  for (let n = 0; n < REQUESTS; n += 1) await slow.next('NOTE');
});

it('a run that takes too long is stopped with a message, and keeps its output [S54]', async () => {
  const note = await create(
    "%js\nconsole.log('printed'); await new Promise((resolve) => setTimeout(resolve, 600000));",
  );
  const answer = await call('POST', `/notebook/run/${note.id}/${note.paragraphs![0]!.id}`, {});
  expect(answer.text).toContain('printed');
  expect(answer.text).toContain('The run was stopped after 8 seconds.');
  expect((await call('GET', `/notebook/job/${note.id}/${note.paragraphs![0]!.id}`)).text).toContain(
    'ABORT',
  );
});

it('output beyond the limit is cut, with a notice [S49]', async () => {
  const note = await create("%js\nconsole.log('x'.repeat(5000))");
  const body = await bodyOf<{ msg: { data: string }[] }>(
    call('POST', `/notebook/run/${note.id}/${note.paragraphs![0]!.id}`, {}),
  );
  expect(body.msg.map(({ data }) => data).join('')).toMatch(/^x{500,1000}[^x]+/);
});

it('nothing is decompressed: neither frames nor bodies [S53]', async () => {
  const socket = await open();
  expect(socket.socket.extensions).toBe('');
  for (const [method, path, body] of [
    ['POST', '/notebook', { name: 'packed', paragraphs: [{ text: 'x' }] }],
    ['POST', '/notebook/import', { name: 'packed', paragraphs: [] }],
    ['PUT', '/magpie/file/packed.csv', { data: 'YQ==' }],
  ] as const) {
    const answer = await request(url, method, `/api${path}`, {
      headers: { ...asPage(admin), 'Content-Encoding': 'gzip' },
      body: gzipSync(JSON.stringify(body)),
    });
    expect([path, answer.status]).toEqual([path, 400]);
  }
});

describe('the table of limits', () => {
  const all = Object.keys(SERVER_LIMITS) as LimitName[];

  it('has the documented defaults [S45]', () => {
    expect(resolveOptions({ data: '/nowhere' })).toMatchObject(
      Object.fromEntries(all.map((name) => [name, SERVER_LIMITS[name].default])),
    );
    const text = readFileSync(join(root, 'docs/operate/limits.md'), 'utf8');
    const rows = [...text.matchAll(/^\| `([\w-]+)` \| `(\w+)` \| ([\d,]+) \|/gm)];
    expect(
      rows.map(([, flag, name, value]) => [flag, name, Number(value!.replaceAll(',', ''))]).sort(),
    ).toEqual(all.map((name) => [flagOf(name), name, SERVER_LIMITS[name].default]).sort());
    const fixed = [
      [MAX_UNREAD_ANSWERS, 'bytes of answers to a connection'],
      [MAX_VALUE_BYTES / 1_000, 'kB; all values'],
      [MAX_EMBED_SECONDS, 'seconds; `params`'],
      [MAX_RUNS_KEPT, 'per note'],
      [MAX_PATCH_PARTS, 'parts, and'],
    ] as const;
    for (const [value, what] of fixed)
      expect(text).toContain(`${value.toLocaleString('en')} ${what}`);
  });

  it.each(all)('%s is set by the command line [S45]', (name) => {
    expect(readLimit(`${flagOf(name)}=7`)).toEqual({ [name]: 7 });
  });

  it.each([
    'paragraphs',
    'paragraphs=',
    'paragraphs=0',
    'paragraphs=1.5',
    'paragraphs=x',
    'paragraphs=-1',
    'paragraphs=1e99',
    'nothing=1',
    '__proto__=1',
    '',
  ])('%j is rejected', (text) => {
    expect(() => readLimit(text)).toThrow(/must be a whole number of at least 1|There is no limit/);
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity])('an option of %d is rejected', (value) => {
    expect(() => limitsOf({ maxParagraphs: value })).toThrow(
      'must be a whole number of at least 1',
    );
  });
});
