/**
 * Users, administration, results, search and packages over HTTP and the live channel: the effects
 * of the calls beyond the shapes of their answers.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Note } from '@tiding/client/protocol';
import { tableFromIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { Users } from '../server/auth/users.ts';
import {
  type ApiCall,
  callApi,
  type Login,
  login,
  onlyFor,
  openSocket,
  startEmpty,
} from './support/raw.ts';
import { bodyOf } from './support/rest.ts';
import { temporaryFolder, untilEnd } from './support/until-end.ts';

const PASSWORD = 'a-password-for-tests';
const mails: { to: string; link: string }[] = [];

const embedded = untilEnd(
  await startEmpty({
    logLevel: 'silent',
    sendMail: async (mail) => void mails.push(mail),
  }),
);
const { url } = embedded.server;
const users = new Users(embedded.data);
await users.set('bob', { password: PASSWORD, roles: ['analyst'] });
for (const name of ['Bobby', 'zbob', 'abob', 'bob2', 'bob3']) await users.set(name, {});
const admin = await login(url);
const bob = await login(url, 'bob', PASSWORD);

const call = (who: Login | undefined, ...args: ApiCall) => callApi(url, who, ...args);
const imported = async (note: object) =>
  bodyOf<string>(await call(admin, 'POST', '/notebook/import', note));

describe('users', () => {
  it('are found by part of their name, at most five, prefix matches first', async () => {
    expect(bodyOf(await call(bob, 'GET', '/security/userlist/BOB'))).toEqual({
      users: ['Bobby', 'bob', 'bob2', 'bob3', 'abob'],
      roles: [],
    });
    expect(bodyOf(await call(bob, 'GET', '/security/userlist/an'))).toEqual({
      users: [],
      roles: ['analyst', 'magpie.OrganizationAdmin'],
    });
    expect(bodyOf(await call(bob, 'GET', '/security/userlist/%25'))).toEqual({
      users: [],
      roles: [],
    });
    expect((await call(bob, 'GET', '/magpie/principals')).json).toEqual({
      users: ['Bobby', 'abob', 'admin', 'bob', 'bob2', 'bob3', 'zbob'],
      roles: ['analyst', 'global.SuperAdmin', 'magpie.AccessToken', 'magpie.OrganizationAdmin'],
    });
  });

  it('get a link to a new password at the address of the server', async () => {
    const ask = (username: string) =>
      call(
        undefined,
        'POST',
        '/magpie/password-reset',
        { username },
        { Host: `localhost:${embedded.server.port}` },
      );
    for (const username of ['bob2', 'nobody']) {
      const { status, text } = await ask(username);
      expect([status, text]).toEqual([202, '{}']);
    }
    await expect.poll(() => mails.length).toBe(1);
    const [mail] = mails;
    expect(mail!.to).toBe('bob2');
    // Whatever the request claims.
    expect(mail!.link.startsWith(`${url}/#/password-reset/`)).toBe(true);
    const path = `/magpie/password-reset/${mail!.link.split('/').at(-1)}`;
    expect((await call(undefined, 'GET', path)).json).toMatchObject({
      valid: true,
      expiresAt: expect.stringMatching(/Z$/) as string,
    });
    expect((await call(undefined, 'PUT', path, { newPassword: '          ' })).json).toMatchObject({
      message: 'Enter a password.',
    });
    const done = await call(undefined, 'PUT', path, { newPassword: 'a whole new one' });
    expect([done.status, done.text]).toEqual([200, '{}']);
    expect((await call(undefined, 'GET', path)).status).toBe(410);
  });

  it('repeated reset requests are refused for known and unknown users alike', async () => {
    for (const username of ['bob', 'nobody-else']) {
      const statuses = [];
      for (let n = 0; n < 6; n += 1)
        statuses.push(
          (await call(undefined, 'POST', '/magpie/password-reset', { username })).status,
        );
      expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
    }
    expect(
      (await call(undefined, 'POST', '/magpie/password-reset', { username: '  ' })).status,
    ).toBe(400);
  });

  it('single sign-on without a provider redirects to its error page', async () => {
    const answer = await call(
      undefined,
      'GET',
      '/login/sso?domain=x&email=a@b&useHttps=true&ref=%2Fnotebook%2F2A',
    );
    expect([answer.status, answer.headers.location]).toEqual([302, '/#/sso/error']);
  });
});

describe('administration', () => {
  it('lists configurations by prefix, and those a client needs', async () => {
    expect(bodyOf(await call(admin, 'GET', '/configurations/prefix/zeppelin.websocket'))).toEqual({
      'zeppelin.websocket.max.text.message.size': '10240000',
    });
    expect(bodyOf(await call(admin, 'GET', '/configurations/prefix/password'))).toEqual({});
    expect(bodyOf(await call(bob, 'GET', '/configurations/client'))).toEqual({
      wsMaxMessageSize: 10_240_000,
    });
  });

  it('lists the note storage, which is read-only', async () => {
    const [storage] = bodyOf<{ className: string; settings: object[] }[]>(
      await call(admin, 'GET', '/notebook-repositories'),
    );
    expect(storage!.settings).toEqual([
      {
        type: 'INPUT',
        name: 'Notebook Path',
        value: [],
        selected: join(embedded.data, 'notebook'),
      },
    ]);
    const refused = await call(admin, 'PUT', '/notebook-repositories', {
      name: storage!.className,
      settings: { 'Notebook Path': '/etc' },
    });
    expect([refused.status, refused.json]).toEqual([
      406,
      { status: 'NOT_ACCEPTABLE', message: expect.any(String) as string },
    ]);
  });

  it('reloads a note that was changed on the disk, and notifies its viewers', async () => {
    const id = await imported({ name: 'on disk', paragraphs: [{ text: '%md\nbefore' }] });
    const socket = await openSocket(url, { identity: admin.identity, note: id });
    const file = join(embedded.data, 'notebook', id, 'note.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('before', 'after'));
    bodyOf(await call(admin, 'GET', '/notebook-repositories/reload'));
    const update = await socket.next('NOTE');
    expect((update.data as { note: Note }).note.paragraphs![0]!.text).toBe('%md\nafter');
    await socket.next('NOTES_INFO');
    await rm(join(embedded.data, 'notebook', id), { recursive: true });
    socket.send({ op: 'RELOAD_NOTES_FROM_REPO' });
    const list = await socket.next('NOTES_INFO');
    expect((list.data as { notes: { id: string }[] }).notes.map((note) => note.id)).not.toContain(
      id,
    );
    expect((await call(admin, 'GET', `/notebook/${id}`)).status).toBe(404);
  });

  it('sets the log level, and rejects unknown levels', async () => {
    for (const level of ['DEBUG', 'ERROR', 'INFO', 'TRACE', 'WARN', 'FATAL']) {
      bodyOf(await call(admin, 'PUT', `/log/level/${level}`));
      expect(bodyOf(await call(admin, 'GET', '/admin'))).toEqual([{ name: 'root', level }]);
    }
    for (const level of ['NOPE', 'silent', 'debug', '__proto__']) {
      const answer = await call(admin, 'PUT', `/log/level/${level}`);
      expect(answer.json).toEqual({
        status: 'NOT_ACCEPTABLE',
        message:
          'Please check LOG level specified. Valid values: DEBUG, ERROR, FATAL, INFO, TRACE, WARN',
      });
    }
    expect(bodyOf(await call(admin, 'POST', '/admin', { name: 'root', level: 'FATAL' }))).toEqual([
      { name: 'root', level: 'FATAL' },
    ]);
    expect(
      (await call(admin, 'POST', '/admin', { name: 'org.apache', level: 'FATAL' })).status,
    ).toBe(404);
    expect((await call(admin, 'GET', '/admin?name=org.apache')).status).toBe(404);
  });

  it('serves the command line as one file that connects to this server', async () => {
    const answer = await call(bob, 'GET', '/magpie/cli');
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="tiding.mjs"',
      'cache-control': 'no-store',
    });
    const { token } = (await call(admin, 'POST', '/magpie/access-token', {})).json as {
      token: string;
    };
    const id = await imported({ name: 'from the shell', paragraphs: [{ text: '%md\nhere' }] });
    // A folder without any packages.
    const folder = temporaryFolder();
    const file = join(folder, 'tiding.mjs');
    await writeFile(file, answer.text);
    const run = (...args: string[]) =>
      promisify(execFile)(process.execPath, [file, ...args], {
        cwd: folder,
        env: { PATH: process.env['PATH'], HOME: folder, TIDING_TOKEN: token },
      });
    expect((await run('notes', '--json')).stdout).toContain(id);
    expect((await run('export', 'from the shell')).stdout).toContain('here');
    await expect(run('serve')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('npm install -g tiding') as string,
    });
  });
});

describe('results', () => {
  const TABLE = 'city\tcount\nBerlin, "B"\t3\nRome\t0\n';
  let placed = 0;
  const place = async (results: object | undefined, status = 'FINISHED') => {
    const id = await imported({
      name: `results ${(placed += 1)}`,
      paragraphs: [
        { id: 'p_1', text: '%sql\nx', status, results, dateFinished: '2026-11-21T06:58:54.000Z' },
      ],
    });
    return { id, path: `/magpie/result/${id}.p_1` };
  };
  const table = {
    code: 'SUCCESS',
    msg: [
      { type: 'TEXT', data: 'x' },
      { type: 'TABLE', data: TABLE },
    ],
  };

  it('are downloaded in each format with name and length, also by HEAD [D44 S30]', async () => {
    const { id, path } = await place(table);
    bodyOf(await call(admin, 'PUT', `/notebook/${id}/permissions`, onlyFor('admin')));
    expect((await call(bob, 'GET', `${path}.1`)).status).toBe(403);
    bodyOf(
      await call(admin, 'PUT', `/notebook/${id}/permissions`, {
        ...onlyFor('admin'),
        readers: ['bob'],
      }),
    );
    for (const [query, accept, type, extension, text] of [
      ['', '*/*', 'text/csv', 'csv', 'city,count\r\n"Berlin, ""B""",3\r\nRome,0\r\n'],
      [
        '',
        'application/json',
        'application/json',
        'json',
        '[\n{"city":"Berlin, \\"B\\"","count":3},\n{"city":"Rome","count":0}\n]\n',
      ],
      [
        '?format=json',
        'text/csv',
        'application/json',
        'json',
        '[\n{"city":"Berlin, \\"B\\"","count":3},\n{"city":"Rome","count":0}\n]\n',
      ],
    ] as const) {
      const answer = await call(bob, 'GET', `${path}.1${query}`, undefined, { Accept: accept });
      expect([answer.status, answer.text]).toEqual([200, text]);
      const headers = {
        'content-type': type,
        ...(extension === 'csv' ? { 'content-length': String(Buffer.byteLength(text)) } : {}),
        'content-disposition': `attachment; filename="magpie_export_20261121_065854.${extension}"`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': 'sandbox',
        'cache-control': 'no-store',
        vary: 'Origin, Accept',
      };
      expect(answer.headers).toMatchObject(headers);
      const head = await call(bob, 'HEAD', `${path}.1${query}`, undefined, { Accept: accept });
      expect([head.status, head.text]).toEqual([200, '']);
      expect(head.headers).toMatchObject(headers);
    }
    const { hostname, port } = new URL(url);
    const arrow = tableFromIPC(
      await (
        await fetch(`http://${hostname}:${port}/api${path}.1?format=arrow`, {
          headers: { Cookie: bob.cookie },
        })
      )
        .arrayBuffer()
        .then((bytes) => new Uint8Array(bytes)),
    );
    expect(arrow.toArray().map((row) => ({ ...(row as object) }))).toEqual([
      { city: 'Berlin, "B"', count: 3 },
      { city: 'Rome', count: 0 },
    ]);
    expect((await call(bob, 'GET', `${path}.1?format=xml`)).status).toBe(400);
    expect((await call(bob, 'GET', `${path}.1`, undefined, { Accept: 'text/html' })).status).toBe(
      406,
    );
  });

  it('are gone when the table is, and unknown when the paragraph is', async () => {
    const { id, path } = await place(table);
    for (const index of ['0', '2', '9999'])
      expect((await call(admin, 'GET', `${path}.${index}`)).status, index).toBe(410);
    for (const wrong of ['01', '-1', '1.0', 'x', '', '99999', '1%00', '1/..'])
      expect((await call(admin, 'GET', `${path}.${wrong}`)).status, wrong).toBe(404);
    for (const wrong of [
      `2NOSUCHID.p_1.1`,
      `${id}.p_2.1`,
      '..%2f..%2fusers.json',
      `${id}.__proto__.1`,
    ])
      expect((await call(admin, 'GET', `/magpie/result/${wrong}`)).status, wrong).toBe(404);
    bodyOf(await call(admin, 'PUT', `/notebook/${id}/clear`));
    const answer = await call(admin, 'GET', `${path}.1`);
    expect([answer.status, answer.json]).toEqual([
      410,
      { status: 'GONE', message: 'This result is no longer available. Run the paragraph again.' },
    ]);
    const head = await call(admin, 'HEAD', `${path}.1`);
    expect([head.status, head.text]).toEqual([410, '']);
  });

  it('wait for the end of a run', async () => {
    const id = await imported({
      name: 'running',
      paragraphs: [
        { id: 'p_1', text: '%js\nawait new Promise((resolve) => setTimeout(resolve, 60000));' },
      ],
    });
    bodyOf(await call(admin, 'POST', `/notebook/job/${id}/p_1`, {}));
    const answer = await call(admin, 'GET', `/magpie/result/${id}.p_1.0`);
    expect([answer.status, answer.json]).toMatchObject([423, { status: 'LOCKED' }]);
    bodyOf(await call(admin, 'DELETE', `/notebook/job/${id}/p_1`));
  });
});

