/**
 * Invalid messages on the live channel: each is answered, nothing is changed, and the server keeps
 * running.
 */

import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Right, type Sends, type SentOp, sentOperations } from '@tiding/client/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Users } from '../server/auth/users.ts';
import { UPGRADE_ADVICE } from '../server/base/version.ts';
import { bodyOf } from './support/people.ts';
import {
  callApi,
  hashTree,
  type Login,
  login,
  onlyFor,
  openSocket,
  type RawSocket,
  request,
  startEmpty,
  upgrade,
} from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const MAX_MESSAGE = 200_000;
const PASSWORD = 'a-password-for-tests';
const NOWHERE = '2NOSUCHID';
const people: Record<string, Login> = {};

const embedded = untilEnd(await startEmpty({ maxMessageBytes: MAX_MESSAGE, logLevel: 'silent' }));
const { url } = embedded.server;
const users = new Users(embedded.data);
for (const name of ['reader', 'runner', 'writer', 'stranger'])
  await users.set(name, { password: PASSWORD });
people['admin'] = await login(url);
for (const name of ['reader', 'runner', 'writer', 'stranger'])
  people[name] = await login(url, name, PASSWORD);
const create = async (name: string, permissions: object) => {
  const id = await bodyOf<string>(
    callApi(url, people['admin'], 'POST', '/notebook', {
      name,
      paragraphs: [{ text: '%md\nstored' }, { text: '%md\nsecond' }],
    }),
  );
  await callApi(url, people['admin'], 'PUT', `/notebook/${id}/permissions`, permissions);
  return id;
};
const noteId = await create('folder/shared', {
  owners: ['admin'],
  writers: ['writer'],
  runners: ['runner'],
  readers: ['reader'],
});
/** A note only the administrator may use. */
const privateId = await create('folder/private', onlyFor('admin'));
const note = await callApi(url, people['admin'], 'GET', `/notebook/${noteId}`);
const paragraphId = (note.json as { body: { paragraphs: { id: string }[] } }).body.paragraphs[0]!
  .id;

let before: Record<string, string>;
beforeEach(async () => {
  before = await hashTree(embedded.data);
});
afterEach(async () => {
  const health = await request(url, 'GET', '/healthz');
  expect(health.json).toMatchObject({ status: 'ok' });
  expect(await hashTree(embedded.data)).toEqual(before);
});

const open = async (name = 'admin', note = '') =>
  openSocket(url, { identity: people[name]!.identity, note: note });
/** Checks that the socket still works. */
const works = async (socket: RawSocket, name = 'admin') => {
  socket.send({ ...people[name]!.identity, op: 'LIST_NOTES' });
  expect((await socket.next('NOTES_INFO')).data['notes']).toBeInstanceOf(Array);
};

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('a message without an operation', () => {
  it.each([
    ['malformed JSON', '{"op":"LIST_NOTES",'],
    ['an empty frame', ''],
    ['JSON that is not an object', '[1,2]'],
    ['JSON null', 'null'],
    ['a number', '7'],
    ['an operation that is not a string', '{"op":7}'],
    ['no operation', '{"data":{}}'],
    ['data that is not an object', '{"op":"LIST_NOTES","data":[]}'],
    ['a ticket that is not a string', '{"op":"LIST_NOTES","ticket":{}}'],
    ['an operation of a thousand characters', JSON.stringify({ op: 'X'.repeat(1000) })],
    [
      'JSON may be nested at most 64 levels deep.',
      `{"op":"LIST_NOTES","data":{"x":${nested(64)}}}`,
    ],
    ['JSON ten thousand levels deep', `{"op":"LIST_NOTES","data":{"x":${nested(10_000)}}}`],
    ['a binary frame', Buffer.from('{"op":"LIST_NOTES"}')],
  ])('%s is answered with ERROR_INFO, and the socket stays open', async (_, message) => {
    const socket = await open();
    socket.send(message);
    const { data } = await socket.next('ERROR_INFO', 'NOTES_INFO', 'SESSION_LOGOUT');
    expect(data['info']).toMatch(
      new RegExp(
        '^(A message must be (JSON|text, not binary data|a JSON object with an operation)|' +
          'JSON may be nested at most 64 levels deep)\\.$',
      ),
    );
    await works(socket);
  });

  it('JSON of 64 levels is accepted', async () => {
    const socket = await open();
    socket.send(
      `{"op":"LIST_NOTES","data":{"x":${nested(62)}},` +
        JSON.stringify(people['admin']!.identity).slice(1),
    );
    await socket.next('NOTES_INFO');
  });

  it.each(['NO_SUCH_OPERATION', 'constructor', '__proto__', 'toString', 'NOTES_INFO'])(
    'the unknown operation %s is named in ERROR_INFO [S1]',
    async (op) => {
      const socket = await open();
      socket.send({ op });
      expect((await socket.next('ERROR_INFO')).data).toEqual({
        info: `Unknown operation: ${op}. ${UPGRADE_ADVICE}`,
        code: 400,
        op,
      });
      await works(socket);
    },
  );

  it('PING is not answered, with or without a ticket', async () => {
    const socket = await open();
    socket.send('{"op":"PING"}');
    socket.send({ op: 'PING' });
    socket.send({ op: 'LIST_NOTES' });
    expect((await socket.next('NOTES_INFO', 'ERROR_INFO', 'SESSION_LOGOUT')).op).toBe('NOTES_INFO');
  });
});

