/** REST, used by a program that knows only the protocol. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { type EndpointName, endpoints, type Note } from '@tiding/client/protocol';
import { describe, expect, it } from 'vitest';
import { UPGRADE_ADVICE } from '../server/base/version.ts';
import { ADMIN_PASSWORD } from './support/embedded.ts';
import { PASSWORD } from './support/people.ts';
import { asPage, hashTree, request } from './support/raw.ts';
import { bearer, bodyOf, MAX_BODY, type RestServer, startRest, types } from './support/rest.ts';
import { untilEnd } from './support/until-end.ts';

const rest = untilEnd(await startRest());
const { embedded, url, admin, call, create, newToken } = rest;

/** The note of calls that are refused, and of those that need none. */
const unchanged = await create();

let named = 0;
type Made = Awaited<ReturnType<RestServer['create']>>;
type Sample = { path?: Record<string, string>; body?: unknown; status?: number };
/** Adds a comment to a note; returns its id, which is also that of its thread. */
const commentOn = async ({ id, paragraphs }: Made): Promise<string> => {
  const body = { paragraphId: paragraphs[0]!, text: 'x' };
  const { json } = await call(admin, 'POST', `/magpie/comments/${id}`, body);
  return (json as { thread: { id: string } }).thread.id;
};
/** Valid calls of the endpoints that need more than the note and the paragraph in their path. */
const samples: { [Name in EndpointName]?: Sample | ((note: Made) => Promise<Sample>) } = {
  login: async () => ({
    body: new URLSearchParams({ userName: 'admin', password: ADMIN_PASSWORD }).toString(),
  }),
  loginOnce: async () => ({
    body: {
      token: new URL(embedded.server.loginLink().replace('/#', '')).searchParams.get('login'),
    },
  }),
  logout: { status: 401 },
  createToken: { body: { description: 'made', expiresInDays: 1 }, status: 201 },
  setTokenStatus: async () => ({
    path: { tokenId: (await newToken()).tokenId, status: 'disabled' },
  }),
  describeToken: async () => ({ path: { tokenId: (await newToken()).tokenId }, body: 'said anew' }),
  deleteToken: async () => ({ path: { tokenId: (await newToken()).tokenId }, status: 204 }),
  createEmbedToken: async (note) => ({ body: { noteId: note.id, scope: 'view' }, status: 201 }),
  revokeEmbedToken: async (note) => {
    const { jti } = (
      await call(admin, 'POST', '/magpie/embed-token', { noteId: note.id, scope: 'view' })
    ).json as { jti: string };
    return { path: { jti }, status: 204 };
  },
  revokeEmbedTokens: { status: 204 },
  createNote: async () => ({ body: { name: `made/${(named += 1)}` } }),
  importNote: async () => ({
    body: { name: `imported/${(named += 1)}`, paragraphs: [{ text: 'x' }] },
  }),
  fetchNoteFile: { body: { url: 'http://127.0.0.1/x.json' }, status: 400 },
  setBindings: { body: ['sql'] },
  cloneNote: async () => ({ body: { name: `cloned/${(named += 1)}` } }),
  renameNote: async () => ({ body: { name: `renamed/${(named += 1)}` } }),
  setTrust: { body: { trusted: false } },
  setPermissions: { body: { owners: ['admin'], writers: [], runners: [], readers: [] } },
  insertParagraph: { body: { text: 'inserted', index: 1 } },
  updateParagraph: { body: { text: 'updated' } },
  checkCode: { body: { text: '%md\ntext' } },
  formatCode: {
    body: { text: '%md\ntext' },
    status: 404,
  },
  configureParagraph: { body: { colWidth: 6 } },
  moveParagraph: { path: { index: '1' } },
  restartSetting: { path: { settingId: 'sql' }, body: {} },

  // People
  loginAddress: { status: 405 },
  ssoLogin: { status: 302 },
  ssoCallback: { status: 302 },
  findPrincipals: { path: { term: 'adm' } },
  inviteUser: { body: { name: 'invited', roles: ['analysts'] }, status: 201 },
  setUserRoles: { path: { userName: 'invited' }, body: { roles: [] } },
  setUserStatus: { path: { userName: 'invited', status: 'disabled' } },
  listUserSessions: { path: { userName: 'invited' } },
  endUserSessions: { path: { userName: 'nobody' }, status: 404 },
  createPasswordLink: { path: { userName: 'invited' }, status: 409 },
  removeUser: { path: { userName: 'admin' }, status: 409 },
  requestPasswordReset: { body: { username: 'nobody@example.org' }, status: 202 },
  checkPasswordReset: { path: { resetToken: 'unknown' }, status: 404 },
  resetPassword: {
    path: { resetToken: 'unknown' },
    body: { newPassword: 'long-enough-it-is' },
    status: 404,
  },

  // Administration
  configurationsByPrefix: { path: { prefix: 'zeppelin' } },
  updateStorage: { body: { name: 'unknown', settings: {} }, status: 404 },
  setLogLevel: { path: { level: 'WARN' } },
  setLogger: { body: { name: 'root', level: 'WARN' } },

  // Comments
  addComment: async (note) => ({ body: { paragraphId: note.paragraphs[0]!, text: 'x' } }),
  replyToComment: async (note) => ({
    path: { threadId: await commentOn(note) },
    body: { text: 'x' },
  }),
  resolveComment: async (note) => ({
    path: { threadId: await commentOn(note) },
    body: { resolved: true },
  }),
  editComment: async (note) => {
    const id = await commentOn(note);
    return { path: { threadId: id, commentId: id }, body: { text: 'y' } };
  },
  removeComment: async (note) => {
    const id = await commentOn(note);
    return { path: { threadId: id, commentId: id } };
  },

  // Clusters
  setCluster: { body: {} },
  startCluster: { path: { clusterName: 'nowhere' }, status: 404 },
  stopCluster: { path: { clusterName: 'nowhere' }, status: 404 },

  // Connections
  testConnection: { path: { name: 'nowhere' }, body: {}, status: 404 },
  previewAssistant: { body: { task: 'write' }, status: 404 },
  askAssistant: { body: { task: 'write' }, status: 404 },
  connectionSchema: { path: { name: 'nowhere' }, status: 404 },
  connectionPreview: { path: { name: 'nowhere' }, status: 400 },

  // Revisions
  checkpointNote: { body: { commitMessage: 'first' } },
  getRevision: { path: { revisionId: 'Head' } },
  setRevision: { path: { revisionId: 'Head' } },
  setRevisionControl: { body: {} },
  syncRevisions: { status: 409 },

  // Results
  checkResult: { path: { resultId: 'unknown' }, status: 404 },
  getResult: { path: { resultId: 'unknown' }, status: 404 },
  queryResult: {
    path: { resultId: 'unknown' },
    body: { question: { kind: 'rows', offset: 0, limit: 1 } },
    status: 404,
  },
  getObject: { path: { widget: 'cluster', name: 'local' } },
  putFile: { path: { name: 'sample.csv' }, body: { data: 'YSxiCjEsMgo=' } },
  renameFile: { body: { path: 'x.csv', name: 'y.csv' }, status: 400 },
  readTables: { body: { path: 'shared/nowhere.xlsx' }, status: 404 },
  getFirstViews: async ({ paragraphs }) => ({
    body: { views: [{ paragraphId: paragraphs[0]!, look: 'report', width: 400 }] },
  }),
  getNoteImage: { path: { name: 'x.png' }, status: 404 },
  removeFile: { status: 400 },
  getFile: { body: { file: { path: '/nowhere/x.csv' } }, status: 404 },

  // Schedules
  listJobsSince: { path: { since: '0' } },
  getNoteByPath: async (note) => ({ body: { notePath: `/${note.name}` } }),
  setCron: { body: { cron: '0 0 0 * * ?' } },
  setAlerts: { body: { on: [], mail: [], retries: 1 }, status: 204 },
  testAlerts: { body: { on: [], mail: [], retries: 0 }, status: 400 },

  // Settings
  createSetting: async () => ({ body: { name: `made${(named += 1)}`, group: 'sql' } }),
  getSetting: { path: { settingId: 'sql' } },
  updateSetting: { path: { settingId: 'js' }, body: { properties: {}, dependencies: [] } },
  deleteSetting: { path: { settingId: 'unknown' }, status: 404 },
  addRepository: async () => ({
    body: { id: `r${(named += 1)}`, url: 'https://repo.example.org/' },
  }),
  deleteRepository: { path: { repositoryId: 'unknown' } },
  settingMetadata: { path: { settingId: 'sql' } },
  installInterpreter: { body: { name: 'unknown', artifact: 'a:b:1' }, status: 404 },
  getSession: { path: { sessionId: 'unknown' }, status: 404 },
  deleteSession: { path: { sessionId: 'unknown' }, status: 404 },

  // Credentials
  putCredential: { body: { entity: 'jdbc.pg', username: 'u', password: '' } },
  deleteCredential: { path: { entity: 'unknown' }, status: 404 },

  // Packages
  getPackage: { path: { name: 'unknown' } },
  loadBundle: { path: { name: 'unknown' } },
  getPackageConfig: { path: { name: 'unknown', artifact: 'unknown@1' }, status: 404 },
  setPackageConfig: { path: { name: 'unknown', artifact: 'unknown@1' }, body: {}, status: 404 },
  getSpellConfig: { path: { name: 'unknown' }, status: 400 },
  enablePackage: { path: { name: 'unknown' }, body: 'unknown@1', status: 404 },
  disablePackage: { path: { name: 'unknown' }, status: 404 },
  setPackageOrder: { body: [] },
  loadPackage: { body: { name: 'unknown' }, status: 404 },
  unloadPackage: { path: { appId: 'unknown' }, status: 404 },
};
/**
 * A valid call of an endpoint, by default on a new note: the values in its path, its body and its
 * status.
 */