describe('files', () => {
  it('are downloaded from the data files folder only [D65 S58]', async () => {
    const files = join(embedded.data, 'files/shared');
    await mkdir(join(files, 'out'), { recursive: true });
    const content = Buffer.alloc(300_000, 'line\n');
    await writeFile(join(files, 'out/ü "x".csv'), content);
    await writeFile(join(files, 'empty'), '');
    await symlink(join(embedded.data, 'secret.key'), join(files, 'link'));
    const answer = await call(bob, 'POST', '/magpie/file', {
      type: 'ExportedDataSourceFile',
      file: { path: '/out/ü "x".csv', format: 'DelimitedText' },
    });
    expect([answer.status, answer.text === content.toString()]).toEqual([200, true]);
    expect(answer.headers).toMatchObject({
      'content-length': '300000',
      'content-type': 'application/octet-stream',
      'content-security-policy': 'sandbox',
      'content-disposition':
        'attachment; filename="_ _x_.csv"; filename*=UTF-8\'\'%C3%BC%20%22x%22.csv',
    });
    const empty = await call(bob, 'POST', '/magpie/file', { file: { path: 'empty' } });
    expect([empty.status, empty.text, empty.headers['content-length']]).toEqual([200, '', '0']);
    for (const path of ['../secret.key', '/../users.json', 'link', 'out/../../users.json']) {
      const refused = await call(bob, 'POST', '/magpie/file', { file: { path } });
      expect([refused.status, refused.json], path).toMatchObject([403, { status: 'FORBIDDEN' }]);
    }
    for (const path of ['out', '', '/', join(embedded.data, 'users.json')])
      expect((await call(bob, 'POST', '/magpie/file', { file: { path } })).status, path).toBe(404);
  });
});

