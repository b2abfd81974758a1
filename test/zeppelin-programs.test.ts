/** What programs written for a Zeppelin expect of the server: its version, answers and errors. */

import { createClient } from '@tiding/client';
import { freeNotePath, takenNotePath } from '@tiding/client/model';
import { endpoints, sentOperations } from '@tiding/client/protocol';
import { type MemoryNote, memoryServer } from '@tiding/client/testing';
import { describe, expect, it } from 'vitest';
import { compareVersions } from '../client/core/server-support.ts';
import { ADMIN_PASSWORD, adminClient, startEmbedded } from './support/embedded.ts';
import { bodyOf } from './support/people.ts';
import { asPage, login, openSocket, request, startEmpty } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const embedded = untilEnd(await startEmpty());
const { url } = embedded.server;
const admin = await login(url);

/** A call of a program with this session. */
const call = (method: string, path: string, body?: unknown, headers: object = {}) =>
  request(url, method, `/api${path}`, {
    headers: { 'Content-Type': 'application/json', Cookie: admin.cookie, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** A client of a server in memory with these notes. */
const inMemory = (notes: MemoryNote[] = []) => {
  const { server, transport, fetch } = memoryServer({ notes });
  return createClient({ server, transport, fetch });
};

describe('the reported version', () => {
  it('is the newest whose operations and calls the server answers', async () => {
    const since = [...Object.values(sentOperations), ...Object.values(endpoints)]
      .map(({ support }) => support.since ?? 'none')
      .filter((version) => version !== 'none')
      .sort(compareVersions);
    expect((await call('GET', '/version')).json).toMatchObject({
      status: 'OK',
      message: 'Zeppelin version',
      body: { version: since.at(-1) },
    });
    expect((await call('GET', '/configurations/all')).json).toMatchObject({
      body: { 'zeppelin.version': since.at(-1) },
    });
  });

  it('can be an older one', async () => {
    const older = untilEnd(await startEmbedded({ zeppelinVersion: '0.8.2' }));
    const answer = await request(older.server.url, 'GET', '/api/version');
    expect(answer.json).toMatchObject({ body: { version: '0.8.2' } });
    // Tools of that time read the jobs of a note as a list.
    const who = await login(older.server.url);
    const calls = (method: string, path: string, body?: string) =>
      request(older.server.url, method, `/api${path}`, {
        headers: asPage(who),
        ...(body === undefined ? {} : { body }),
      });
    const made = await calls('POST', '/notebook', '{"name":"jobs","paragraphs":[{"text":"x"}]}');
    const jobs = await calls('GET', `/notebook/job/${(made.json as { body: string }).body}`);
    expect(jobs.json).toMatchObject({ body: [{ status: 'READY' }] });
    await expect(startEmbedded({ zeppelinVersion: 'newest' })).rejects.toThrow('looks like');
  });
});

describe('a call without a session', () => {
  const signedOut = (method: string, path: string, headers: object = {}) =>
    request(url, method, `/api${path}`, { headers: { Accept: '*/*', ...headers } });

  it('is redirected to an address that answers 405', async () => {
    for (const [method, path, headers] of [
      ['GET', '/security/ticket', {}],
      ['GET', '/notebook', { Accept: '*/*' }],
      ['GET', '/notebook', { Accept: 'application/json, text/plain, */*' }],
      ['PUT', '/notebook/x/rename', {}],
      ['POST', '/notebook', { 'X-Requested-With': 'XMLHttpRequest' }],
    ] as const) {
      const answer = await signedOut(method, path, headers);
      expect([path, answer.status, answer.headers.location]).toEqual([path, 302, '/api/login']);
    }
    expect(await signedOut('GET', '/login')).toMatchObject({ status: 405 });
    expect((await signedOut('GET', '/version')).status).toBe(200);
  });

  it('answers 401 if the caller accepts only JSON, or Zeppelin has no such call', async () => {
    const accept = { Accept: 'application/json' };
    for (const path of ['/security/ticket', '/notebook'])
      expect((await signedOut('GET', path, accept)).status).toBe(401);
    expect((await signedOut('GET', '/magpie/access-token')).status).toBe(401);
    const token = await signedOut('GET', '/notebook', { Authorization: 'Bearer none' });
    expect(token.status).toBe(401);
  });
});

describe('answers', () => {
  it('always have a message, empty if there is nothing to say', async () => {
    const made = await call('POST', '/notebook', { name: 'programs/message' });
    const { body: id } = made.json as { body: string };
    for (const [method, path] of [
      ['GET', '/notebook'],
      ['GET', `/notebook/${id}`],
      ['PUT', `/notebook/${id}/clear`],
      ['GET', '/security/ticket'],
      ['DELETE', `/notebook/${id}`],
    ] as const)
      expect([path, (await call(method, path)).json]).toEqual([
        path,
        expect.objectContaining({ status: 'OK', message: '' }),
      ]);
    expect(made.json).toEqual({ status: 'OK', message: '', body: id });
  });
});

describe('a missing note', () => {
  it("is reported with Zeppelin's words, and readable to the client", async () => {
    const socket = await openSocket(url, { identity: admin.identity });
    socket.send({ op: 'GET_NOTE', data: { id: '2NOSUCHID' } });
    expect((await socket.next('ERROR_INFO')).data).toEqual({
      info: 'HTTP 404 Not Found',
      message: 'No such note: 2NOSUCHID',
      code: 404,
      op: 'GET_NOTE',
      id: '2NOSUCHID',
    });
    socket.socket.close();
    for (const client of [createClient({ server: url }), inMemory()]) {
      if (client.server === url) await client.session.login('admin', ADMIN_PASSWORD);
      await expect(client.open('2NOSUCHID')).rejects.toMatchObject({
        code: 'not-found',
        message: 'No such note: 2NOSUCHID',
      });
      client.close();
    }
  });
});

describe('the id of a paragraph', () => {
  it("begins as Zeppelin's, and ids of other servers keep working", async () => {
    const old = '20261121-070135_35893072';
    const id = await bodyOf<string>(
      call('POST', '/notebook/import', {
        name: 'programs/ids',
        paragraphs: [{ id: old, text: '%md one' }],
      }),
    );
    const made = (await call('POST', `/notebook/${id}/paragraph`, { text: '%md two' })).json;
    expect(made).toMatchObject({ body: expect.stringMatching(/^paragraph_\d{13}_\d+$/) });
    expect((await call('GET', `/notebook/${id}/paragraph/${old}`)).json).toMatchObject({
      body: { id: old, text: '%md one' },
    });
    const body = await bodyOf<{ id: string; jobName: string }>(
      call('GET', `/notebook/${id}/paragraph/${(made as { body: string }).body}`),
    );
    expect(body.jobName).toBe(body.id);
    expect((await call('POST', `/notebook/run/${id}/${old}`)).json).toMatchObject({
      body: { code: 'SUCCESS' },
    });
  });
});

describe('an imported note', () => {
  it('has the name that a program wrote into it, also beside the path of its export', async () => {
    const paragraphs = [{ text: '%md one' }];
    for (const [given, path] of [
      [{ name: 'programs/new', path: '/programs/old' }, 'programs/new'],
      [{ name: 'other', path: '/programs/old' }, 'other'],
      [{ name: 'old', path: '/programs/old' }, 'programs/old'],
      [{ name: '/programs/whole', path: '/programs/whole' }, 'programs/whole'],
      [{ name: '', path: '/programs/pathed' }, 'programs/pathed'],
    ] as const) {
      const id = await bodyOf<string>(call('POST', '/notebook/import', { ...given, paragraphs }));
      expect((await call('GET', `/notebook/${id}`)).json).toMatchObject({ body: { name: path } });
    }
  });
});

describe('a taken name', () => {
  const taken = {
    status: 500,
    body: {
      exception: 'NotePathAlreadyExistsException',
      message: expect.stringMatching(
        /NotePathAlreadyExistsException: Note '\/programs\/taken' existed$/,
      ),
      stacktrace: '',
    },
  };
  const name = 'programs/taken';

  it('is refused over REST', async () => {
    const id = await bodyOf<string>(call('POST', '/notebook', { name }));
    const other = await bodyOf<string>(call('POST', '/notebook', { name: `${name} 2` }));
    const before = (await call('GET', '/notebook')).json;
    for (const [method, path, body] of [
      ['POST', '/notebook', { name: `/${name}` }],
      ['POST', '/notebook', { notePath: `/${name}` }],
      ['POST', `/notebook/${id}`, { name }],
      ['POST', '/notebook/import', { name, paragraphs: [{ text: 'x' }] }],
      ['POST', `/notebook/import?notePath=${name}`, { name: 'x', paragraphs: [{ text: 'x' }] }],
      ['PUT', `/notebook/${other}/rename`, { name }],
    ] as const) {
      const answer = await call(method, path, body);
      expect([path, answer.status, answer.json]).toEqual([
        path,
        taken.status,
        expect.objectContaining(taken.body),
      ]);
    }
    expect((await call('GET', '/notebook')).json).toEqual(before);
    const unnamed = [{ paragraphs: [{ text: 'x' }] }, { paragraphs: [{ text: 'x' }] }];
    for (const each of unnamed)
      expect((await call('POST', '/notebook/import', each)).status).toBe(200);
  });

  it('is refused on the live channel', async () => {
    const socket = await openSocket(url, { identity: admin.identity });
    socket.send({ op: 'NEW_NOTE', data: { name } });
    expect((await socket.next('ERROR_INFO', 'NEW_NOTE')).data).toMatchObject({
      info: "Note '/programs/taken' existed",
    });
    socket.send({ op: 'IMPORT_NOTE', data: { note: { name, paragraphs: [{ text: 'x' }] } } });
    expect((await socket.next('ERROR_INFO', 'IMPORT_NOTE')).data).toMatchObject({
      info: "Note '/programs/taken' existed",
    });
  });

  it('is refused by the server in memory, and named by the client', async () => {
    const memory = inMemory([{ path: name }]);
    const client = await adminClient(url);
    for (const each of [memory, client]) {
      const note = { paragraphs: [{ text: 'x' }] };
      for (const act of [
        () => each.notes.create({ path: name }),
        () => each.notes.importNote(note, name),
        () => each.notes.importLive({ ...note, name }),
      ]) {
        const error = (await act().catch((failure: Error) => failure)) as Error;
        expect(takenNotePath(error.message)).toBe(name);
        expect(error.message).not.toContain('Exception');
      }
      each.close();
    }
    expect(freeNotePath(name, [name, `${name} (1)`])).toBe(`${name} (2)`);
  });
});

describe('%html', () => {
  it('shows its text as HTML, with the editor of HTML', async () => {
    const text = '%html\n<h3>Hello</h3>';
    const made = await call('POST', '/notebook', { name: 'programs/html', paragraphs: [{ text }] });
    const { body: id } = made.json as { body: string };
    const note = (await call('GET', `/notebook/${id}`)).json as {
      body: { paragraphs: { id: string }[] };
    };
    const paragraphId = note.body.paragraphs[0]!.id;
    expect((await call('POST', `/notebook/run/${id}/${paragraphId}`)).json).toMatchObject({
      body: { code: 'SUCCESS', msg: [{ type: 'HTML', data: '<h3>Hello</h3>' }] },
    });
    const socket = await openSocket(url, { identity: admin.identity, note: id });
    socket.send({ op: 'EDITOR_SETTING', data: { paragraphId, paragraphText: text } });
    expect((await socket.next('EDITOR_SETTING')).data).toMatchObject({
      editor: { language: 'html' },
    });
  });
});