async function sampleOf(name: EndpointName, made?: Made): Promise<Sample> {
  const valid = samples[name];
  const needsNote = typeof valid === 'function' || endpoints[name].path.includes(':noteId');
  const note = made ?? (needsNote ? await create() : unchanged);
  const sample = typeof valid === 'function' ? await valid(note) : valid;
  const path = { noteId: note.id, paragraphId: note.paragraphs[0]!, ...sample?.path };
  return { ...sample, path };
}
const names = Object.keys(endpoints) as EndpointName[];
const pathOf = (name: EndpointName, parameters: Record<string, string> = {}) =>
  endpoints[name].path.replace(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(parameters[key] ?? 'x'),
  );
const restricted = names.filter((name) => endpoints[name].access !== 'public');

describe('every call', () => {
  it.each(names)(
    '%s answers in its envelope, with the body that the protocol defines [W91 D40]',
    async (name) => {
      const { path, body, status = 200 } = await sampleOf(name);
      const { method, encoding, envelope, answer: schema } = endpoints[name];
      // Signing in or out ends the session of the request.
      const who = endpoints[name].access === 'public' ? undefined : admin;
      const answer = await call(who, method, pathOf(name, path), body, {
        'Content-Type': types[encoding],
      });
      expect(answer.status, answer.text).toBe(status);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      // Samples that refer to a missing object, or to a file.
      if (status >= 400 && status !== 401) {
        if (method !== 'HEAD')
          expect(typeof (answer.json as { message?: unknown }).message).toBe('string');
        return;
      }
      if (endpoints[name].content === 'raw') return;
      const content =
        status === 204 ? undefined : (answer.json as { status?: string; body?: unknown });
      if (envelope) {
        expect(content?.status).toBe(status === 401 ? 'UNAUTHORIZED' : 'OK');
        expect(
          Object.keys(content!).filter((key) => !['status', 'message', 'body'].includes(key)),
        ).toEqual([]);
      }
      const inner: unknown = envelope ? content?.body : content;
      const parsed = (
        schema as { safeParse(value: unknown): { success: boolean; error?: unknown } }
      ).safeParse(inner);
      expect(parsed.success, String(parsed.error)).toBe(true);
    },
  );

  it.each(
    [
      ['note', 'noteId', '2NOSUCHID'],
      ['paragraph', 'paragraphId', 'nowhere'],
    ].flatMap(([what, key, id]) =>
      restricted
        .filter((name) => endpoints[name].path.includes(`:${key}`))
        .map((name) => ({ name, what, key: key!, id: id! })),
    ),
  )('$name on an unknown $what answers 404', async ({ name, what, key, id }) => {
    const { path, body } = await sampleOf(name, unchanged);
    const { method, encoding } = endpoints[name];
    const answer = await call(admin, method, pathOf(name, { ...path, [key]: id }), body, {
      'Content-Type': types[encoding],
    });
    expect(answer.status).toBe(404);
    expect(answer.json).toEqual({ status: 'NOT_FOUND', message: `No such ${what}: ${id}` });
  });

  it.each(names)('another method on the path of %s answers 404, never 405 [S14]', async (name) => {
    const path = pathOf(name);
    // A trailing slash makes no difference.
    const fits = (pattern: string) =>
      new RegExp(`^${pattern.replace(/\/$/, '').replace(/:\w+/g, '[^/]+')}/?$`).test(path);
    const known = new Set<string>(
      names.filter((other) => fits(endpoints[other].path)).map((other) => endpoints[other].method),
    );
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].filter(
      (each) => !known.has(each),
    )) {
      const answer = await call(admin, method, path);
      expect(answer.status, method).toBe(404);
      expect(answer.json).toEqual({
        status: 'NOT_FOUND',
        message: `There is no such call. ${UPGRADE_ADVICE}`,
      });
    }
  });

  it.each(['/nothing', '/notebook//', '/NOTEBOOK', '/notebook/a/b/c/d/e'])(
    'an unknown path (%s) answers 404 [S1]',
    async (path) => {
      expect((await call(admin, 'GET', path)).status).toBe(404);
    },
  );
});

