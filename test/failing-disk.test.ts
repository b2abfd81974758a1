/**
 * A disk that rejects writes: the editing user is notified, memory stays equal to the disk, and
 * work continues once the disk recovers.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Note } from '@tiding/client/protocol';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createServer } from '../server/index.ts';
import { ADMIN_PASSWORD, startEmbedded } from './support/embedded.ts';
import { bodyOf } from './support/people.ts';
import {
  type ApiCall,
  callApi,
  login,
  onlyFor,
  openSocket,
  type RawSocket,
  request,
  startEmpty,
} from './support/raw.ts';
import { temporaryFolder, untilEnd } from './support/until-end.ts';

const embedded = untilEnd(await startEmpty({ logLevel: 'silent' }));
const { url } = embedded.server;
const admin = await login(url);
let id: string;
let socket: RawSocket;
let before: Note;
let named = 0;

const call = (...args: ApiCall) => callApi(url, admin, ...args);
const read = () => bodyOf<Note>(call('GET', `/notebook/${id}`));
/** Makes writes to a path fail, by putting a file in the place of a folder. */
const fail = async (path: string) => {
  const folder = join(embedded.data, path);
  await rename(folder, `${folder}.away`);
  await writeFile(folder, '');
};
const heal = async (path: string) => {
  const folder = join(embedded.data, path);
  await rm(folder);
  await rename(`${folder}.away`, folder);
};

beforeEach(async () => {
  const made = await call('POST', '/notebook', {
    name: `disk/${(named += 1)}`,
    paragraphs: [{ text: '%md\none ${form}' }, { text: '%md\ntwo' }],
  });
  id = (made.json as { body: string }).body;
  const { paragraphs } = await read();
  await call('POST', `/notebook/run/${id}/${paragraphs![0]!.id}`, { params: { form: 'x' } });
  socket = await openSocket(url, { identity: admin.identity, note: id });
  before = await read();
});
afterEach(() => socket.socket.terminate());

const operations: [string, (paragraph: string) => object][] = [
  [
    'COMMIT_PARAGRAPH',
    (paragraph) => ({
      id: paragraph,
      paragraph: 'changed',
      title: 'changed',
      config: { colWidth: 3 },
      params: { a: 1 },
    }),
  ],
  ['RUN_PARAGRAPH', (paragraph) => ({ id: paragraph, paragraph: '%md\nchanged' })],
  ['INSERT_PARAGRAPH', () => ({ index: 1 })],
  ['COPY_PARAGRAPH', () => ({ index: 1, paragraph: 'copy' })],
  ['MOVE_PARAGRAPH', (paragraph) => ({ id: paragraph, index: 1 })],
  ['PARAGRAPH_REMOVE', (paragraph) => ({ id: paragraph })],
  ['PARAGRAPH_CLEAR_OUTPUT', (paragraph) => ({ id: paragraph })],
  ['PARAGRAPH_CLEAR_ALL_OUTPUT', () => ({ id })],
  ['NOTE_RENAME', () => ({ id, name: 'renamed' })],
  ['NOTE_UPDATE', () => ({ id, name: before.name, config: { looknfeel: 'report' } })],
  ['UPDATE_PERSONALIZED_MODE', () => ({ id, personalized: 'true' })],
  ['MOVE_NOTE_TO_TRASH', () => ({ id })],
  ['FOLDER_RENAME', () => ({ id: 'disk', name: 'elsewhere' })],
  ['SAVE_NOTE_FORMS', () => ({ noteId: id, noteParams: { a: 1 } })],
  ['SAVE_INTERPRETER_BINDINGS', () => ({ noteId: id, selectedSettingIds: ['md'] })],
  [
    'ANGULAR_OBJECT_CLIENT_BIND',
    (paragraph) => ({ noteId: id, paragraphId: paragraph, name: 'n', value: 1 }),
  ],
];

/** Frames that announce a change. */
const CHANGES = (
  'PARAGRAPH PARAGRAPH_ADDED PARAGRAPH_MOVED PARAGRAPH_REMOVED NOTE NOTE_UPDATED ' +
  'SAVE_NOTE_FORMS INTERPRETER_BINDINGS ANGULAR_OBJECT_UPDATE'
).split(' ');