describe('search', () => {
  it('finds the current text of notes the caller may read [D46 S12]', async () => {
    const id = await imported({
      name: 'places/Quetzal report',
      paragraphs: [{ id: 'p_1', text: '%md\nquetzal' }],
    });
    const find = async (who: Login, q: string) =>
      bodyOf<{ id: string }[]>(
        await call(who, 'GET', `/notebook/search?q=${encodeURIComponent(q)}`),
      );
    const found = (await find(bob, 'quetzal')).map((hit) => hit.id);
    expect(found.sort()).toEqual([id, `${id}/paragraph/p_1`]);
    bodyOf(await call(admin, 'PUT', `/notebook/${id}/permissions`, onlyFor('admin')));
    expect(await find(bob, 'quetzal')).toEqual([]);
    expect(await find(admin, 'quetzal')).toHaveLength(2);
    bodyOf(await call(admin, 'PUT', `/notebook/${id}/paragraph/p_1`, { text: 'axolotl' }));
    expect(await find(admin, 'axolotl')).toMatchObject([
      { id: `${id}/paragraph/p_1`, snippet: '<B>axolotl</B>' },
    ]);
    bodyOf(await call(admin, 'DELETE', `/notebook/${id}`));
    expect(await find(admin, 'axolotl quetzal')).toEqual([]);
    expect(bodyOf(await call(admin, 'GET', '/notebook/search'))).toEqual([]);
    expect((await call(admin, 'GET', `/notebook/search?q=${'x'.repeat(1_001)}`)).status).toBe(400);
  });
});