describe('bodies', () => {
  const json = names.filter((name) => endpoints[name].encoding === 'json');

  it.each(json)('%s refuses a body that is not JSON', async (name) => {
    const { path } = await sampleOf(name, unchanged);
    const before = await hashTree(join(embedded.data, 'notebook'));
    const who = endpoints[name].access === 'public' ? undefined : admin;
    for (const body of ['{"name":', '{name:1}', 'null', '7', '"text"']) {
      const answer = await call(who, endpoints[name].method, pathOf(name, path), body);
      expect(answer.status, `${body} ${answer.text}`).toBe(400);
      expect(answer.json).toMatchObject({ status: 'BAD_REQUEST' });
    }
    expect(await hashTree(join(embedded.data, 'notebook'))).toEqual(before);
  });

  it.each(names.filter((name) => endpoints[name].encoding !== 'none'))(
    '%s accepts a body of its own content type only [S21]',
    async (name) => {
      const { path, body } = await sampleOf(name, unchanged);
      const who = endpoints[name].access === 'public' ? undefined : admin;
      const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
      for (const type of [
        'application/json',
        'application/x-www-form-urlencoded',
        'text/plain',
        'multipart/form-data',
        'application/xml',
        '',
      ]) {
        if (type === types[endpoints[name].encoding]) continue;
        // Zeppelin's classic page sends its text with this type.
        if (name === 'enablePackage' && type === 'application/json') continue;
        const answer = await call(who, endpoints[name].method, pathOf(name, path), text, {
          'Content-Type': type,
        });
        expect(answer.status, type).toBe(415);
        expect(answer.json).toMatchObject({ status: 'UNSUPPORTED_MEDIA_TYPE' });
      }
    },
  );

  it('a body over the limit answers 413, with or without a Content-Length [S46]', async () => {
    const big = JSON.stringify({ name: 'big', paragraphs: [{ text: 'x'.repeat(MAX_BODY) }] });
    const withLength = await call(admin, 'POST', '/notebook/import', big);
    expect(withLength.status).toBe(413);
    expect(withLength.json).toMatchObject({ status: 'PAYLOAD_TOO_LARGE' });
    const { hostname, port } = new URL(url);
    const status = await new Promise<number>((resolve, reject) => {
      const outgoing = httpRequest(
        {
          hostname,
          port,
          method: 'POST',
          path: '/api/notebook/import',
          headers: { ...asPage(admin), 'Transfer-Encoding': 'chunked' },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      outgoing.on('error', reject);
      outgoing.write(big.slice(0, 1_000));
      outgoing.end(big.slice(1_000));
    });
    expect(status).toBe(413);
    expect((await call(admin, 'GET', '/notebook')).status).toBe(200);
  });

  it('a refused body does not break the next request on its connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const big = 'x'.repeat(MAX_BODY + 1);
    expect(
      await request(url, 'POST', '/api/notebook/import', {
        agent,
        headers: asPage(admin),
        body: big,
      }),
    ).toMatchObject({ status: 413 });
    // Long enough to be in progress when an abandoned connection is closed.
    const { id, paragraphs } = await create(admin, [
      { text: '%js\nawait new Promise((resolve) => setTimeout(resolve, 1000));' },
    ]);
    expect(
      (
        await request(url, 'POST', `/api/notebook/run/${id}/${paragraphs[0]}`, {
          agent,
          headers: asPage(admin),
          body: '{}',
        })
      ).json,
    ).toMatchObject({ body: { code: 'SUCCESS' } });
    agent.destroy();
  });

  it('JSON deeper than 64 levels, and fields of a wrong type, answer 400 [S47]', async () => {
    const { id, paragraphs } = await create();
    for (const [method, path, body] of [
      [
        'PUT',
        `/notebook/${id}/paragraph/${paragraphs[0]}/config`,
        `{"x":${'['.repeat(64)}${']'.repeat(64)}}`,
      ],
      ['PUT', `/notebook/${id}/paragraph/${paragraphs[0]}/config`, {}],
      ['PUT', `/notebook/${id}/paragraph/${paragraphs[0]}`, { text: 7 }],
      [
        'PUT',
        `/notebook/${id}/permissions`,
        { owners: 'admin', writers: [], runners: [], readers: [] },
      ],
      [
        'PUT',
        `/notebook/${id}/permissions`,
        { owners: [7], writers: [], runners: [], readers: [] },
      ],
      ['PUT', `/notebook/${id}/permissions`, { owners: [] }],
      ['PUT', `/notebook/interpreter/bind/${id}`, ['nowhere']],
      ['PUT', `/notebook/interpreter/bind/${id}`, { 0: 'sql' }],
      ['POST', `/notebook/${id}/paragraph`, { text: 'x', index: 0.5 }],
      ['POST', `/notebook/${id}/paragraph`, { text: 'x', index: 9 }],
      ['POST', `/notebook/${id}/paragraph/${paragraphs[0]}/move/2`, undefined],
      ['POST', `/notebook/${id}/paragraph/${paragraphs[0]}/move/-1`, undefined],
      ['POST', `/notebook/${id}/paragraph/${paragraphs[0]}/move/x`, undefined],
      ['POST', '/magpie/access-token', { expiresInDays: 0 }],
      ['POST', '/magpie/access-token', { expiresInDays: 'never' }],
    ] as const) {
      const answer = await call(admin, method, path, body);
      expect(answer.status, `${method} ${path} ${JSON.stringify(body)} ${answer.text}`).toBe(400);
    }
    const note = bodyOf<Note>(await call(admin, 'GET', `/notebook/${id}`));
    expect(note.paragraphs!.map((paragraph) => paragraph.id)).toEqual(paragraphs);
  });
});

it('no password, ticket or token is anywhere in the data folder [S24]', async () => {
  const { token } = await newToken();
  await request(url, 'GET', '/api/notebook', { headers: bearer(token) });
  for (const entry of await readdir(embedded.data, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = await readFile(join(entry.parentPath, entry.name), 'latin1');
    for (const secret of [
      token,
      admin.identity.ticket,
      admin.cookie.split('=')[1]!,
      ADMIN_PASSWORD,
      PASSWORD,
    ]) {
      expect(text.includes(secret), entry.name).toBe(false);
    }
  }
  expect(existsSync(join(embedded.data, 'users.json'))).toBe(true);
});