describe('a note that cannot be stored', () => {
  it.each(operations)(
    '%s is answered with ERROR_INFO, and the note is unchanged [S69]',
    async (op, data) => {
      // Only this note: earlier notes in the folder are removed.
      for (const entry of await bodyOf<{ id: string }[]>(call('GET', '/notebook')))
        if (entry.id !== id) await call('DELETE', `/notebook/${entry.id}`);
      await fail(`notebook/${id}`);
      socket.send({ op, data: data(before.paragraphs![0]!.id) });
      const frame = await socket.next('ERROR_INFO', ...CHANGES);
      expect(frame).toMatchObject({
        op: 'ERROR_INFO',
        data: {
          op,
          info:
            'Oops! There is something wrong with the notebook file system (ENOTDIR). ' +
            'Nothing was changed.',
        },
      });
      expect(await read()).toEqual(before);
      const health = await request(url, 'GET', '/healthz');
      expect(health.status).toBe(503);
      expect(health.json).toMatchObject({
        status: 'degraded',
        storage: 'a note could not be stored',
      });
      await heal(`notebook/${id}`);
      socket.send({ op, data: data(before.paragraphs![0]!.id) });
      await socket.next(...CHANGES);
      expect(await read()).not.toEqual(before);
      expect((await request(url, 'GET', '/healthz')).status).toBe(200);
    },
  );

  it('REST calls answer 500 with the same message', async () => {
    const [first] = before.paragraphs!;
    await fail(`notebook/${id}`);
    for (const [method, path, body] of [
      ['PUT', `/notebook/${id}/paragraph/${first!.id}`, { text: 'changed' }],
      ['POST', `/notebook/${id}/paragraph`, { text: 'new' }],
      ['PUT', `/notebook/${id}/rename`, { name: 'renamed' }],
      ['PUT', `/notebook/${id}/clear`, undefined],
      ['DELETE', `/notebook/${id}/paragraph/${first!.id}`, undefined],
      ['POST', `/notebook/job/${id}/${first!.id}`, {}],
      ['POST', `/notebook/run/${id}/${first!.id}`, {}],
    ] as const) {
      const answer = await call(method, path, body);
      expect([answer.status, answer.json], path).toEqual([
        500,
        {
          status: 'INTERNAL_SERVER_ERROR',
          message:
            'Oops! There is something wrong with the notebook file system (ENOTDIR). ' +
            'Nothing was changed.',
        },
      ]);
    }
    expect(await read()).toEqual(before);
    await heal(`notebook/${id}`);
    expect((await call('POST', `/notebook/run/${id}/${first!.id}`, {})).json).toMatchObject({
      body: { code: 'SUCCESS' },
    });
  });

  it('a run keeps its results, which are stored once the disk recovers', async () => {
    const { id: paragraph } = before.paragraphs![0]!;
    socket.send({
      op: 'RUN_PARAGRAPH',
      data: {
        id: paragraph,
        paragraph:
          '%js\nconsole.log("kept"); await new Promise((resolve) => setTimeout(resolve, 700));',
      },
    });
    await socket.next('PARAGRAPH_APPEND_OUTPUT');
    await fail(`notebook/${id}`);
    for (;;) {
      const { data } = await socket.next('PARAGRAPH');
      if ((data['paragraph'] as { status: string }).status === 'FINISHED') break;
    }
    expect((await read()).paragraphs![0]).toMatchObject({
      status: 'FINISHED',
      results: { msg: [{ data: 'kept\n' }] },
    });
    await heal(`notebook/${id}`);
    await expect.poll(async () => (await request(url, 'GET', '/healthz')).status).toBe(200);
    const stored = JSON.parse(
      await readFile(join(embedded.data, 'notebook', id, 'note.json'), 'utf8'),
    ) as Note;
    expect(stored.paragraphs![0]).toMatchObject({
      status: 'FINISHED',
      results: { msg: [{ data: 'kept\n' }] },
    });
  });
});