/** The samples, sent for an unknown note. The few that would create something are made invalid. */
const payloads = {
  ...(Object.fromEntries(
    Object.entries(sentOperations).map(([op, { sample }]) => [
      op,
      JSON.parse(
        JSON.stringify(sample).replaceAll('$note', NOWHERE).replaceAll('$paragraph', 'p'),
      ) as object,
    ]),
  ) as { [Op in SentOp]: Sends[Op] }),
  NEW_NOTE: { name: 'a/../b' },
  IMPORT_NOTE: { note: { paragraphs: [] } },
};
const operations = Object.keys(sentOperations) as SentOp[];
const rightOf = (op: SentOp): Right => sentOperations[op].right;
const schemaOf = (op: SentOp) =>
  sentOperations[op].data as { safeParse(value: unknown): { success: boolean } };

describe('fields', () => {
  it.each(operations.filter((op) => !schemaOf(op).safeParse({}).success))(
    '%s without its fields is refused by name [D41 S13 S55]',
    async (op) => {
      const socket = await open();
      socket.send({ op, data: {} });
      const { data } = await socket.next('ERROR_INFO', 'AUTH_INFO');
      expect(data).toMatchObject({ op });
      expect(data['info']).toMatch(new RegExp(`^${op}: \\w+ `));
      await works(socket);
    },
  );

  it.each(
    operations.flatMap((op) =>
      Object.keys(payloads[op])
        .map((field) => [op, field] as const)
        .filter(([, field]) => field !== 'value'),
    ),
  )('%s with a %s of the wrong type is refused by name', async (op, field) => {
    const socket = await open();
    for (const wrong of [() => ({ deep: [] }), () => 3.5, () => [{}], () => true]) {
      const data = { ...payloads[op], [field]: wrong() };
      if (schemaOf(op).safeParse(data).success) continue;
      socket.send({ op, data });
      const refusal = await socket.next('ERROR_INFO', 'AUTH_INFO');
      expect(refusal.data['info']).toContain(`${op}: ${field}`);
    }
    await works(socket);
  });
});