describe('packages', () => {
  const view = {
    type: 'VISUALIZATION',
    name: 'sample/view',
    artifact: './sample-view',
    icon: '<i></i>',
    config: { limit: { type: 'number', description: 'Most rows', defaultValue: 100 } },
  };
  const name = encodeURIComponent(view.name);
  const artifact = encodeURIComponent(view.artifact);
  const text = { 'Content-Type': 'text/plain' };
  beforeAll(async () => {
    const folder = join(embedded.data, 'helium');
    await mkdir(join(folder, 'view'), { recursive: true });
    await writeFile(join(folder, 'view/helium.json'), JSON.stringify(view));
    await writeFile(join(folder, 'view/index.js'), 'heliumBundles.push({ id: "ü" });\n');
    await writeFile(
      join(folder, 'app.json'),
      JSON.stringify({ type: 'APPLICATION', name: 'an.app', artifact: 'app@1' }),
    );
    await writeFile(join(folder, 'app.js'), 'tiding.element.textContent = "here";');
  });

  it('are listed, enabled and disabled, and their scripts served while enabled [D47]', async () => {
    const off = { registry: 'local', pkg: view, enabled: false };
    expect(bodyOf<object>(await call(bob, 'GET', '/helium/package'))).toMatchObject({
      [view.name]: [off],
    });
    expect(bodyOf(await call(bob, 'GET', `/helium/package/${name}`))).toEqual([off]);
    const none = await call(bob, 'GET', `/helium/bundle/load/${name}`);
    expect([none.status, none.text, none.headers['content-type']]).toEqual([200, '', undefined]);
    expect((await call(bob, 'POST', `/helium/enable/${name}`, view.artifact, text)).status).toBe(
      403,
    );
    bodyOf(await call(admin, 'POST', `/helium/enable/${name}`, view.artifact, text));
    expect(bodyOf(await call(bob, 'GET', '/helium/enabledPackage'))).toEqual([
      { ...off, enabled: true },
    ]);
    const bundle = await call(bob, 'GET', `/helium/bundle/load/${name}?refresh=true`);
    expect([bundle.status, bundle.text]).toEqual([200, 'heliumBundles.push({ id: "ü" });\n']);
    expect(bundle.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
    });
    await rm(join(embedded.data, 'helium/view/index.js'));
    const broken = await call(bob, 'GET', `/helium/bundle/load/${name}`);
    expect([broken.status, broken.text]).toEqual([
      200,
      'ERROR: The package sample/view has no bundle index.js.',
    ]);
    bodyOf(await call(admin, 'POST', `/helium/disable/${artifact}`));
    expect(bodyOf(await call(bob, 'GET', '/helium/enabledPackage'))).toEqual([]);
    bodyOf(await call(admin, 'POST', `/helium/enable/${artifact}`, 'VISUALIZATION', text));
    expect(bodyOf(await call(bob, 'GET', '/helium/order/visualization'))).toEqual([view.name]);
    expect((await call(admin, 'POST', '/helium/order/visualization', { a: 1 })).status).toBe(400);
  });

  it('keep their configuration [D47]', async () => {
    const path = `/helium/config/${name}/${artifact}`;
    expect(bodyOf(await call(admin, 'POST', path, { limit: 5 }))).toEqual({ limit: 5 });
    expect(bodyOf(await call(bob, 'GET', path))).toEqual({
      confPersisted: { limit: 5 },
      confSpec: view.config,
    });
    expect(bodyOf(await call(bob, 'GET', `/helium/spell/config/${name}`))).toEqual({
      confPersisted: { limit: 5 },
      confSpec: view.config,
    });
    expect(bodyOf(await call(bob, 'GET', '/helium/config'))).toEqual({
      [view.name]: { [view.artifact]: { limit: 5 } },
    });
    expect((await call(bob, 'POST', path, { limit: 6 })).status).toBe(403);
    expect((await call(bob, 'GET', '/helium/spell/config/nope')).json).toEqual({
      status: 'BAD_REQUEST',
      message: 'Failed to find enabled package for nope',
    });
  });

  it('run an application on a paragraph, and notify everyone on the note [D47]', async () => {
    const id = await imported({
      name: 'with an application',
      paragraphs: [
        {
          id: 'p_1',
          text: '%sql\nx',
          status: 'FINISHED',
          results: { code: 'SUCCESS', msg: [{ type: 'TABLE', data: 'a\tb\n1\t2\n' }] },
        },
      ],
    });
    const load = (body: object) => call(admin, 'POST', `/helium/load/${id}/p_1`, body);
    expect((await load({ name: 'an.app' })).status).toBe(404);
    bodyOf(await call(admin, 'POST', '/helium/enable/an.app', 'app@1', text));
    expect(bodyOf(await call(bob, 'GET', `/helium/suggest/${id}/p_1`))).toMatchObject({
      available: [{ pkg: { name: 'an.app' }, enabled: true }],
    });
    const socket = await openSocket(url, { identity: bob.identity, note: id });
    const appId = `app_${id}-p_1an_app`;
    expect(bodyOf(await load({ name: 'an.app', artifact: 'whatever', className: 'ignored' }))).toBe(
      appId,
    );
    const where = { noteId: id, paragraphId: 'p_1', appId };
    expect((await socket.next('APP_LOAD')).data).toMatchObject({
      ...where,
      pkg: { name: 'an.app', artifact: 'app@1' },
    });
    expect((await socket.next('APP_STATUS_CHANGE')).data).toEqual({ ...where, status: 'LOADING' });
    expect((await socket.next('APP_UPDATE_OUTPUT')).data).toMatchObject({
      ...where,
      index: 0,
      type: 'HTML',
      data: expect.stringContaining('"rows":[[1,2]]') as string,
    });
    expect((await socket.next('APP_STATUS_CHANGE')).data).toEqual({ ...where, status: 'LOADED' });
    socket.socket.close();
    bodyOf(await load({ name: 'an.app' }));
    const stored = JSON.parse(
      await readFile(join(embedded.data, 'notebook', id, 'note.json'), 'utf8'),
    ) as Note;
    expect(stored.paragraphs![0]!.apps).toMatchObject([{ id: appId, status: 'LOADED' }]);
    for (const body of [{}, { name: 7 }, { name: view.name }, { name: '__proto__' }])
      expect((await load(body)).status).toBe(404);
  });
});