describe('a folder that cannot be written', () => {
  it.each([
    ['NEW_NOTE', () => ({ name: 'new' })],
    ['CLONE_NOTE', () => ({ id, name: 'clone' })],
    ['IMPORT_NOTE', () => ({ note: { name: 'imported', paragraphs: [{}] } })],
    ['DEL_NOTE', () => ({ id })],
  ])('%s is answered with ERROR_INFO, and the lists are unchanged', async (op, data) => {
    const list = (await call('GET', '/notebook')).text;
    const permissions = await readFile(join(embedded.data, 'notebook-authorization.json'), 'utf8');
    await fail('notebook');
    socket.send({ op, data: data() });
    expect(await socket.next('ERROR_INFO', 'NEW_NOTE', 'IMPORT_NOTE', 'NOTES_INFO')).toMatchObject({
      op: 'ERROR_INFO',
      data: {
        op,
        info:
          'Oops! There is something wrong with the notebook file system (ENOTDIR). ' +
          'Nothing was changed.',
      },
    });
    expect((await call('GET', '/notebook')).text).toBe(list);
    expect(await readFile(join(embedded.data, 'notebook-authorization.json'), 'utf8')).toBe(
      permissions,
    );
    await heal('notebook');
    socket.send({ op, data: data() });
    await socket.next('NEW_NOTE', 'IMPORT_NOTE', 'NOTES_INFO');
  });

  it("permissions that can't be stored have no effect, and no note is created", async () => {
    const file = join(embedded.data, 'notebook-authorization.json');
    const old = (await call('GET', `/notebook/${id}/permissions`)).json;
    const list = (await call('GET', '/notebook')).text;
    await rename(file, `${file}.away`);
    await mkdir(join(file, 'in-the-way'), { recursive: true });
    const wanted = onlyFor('admin');
    expect((await call('PUT', `/notebook/${id}/permissions`, wanted)).status).toBe(500);
    expect((await call('GET', `/notebook/${id}/permissions`)).json).toEqual(old);
    expect((await call('POST', '/notebook', { name: 'unowned' })).status).toBe(500);
    expect((await call('GET', '/notebook')).text).toBe(list);
    await rm(file, { recursive: true });
    await rename(`${file}.away`, file);
    expect((await call('PUT', `/notebook/${id}/permissions`, wanted)).status).toBe(200);
    expect((await call('GET', `/notebook/${id}/permissions`)).json).toMatchObject({ body: wanted });
  });
});

const small = temporaryFolder();
const isMounted =
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', small]).status === 0;
const FULL = "The disk with the server's data folder is full. Free some space, then try again.";

/** A real disk, where root may mount one. */
describe.skipIf(!isMounted)('a full disk', () => {
  const ballast = join(small, 'ballast');
  const fill = async () => {
    for (let size = 2 ** 20; size >= 1; size = size >> 1)
      while (
        await appendFile(ballast, Buffer.alloc(size)).then(
          () => true,
          () => false,
        )
      );
  };
  afterAll(() => {
    spawnSync('umount', ['-l', small]);
    rmSync(small, { recursive: true });
  });

  it('is reported by every change with what to do, loses nothing, and recovers [S91]', async () => {
    const data = join(small, 'data');
    const full = await startEmbedded({ data, logLevel: 'silent' });
    const who = await login(full.server.url);
    const ask = (...args: ApiCall) => callApi(full.server.url, who, ...args);
    const health = () => request(full.server.url, 'GET', '/healthz');
    try {
      const made = await ask('POST', '/notebook', { paragraphs: [{ text: '%md\nkept' }] });
      const { body: note } = made.json as { body: string };
      const noted = () => bodyOf<Note>(ask('GET', `/notebook/${note}`));
      const { id: paragraph, text } = (await noted()).paragraphs![0]!;
      expect((await health()).status).toBe(200);
      await fill();
      const long = `%md\n${'x'.repeat(20_000)}`;
      const thread = { paragraphId: paragraph, text: long.slice(0, 9_000) };
      for (const [method, path, body] of [
        ['POST', '/notebook', { name: 'new', paragraphs: [{ text: long }] }],
        ['PUT', `/notebook/${note}/paragraph/${paragraph}`, { text: long }],
        ['POST', `/notebook/run/${note}/${paragraph}`, {}],
        ['POST', `/magpie/comments/${note}`, thread],
        ['PUT', '/credential', { entity: 'e', username: 'u', password: long }],
      ] as const) {
        const answer = await ask(method, path, body);
        expect([path, answer.status, answer.json]).toEqual([
          path,
          507,
          { status: 'INSUFFICIENT_STORAGE', message: expect.stringContaining(FULL) },
        ]);
      }
      const live = await openSocket(full.server.url, { identity: who.identity, note: note });
      live.send({ op: 'COMMIT_PARAGRAPH', data: { id: paragraph, paragraph: long } });
      expect((await live.next('ERROR_INFO', 'PARAGRAPH')).data).toMatchObject({
        code: 507,
        info: expect.stringContaining(FULL),
      });
      live.socket.terminate();
      expect((await noted()).paragraphs![0]!.text).toBe(text);
      expect((await health()).json).toMatchObject({ status: 'degraded' });
      await rm(ballast);
      await expect.poll(async () => (await health()).status).toBe(200);
      const again = await ask('PUT', `/notebook/${note}/paragraph/${paragraph}`, { text: long });
      expect(again.status).toBe(200);
      expect((await noted()).paragraphs![0]!.text).toBe(long);
    } finally {
      await full.stop();
    }
    await fill();
    const start = () => createServer({ port: 0, data, adminPassword: ADMIN_PASSWORD });
    await expect(start()).rejects.toThrow(
      `The server can't start with the data folder ${data}. ${FULL}`,
    );
    await rm(ballast);
    await (await start()).close();
  });
});