describe('an unknown note or paragraph', () => {
  it.each(operations.filter((op) => rightOf(op) !== 'none'))(
    '%s on an unknown note names it [S13]',
    async (op) => {
      const socket = await open();
      socket.send({ op, data: payloads[op] });
      expect((await socket.next('ERROR_INFO', 'AUTH_INFO')).data).toMatchObject({
        op,
        message: `No such note: ${NOWHERE}`,
      });
      await works(socket);
    },
  );

  it.each([
    'COMMIT_PARAGRAPH',
    'RUN_PARAGRAPH',
    'CANCEL_PARAGRAPH',
    'MOVE_PARAGRAPH',
    'PARAGRAPH_REMOVE',
    'PARAGRAPH_CLEAR_OUTPUT',
  ] as const)('%s on an unknown paragraph names it', async (op) => {
    const socket = await open('admin', noteId);
    socket.send({ op, data: { ...payloads[op], noteId, id: 'nowhere' } });
    expect((await socket.next('ERROR_INFO')).data).toEqual({
      op,
      id: 'nowhere',
      code: 404,
      info: 'HTTP 404 Not Found',
      message: 'No such paragraph: nowhere',
    });
    await works(socket);
  });

  it('a paragraph operation on a socket without a note is refused', async () => {
    const socket = await open();
    socket.send({ op: 'PARAGRAPH_REMOVE', data: { id: paragraphId } });
    expect((await socket.next('ERROR_INFO')).data).toMatchObject({
      op: 'PARAGRAPH_REMOVE',
      message: 'No such note: ',
    });
  });

  it.each([-1, 3, 2 ** 40])(
    'an index outside the note (%i) is refused for moving and inserting [W82]',
    async (index) => {
      const socket = await open('admin', noteId);
      socket.send({ op: 'MOVE_PARAGRAPH', data: { id: paragraphId, index } });
      expect((await socket.next('ERROR_INFO')).data['info']).toBe(
        `newIndex ${index} is out of bounds`,
      );
      socket.send({ op: 'INSERT_PARAGRAPH', data: { index } });
      expect((await socket.next('ERROR_INFO')).data['info']).toBe(
        `Paragraph index ${index} is outside this note.`,
      );
    },
  );

  it.each([
    ['NEW_NOTE', { name: 'a/../b' }],
    ['NEW_NOTE', { name: 'tab\there' }],
    ['NEW_NOTE', { name: 'x'.repeat(256) }],
    ['NEW_NOTE', { name: Array.from({ length: 17 }, () => 'a').join('/') }],
    ['NEW_NOTE', { name: '///' }],
    ['IMPORT_NOTE', { note: {} }],
    ['IMPORT_NOTE', { note: { paragraphs: [] } }],
    ['IMPORT_NOTE', { note: { paragraphs: [7] } }],
    ['IMPORT_NOTE', { note: { name: '../up', paragraphs: [{}] } }],
    ['FOLDER_RENAME', { id: 'folder', name: '..' }],
    ['FOLDER_RENAME', { id: 'folder', name: 'folder/inner' }],
    ['FOLDER_RENAME', { id: 'folder', name: '/' }],
    ['FOLDER_RENAME', { id: 'nowhere', name: 'x' }],
    ['REMOVE_FOLDER', { id: 'fold' }],
    ['REMOVE_FOLDER', { id: '' }],
    ['MOVE_FOLDER_TO_TRASH', { id: '/' }],
    ['RESTORE_FOLDER', { id: 'folder' }],
  ])('%s of %j is refused', async (op, data) => {
    const socket = await open();
    socket.send({ op, data });
    expect((await socket.next('ERROR_INFO', 'NEW_NOTE', 'IMPORT_NOTE')).data).toMatchObject({ op });
    await works(socket);
  });

  it.each([
    ['NOTE_RENAME', { name: '..' }],
    ['NOTE_RENAME', { name: ' ' }],
    ['NOTE_RENAME', { name: '/' }],
    ['NOTE_RENAME', { name: 'folder/private' }],
    ['NOTE_RENAME', { name: '/', relative: true }],
    ['NOTE_UPDATE', { name: 'folder/shared' }],
    ['NOTE_UPDATE', { name: 'a\u0000', config: {} }],
    ['RESTORE_NOTE', {}],
    ['UPDATE_PERSONALIZED_MODE', { personalized: 'yes' }],
    ['CLONE_NOTE', { name: '/' }],
    ['SAVE_INTERPRETER_BINDINGS', { noteId: '', selectedSettingIds: ['nowhere'] }],
    ['RUN_ALL_PARAGRAPHS', { paragraphs: '{' }],
    ['RUN_ALL_PARAGRAPHS', { paragraphs: '{}' }],
    ['RUN_ALL_PARAGRAPHS', { paragraphs: nested(65) }],
    ['INSERT_PARAGRAPH', { index: 0.5 }],
    ['ANGULAR_OBJECT_UPDATED', { name: 'n', value: 1, interpreterGroupId: '__proto__' }],
    ['COMMIT_PARAGRAPH', { paragraph: 'x'.repeat(30), author: 'y'.repeat(65) }],
  ])('%s of %j on an existing note is refused', async (op, data) => {
    const socket = await open('admin', noteId);
    socket.send({
      op,
      data: { id: op.includes('PARAGRAPH') ? paragraphId : noteId, ...data, noteId },
    });
    expect((await socket.next('ERROR_INFO', 'AUTH_INFO')).data).toMatchObject({ op });
    await works(socket);
  });
});

describe('identity', () => {
  it.each([
    ['a wrong ticket', { ticket: 'wrong' }],
    ['no ticket', { ticket: undefined }],
    ['an empty ticket', { ticket: '' }],
    ['another principal', { principal: 'reader' }],
    ['no principal', { principal: undefined }],
  ])('%s is answered with SESSION_LOGOUT, and the socket stays open', async (_, identity) => {
    const socket = await open();
    socket.send({ op: 'DEL_NOTE', data: { id: noteId }, ...identity });
    expect((await socket.next('SESSION_LOGOUT', 'NOTES_INFO')).data['info']).toBe(
      'Your ticket is invalid possibly due to server restart. Please login again.',
    );
    await works(socket);
  });

  it('a ticket is only valid for its own principal [D37 S2]', async () => {
    const socket = await open('stranger');
    socket.send({ op: 'GET_NOTE', data: { id: privateId }, principal: 'admin' });
    expect((await socket.next('SESSION_LOGOUT', 'NOTE')).op).toBe('SESSION_LOGOUT');
    await works(socket, 'stranger');
  });

  it('roles in a message are ignored [S2]', async () => {
    const socket = await open('stranger');
    socket.send({
      op: 'GET_NOTE',
      data: { id: privateId },
      roles: '["notebook_admin","admin","global.SuperAdmin"]',
    });
    expect((await socket.next('AUTH_INFO', 'NOTE')).op).toBe('AUTH_INFO');
    await works(socket, 'stranger');
  });

  it("a socket that changes its user leaves the previous user's note", async () => {
    const socket = await open('admin', privateId);
    await works(socket, 'stranger');
    socket.send({
      ...people['stranger']!.identity,
      op: 'PARAGRAPH_REMOVE',
      data: { id: paragraphId },
    });
    expect((await socket.next('ERROR_INFO', 'AUTH_INFO')).data['message']).toBe('No such note: ');
  });
});

describe('rights', () => {
  it.each(['REMOVE_FOLDER', 'FOLDER_RENAME', 'MOVE_FOLDER_TO_TRASH'] as const)(
    '%s needs every note in the folder [S10]',
    async (op) => {
      const socket = await open('writer');
      socket.send({ op, data: payloads[op] });
      expect((await socket.next('AUTH_INFO', 'ERROR_INFO', 'NOTE')).op).toBe('AUTH_INFO');
      await works(socket, 'writer');
    },
  );

  it('a runner may not run another text, not even in a run of the whole note [S9]', async () => {
    const socket = await open('runner', noteId);
    socket.send({ op: 'RUN_PARAGRAPH', data: { id: paragraphId, paragraph: '%md\nanother' } });
    expect((await socket.next('AUTH_INFO', 'PARAGRAPH')).op).toBe('AUTH_INFO');
    const entry = { id: paragraphId, paragraph: '%md\nanother' };
    for (const paragraphs of [[entry], JSON.stringify([entry])]) {
      socket.send({ op: 'RUN_ALL_PARAGRAPHS', data: { noteId, paragraphs } });
      expect((await socket.next('AUTH_INFO', 'PARAGRAPH')).op).toBe('AUTH_INFO');
    }
    await works(socket, 'runner');
  });

  it.each([
    ['a schedule', { cron: '0 0 * * * ?' }],
    ['the user of a schedule', { cronExecutingUser: 'admin' }],
    ['the personalised mode', { personalizedMode: 'true' }],
  ])("a writer may not change %s by way of the note's settings", async (_, config) => {
    const socket = await open('writer', noteId);
    socket.send({
      op: 'NOTE_UPDATE',
      data: {
        id: noteId,
        name: 'folder/shared',
        config: { looknfeel: 'default', personalizedMode: 'false', ...config },
      },
    });
    expect((await socket.next('AUTH_INFO', 'NOTE_UPDATED')).op).toBe('AUTH_INFO');
  });

  it("an owner may not schedule a note in another user's name [S3]", async () => {
    const socket = await open('admin', noteId);
    socket.send({
      op: 'NOTE_UPDATE',
      data: {
        id: noteId,
        name: 'folder/shared',
        config: { cron: '0 0 * * * ?', cronExecutingUser: 'reader' },
      },
    });
    expect((await socket.next('AUTH_INFO', 'NOTE_UPDATED')).op).toBe('AUTH_INFO');
  });

  it("a stranger can't see a note's interpreters, nor find it in a list [S11]", async () => {
    const socket = await open('stranger');
    socket.send({ op: 'EDITOR_SETTING', data: { paragraphId, magic: '', noteId: privateId } });
    expect((await socket.next('EDITOR_SETTING', 'AUTH_INFO')).op).toBe('AUTH_INFO');
    socket.send({ op: 'LIST_NOTES' });
    expect(JSON.stringify(await socket.next('NOTES_INFO'))).not.toContain(privateId);
    socket.send({ op: 'LIST_NOTE_JOBS' });
    expect(JSON.stringify(await socket.next('LIST_NOTE_JOBS'))).not.toContain(privateId);
  });
});

describe('excessive input', () => {
  it('a message above the limit closes its socket with 1009 and no other [S46]', async () => {
    const [socket, other] = [await open(), await open()];
    socket.send({ op: 'LIST_NOTES', data: { x: 'x'.repeat(MAX_MESSAGE) } });
    expect((await socket.closed).code).toBe(1009);
    await works(other);
  });

  it('large messages sent faster than they are handled are all answered, in order', async () => {
    const socket = await open();
    const filler = 'x'.repeat(MAX_MESSAGE - 1_000);
    for (let n = 0; n < 50; n += 1) socket.send({ op: `UNKNOWN_${n}`, data: { filler } });
    for (let n = 0; n < 50; n += 1)
      expect((await socket.next('ERROR_INFO')).data['op']).toBe(`UNKNOWN_${n}`);
    await works(socket);
  });
});

describe('prototypes', () => {
  it.each(['__proto__', '\\u005f_proto__', 'constructor', '\\u0063onstructor', 'prototype'])(
    'the key %s, which reaches into prototypes, is ignored [S55]',
    async (key) => {
      const socket = await open('admin', noteId);
      const { identity } = people['admin']!;
      const bad = `"${key}":{"polluted":true}`;
      socket.send(
        `{"op":"SAVE_NOTE_FORMS","data":{"noteId":"${noteId}",${bad},` +
          `"noteParams":{"kept":1,"inner":[{${bad}}],${bad}}},` +
          JSON.stringify(identity).slice(1),
      );
      const { data } = await socket.next('SAVE_NOTE_FORMS');
      expect(JSON.stringify(data['formsData'])).toBe(
        '{"params":{"kept":1,"inner":[{}]},"forms":{}}',
      );
      expect(
        await readFile(join(embedded.data, 'notebook', noteId, 'note.json'), 'utf8'),
      ).not.toContain('polluted');
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
      // The data folder is compared after each test.
      socket.send({ op: 'SAVE_NOTE_FORMS', data: { noteId, noteParams: {} } });
      await socket.next('SAVE_NOTE_FORMS');
    },
  );
});

describe('the handshake', () => {
  it.each([
    ['a foreign Origin', () => ({ Origin: 'http://evil.example' })],
    ['the Origin of another port of this host', () => ({ Origin: 'http://127.0.0.1:1' })],
    ['Origin: null', () => ({ Origin: 'null' })],
    ['an Origin that is not a URL', () => ({ Origin: '::' })],
    ['a foreign Host', () => ({ Host: 'evil.example' })],
    [
      'a foreign Host with its own Origin',
      () => ({ Host: 'evil.example', Origin: 'http://evil.example' }),
    ],
  ])('%s is refused with 403 [S16]', async (_, headers) => {
    expect((await upgrade(url, headers())).status).toBe(403);
  });

  it.each(['/', '/other', '/ws/', '/ws/../ws', '//', '//ws', '/%77s', '/api/notebook'])(
    'the path %s is refused with 404 [S16]',
    async (path) => {
      expect((await upgrade(url, {}, path)).status).toBe(404);
    },
  );

  it("requests with the server's Origin or without one are accepted [S16]", async () => {
    expect((await upgrade(url, { Origin: url })).status).toBe(101);
    expect((await upgrade(url)).status).toBe(101);
    expect((await upgrade(url, {}, '/ws?x=1')).status).toBe(101);
  });

  it('a client that disconnects during a refusal causes no error', async () => {
    const { hostname, port } = new URL(url);
    await Promise.all(
      Array.from(
        { length: 200 },
        (_, n) =>
          new Promise<void>((resolve) => {
            const socket = connect(Number(port), hostname, () => {
              socket.write(
                `GET /nowhere HTTP/1.1\r\nHost: ${hostname}\r\n` +
                  'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
              );
              setTimeout(() => socket.resetAndDestroy(), n % 4);
            });
            socket.on('error', () => {});
            socket.on('close', () => resolve());
          }),
      ),
    );
  });
});
