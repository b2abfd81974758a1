/** REST, as a program meets it that knows the protocol and nothing of the server. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints, type EndpointName, type Note } from 'tiding/protocol';
import { Users } from '../app/server/auth/users.ts';
import { ADMIN_PASSWORD } from './support/embedded.ts';
import { asPage, hashTree, login, openSocket, request, startEmpty, type Answer, type Login } from './support/raw.ts';

const PASSWORD = 'a-password-for-tests';
const LISTED = 'https://portal.example';
const FOREIGN = 'https://evil.example';
const MAX_BODY = 300_000;

let embedded: Awaited<ReturnType<typeof startEmpty>>;
let url: string;
let admin: Login;
let bob: Login;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiding-web-'));
  const web = join(folder, 'web');
  await mkdir(web);
  await writeFile(join(web, 'index.html'), '<!doctype html><title>app</title>');
  await writeFile(join(web, 'output-frame.html'), '<!doctype html><title>frame</title>');
  await writeFile(join(web, 'app-12345678.js'), 'export {};');
  await writeFile(join(folder, 'outside.txt'), 'outside');
  embedded = await startEmpty({ allowOrigins: [LISTED], maxBodyBytes: MAX_BODY, maxImportBytes: MAX_BODY, web, logLevel: 'silent' });
  ({ url } = embedded.server);
  const users = new Users(embedded.data);
  await users.set('bob', { password: PASSWORD });
  await users.set('carol', { password: PASSWORD, roles: ['magpie.AccessToken'] });
  admin = await login(url, 'admin', ADMIN_PASSWORD);
  bob = await login(url, 'bob', PASSWORD);
});
afterAll(async () => {
  await embedded.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A call from the server's own page. */
const call = (who: Login | undefined, method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  request(url, method, `/api${path}`, {
    headers: { ...(who ? asPage(who) : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
const bodyOf = <T>(answer: Answer): T => {
  expect(answer.status, answer.text).toBe(200);
  return (answer.json as { body: T }).body;
};
let named = 0;
const create = async (who = admin, paragraphs: { text?: string; title?: string }[] = [{ text: '%md\none' }, { text: '%md\ntwo' }], name = `rest/${(named += 1)}`) => {
  const id = bodyOf<string>(await call(who, 'POST', '/notebook', { name, paragraphs }));
  const note = bodyOf<Note>(await call(who, 'GET', `/notebook/${id}`));
  return { id, name, paragraphs: note.paragraphs!.map((paragraph) => paragraph.id) };
};
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const newToken = async (who = admin) => {
  const answer = await call(who, 'POST', '/magpie/access-token', {});
  expect(answer.status, answer.text).toBe(201);
  return answer.json as { tokenId: string; token: string };
};

type Made = Awaited<ReturnType<typeof create>>;
/** One good call of every endpoint: what stands in its path, and its body. */
const samples: { [Name in EndpointName]: (note: Made) => Promise<{ path?: Record<string, string>; body?: unknown; status?: number }> } = {
  version: async () => ({}), ticket: async () => ({}),
  login: async () => ({ body: new URLSearchParams({ userName: 'admin', password: ADMIN_PASSWORD }).toString() }),
  loginOnce: async () => ({ body: { token: new URL(embedded.server.loginLink().replace('/#', '')).searchParams.get('login') } }),
  logout: async () => ({ status: 401 }),
  magpieConfig: async () => ({}), magpieVersion: async () => ({}), listTokens: async () => ({}),
  createToken: async () => ({ body: { description: 'made', expiresInDays: 1 }, status: 201 }),
  setTokenStatus: async () => ({ path: { tokenId: (await newToken()).tokenId, status: 'disabled' } }),
  describeToken: async () => ({ path: { tokenId: (await newToken()).tokenId }, body: 'said anew' }),
  deleteToken: async () => ({ path: { tokenId: (await newToken()).tokenId }, status: 204 }),
  createEmbedToken: async (note) => ({ body: { noteId: note.id, scope: 'view' }, status: 201 }),
  revokeEmbedToken: async (note) => {
    const { jti } = (await call(admin, 'POST', '/magpie/embed-token', { noteId: note.id, scope: 'view' })).json as { jti: string };
    return { path: { jti }, status: 204 };
  },
  revokeEmbedTokens: async () => ({ status: 204 }),
  configurations: async () => ({}), listNotes: async () => ({}),
  createNote: async () => ({ body: { name: `made/${(named += 1)}` } }),
  importNote: async () => ({ body: { name: `imported/${(named += 1)}`, paragraphs: [{ text: 'x' }] } }),
  exportNote: async (note) => ({ path: { noteId: note.id } }),
  runNote: async (note) => ({ path: { noteId: note.id } }), stopNote: async (note) => ({ path: { noteId: note.id } }),
  noteJob: async (note) => ({ path: { noteId: note.id } }),
  paragraphJob: async (note) => ({ path: { noteId: note.id, paragraphId: note.paragraphs[0]! } }),
  startParagraph: async (note) => ({ path: { noteId: note.id, paragraphId: note.paragraphs[0]! } }),
  stopParagraph: async (note) => ({ path: { noteId: note.id, paragraphId: note.paragraphs[0]! } }),
  runParagraph: async (note) => ({ path: { noteId: note.id, paragraphId: note.paragraphs[0]! } }),
  getBindings: async (note) => ({ path: { noteId: note.id } }),
  setBindings: async (note) => ({ path: { noteId: note.id }, body: ['sql'] }),
  getNote: async (note) => ({ path: { noteId: note.id } }), deleteNote: async (note) => ({ path: { noteId: note.id } }),
  cloneNote: async (note) => ({ path: { noteId: note.id }, body: { name: `cloned/${(named += 1)}` } }),
  clearNote: async (note) => ({ path: { noteId: note.id } }),
  renameNote: async (note) => ({ path: { noteId: note.id }, body: { name: `renamed/${(named += 1)}` } }),
  getTrust: async (note) => ({ path: { noteId: note.id } }), setTrust: async (note) => ({ path: { noteId: note.id }, body: { trusted: false } }),
  getPermissions: async (note) => ({ path: { noteId: note.id } }),
  setPermissions: async (note) => ({ path: { noteId: note.id }, body: { owners: ['admin'], writers: [], runners: [], readers: [] } }),
  insertParagraph: async (note) => ({ path: { noteId: note.id }, body: { text: 'inserted', index: 1 } }),
  getParagraph: async (note) => ({ path: { noteId: note.id, paragraphId: note.paragraphs[0]! } }),
  updateParagraph: async (note) => ({ path: { noteId: note.id, paragraphId: note.paragraphs[0]! }, body: { text: 'updated' } }),
  configureParagraph: async (note) => ({ path: { noteId: note.id, paragraphId: note.paragraphs[0]! }, body: { colWidth: 6 } }),
  moveParagraph: async (note) => ({ path: { noteId: note.id, paragraphId: note.paragraphs[0]!, index: '1' } }),
  deleteParagraph: async (note) => ({ path: { noteId: note.id, paragraphId: note.paragraphs[0]! } }),
  listSettings: async () => ({}), restartSetting: async () => ({ path: { settingId: 'sql' }, body: {} }),

  // People
  loginAddress: async () => ({ status: 404 }),
  ssoLogin: async () => ({ status: 302 }),
  ssoCallback: async () => ({ status: 302 }),
  openApi: async () => ({}),
  asyncApi: async () => ({}),
  findPrincipals: async () => ({ path: { term: 'adm' } }),
  principals: async () => ({}),
  requestPasswordReset: async () => ({ body: { username: 'nobody@example.org' }, status: 202 }),
  checkPasswordReset: async () => ({ path: { resetToken: 'unknown' }, status: 404 }),
  resetPassword: async () => ({ path: { resetToken: 'unknown' }, body: { newPassword: 'long-enough-it-is' }, status: 404 }),

  // Administration
  configurationsByPrefix: async () => ({ path: { prefix: 'zeppelin' } }),
  clientConfiguration: async () => ({}),
  listStorages: async () => ({}),
  reloadStorages: async () => ({}),
  updateStorage: async () => ({ body: { name: 'unknown', settings: {} }, status: 404 }),
  setLogLevel: async () => ({ path: { level: 'WARN' } }),
  getLogger: async () => ({}),
  setLogger: async () => ({ body: { name: 'root', level: 'WARN' } }),
  commandLine: async () => ({}),

  // Clusters
  listClusters: async () => ({}),
  setCluster: async () => ({ body: {} }),
  startCluster: async () => ({ path: { clusterName: 'nowhere' }, status: 404 }),
  stopCluster: async () => ({ path: { clusterName: 'nowhere' }, status: 404 }),

  // Revisions
  listRevisions: async (note) => ({ path: { noteId: note.id } }),
  checkpointNote: async (note) => ({ path: { noteId: note.id }, body: { commitMessage: 'first' } }),
  getRevision: async (note) => ({ path: { noteId: note.id, revisionId: 'Head' } }),
  setRevision: async (note) => ({ path: { noteId: note.id, revisionId: 'Head' } }),
  getRevisionControl: async () => ({}),
  setRevisionControl: async () => ({ body: {} }),
  syncRevisions: async () => ({ status: 409 }),

  // Results
  checkResult: async () => ({ path: { resultId: 'unknown' }, status: 404 }),
  getResult: async () => ({ path: { resultId: 'unknown' }, status: 404 }),
  putFile: async () => ({ path: { name: 'sample.csv' }, body: { data: 'YSxiCjEsMgo=' } }),
  getFile: async () => ({ body: { file: { path: '/nowhere/x.csv' } }, status: 404 }),

  // Search
  searchNotes: async () => ({}),

  // Schedules
  listJobs: async () => ({}),
  listJobsSince: async () => ({ path: { since: '0' } }),
  capabilities: async () => ({}),
  getNoteByPath: async (note) => ({ body: { notePath: `/${note.name}` } }),
  setCron: async (note) => ({ path: { noteId: note.id }, body: { cron: '0 0 0 * * ?' } }),
  getCron: async (note) => ({ path: { noteId: note.id } }),
  deleteCron: async (note) => ({ path: { noteId: note.id } }),
  nextParagraph: async (note) => ({ path: { noteId: note.id } }),

  // Settings
  listTemplates: async () => ({}),
  createSetting: async () => ({ body: { name: `made${(named += 1)}`, group: 'sql' } }),
  getSetting: async () => ({ path: { settingId: 'sql' } }),
  updateSetting: async () => ({ path: { settingId: 'js' }, body: { properties: {}, dependencies: [] } }),
  deleteSetting: async () => ({ path: { settingId: 'unknown' }, status: 404 }),
  listPropertyTypes: async () => ({}),
  listRepositories: async () => ({}),
  addRepository: async () => ({ body: { id: `r${(named += 1)}`, url: 'https://repo.example.org/' } }),
  deleteRepository: async () => ({ path: { repositoryId: 'unknown' } }),
  settingMetadata: async () => ({ path: { settingId: 'sql' } }),
  installInterpreter: async () => ({ body: { name: 'unknown', artifact: 'a:b:1' }, status: 404 }),
  listSessions: async () => ({}),
  createSession: async () => ({}),
  getSession: async () => ({ path: { sessionId: 'unknown' }, status: 404 }),
  deleteSession: async () => ({ path: { sessionId: 'unknown' }, status: 404 }),

  // Credentials
  listCredentials: async () => ({}),
  putCredential: async () => ({ body: { entity: 'jdbc.pg', username: 'u', password: '' } }),
  deleteCredential: async () => ({ path: { entity: 'unknown' }, status: 404 }),
  deleteCredentials: async () => ({}),

  // Packages
  listPackages: async () => ({}),
  getPackage: async () => ({ path: { name: 'unknown' } }),
  listEnabledPackages: async () => ({}),
  loadBundle: async () => ({ path: { name: 'unknown' } }),
  listPackageConfigs: async () => ({}),
  getPackageConfig: async () => ({ path: { name: 'unknown', artifact: 'unknown@1' }, status: 404 }),
  setPackageConfig: async () => ({ path: { name: 'unknown', artifact: 'unknown@1' }, body: {}, status: 404 }),
  getSpellConfig: async () => ({ path: { name: 'unknown' }, status: 400 }),
  enablePackage: async () => ({ path: { name: 'unknown' }, body: 'unknown@1', status: 404 }),
  disablePackage: async () => ({ path: { name: 'unknown' }, status: 404 }),
  getPackageOrder: async () => ({}),
  setPackageOrder: async () => ({ body: [] }),
  suggestPackages: async (note) => ({ path: { noteId: note.id, paragraphId: note.paragraphs[0]! } }),
  loadPackage: async (note) => ({ path: { noteId: note.id, paragraphId: note.paragraphs[0]! }, body: { name: 'unknown' }, status: 404 }),
  unloadPackage: async (note) => ({ path: { noteId: note.id, paragraphId: note.paragraphs[0]!, appId: 'unknown' }, status: 404 }),
};
const names = Object.keys(endpoints) as EndpointName[];
const types = { json: 'application/json', form: 'application/x-www-form-urlencoded', text: 'text/plain', none: 'application/json' };
const pathOf = (name: EndpointName, parameters: Record<string, string> = {}) =>
  endpoints[name].path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(parameters[key] ?? 'x'));
const restricted = names.filter((name) => endpoints[name].access !== 'public');

describe('every call', () => {
  it.each(names)('%s answers its envelope, with what the protocol says it answers', async (name) => {
    const { path, body, status = 200 } = await samples[name](await create());
    const { method, encoding, envelope, answer: schema } = endpoints[name];
    // Sign-ins and sign-outs end the session they come with.
    const who = endpoints[name].access === 'public' ? undefined : admin;
    const answer = await call(who, method, pathOf(name, path), body, { 'Content-Type': types[encoding] });
    expect(answer.status, answer.text).toBe(status);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    // A sample of something that is not there, or of a file.
    if (status >= 400 && status !== 401) {
      if (method !== 'HEAD') expect(typeof (answer.json as { message?: unknown }).message).toBe('string');
      return;
    }
    if (endpoints[name].content === 'raw') return;
    const content = status === 204 ? undefined : (answer.json as { status?: string; body?: unknown });
    if (envelope) {
      expect(content?.status).toBe(status === 401 ? 'UNAUTHORIZED' : 'OK');
      expect(Object.keys(content!).filter((key) => !['status', 'message', 'body'].includes(key))).toEqual([]);
    }
    const inner: unknown = envelope ? content?.body : content;
    const parsed = (schema as { safeParse(value: unknown): { success: boolean; error?: unknown } }).safeParse(inner);
    expect(parsed.success, String(parsed.error)).toBe(true);
  });

  it.each(restricted)('%s without a session answers 401, or 405 where upstream\'s page asks who is signed in', async (name) => {
    const answer = await call(undefined, endpoints[name].method, pathOf(name), undefined, { 'Content-Type': types[endpoints[name].encoding] });
    expect(answer.status).toBe(name === 'ticket' ? 405 : 401);
    if (endpoints[name].method === 'HEAD') expect(answer.text).toBe('');
    else expect(answer.json).toEqual({ status: name === 'ticket' ? 'METHOD_NOT_ALLOWED' : 'UNAUTHORIZED', message: 'Not signed in.' });
  });

  it.each(names.filter((name) => Array.isArray(endpoints[name].access)))('%s without the role answers 403', async (name) => {
    const answer = await call(bob, endpoints[name].method, pathOf(name), undefined, { 'Content-Type': types[endpoints[name].encoding] });
    expect(answer.status).toBe(403);
    expect(answer.json).toMatchObject({ status: 'FORBIDDEN' });
  });

  it.each(restricted.filter((name) => endpoints[name].path.includes(':noteId')))('%s on an unknown note answers 404', async (name) => {
    const { path, body } = await samples[name](await create());
    const answer = await call(admin, endpoints[name].method, pathOf(name, { ...path, noteId: '2NOSUCHID' }), body, { 'Content-Type': types[endpoints[name].encoding] });
    expect(answer.status).toBe(404);
    expect(answer.json).toEqual({ status: 'NOT_FOUND', message: 'No such note: 2NOSUCHID' });
  });

  it.each(restricted.filter((name) => endpoints[name].path.includes(':paragraphId')))('%s on an unknown paragraph answers 404', async (name) => {
    const { path, body } = await samples[name](await create());
    const answer = await call(admin, endpoints[name].method, pathOf(name, { ...path, paragraphId: 'nowhere' }), body, { 'Content-Type': types[endpoints[name].encoding] });
    expect(answer.status).toBe(404);
    expect(answer.json).toEqual({ status: 'NOT_FOUND', message: 'No such paragraph: nowhere' });
  });

  it.each(restricted.filter((name) => endpoints[name].path.includes(':noteId')))('%s on a note that is closed to the caller answers 403', async (name) => {
    const note = await create();
    const { path, body } = await samples[name](note);
    await call(admin, 'PUT', `/notebook/${note.id}/permissions`, { owners: ['admin'], writers: ['admin'], runners: ['admin'], readers: ['admin'] });
    const answer = await call(bob, endpoints[name].method, pathOf(name, path), body, { 'Content-Type': types[endpoints[name].encoding] });
    expect(answer.status).toBe(403);
    expect((answer.json as { message: string }).message).toMatch(/^Insufficient privileges to \w+ note\.\n\n/);
  });

  it.each(names)('another method on the path of %s answers 404, never 405', async (name) => {
    const path = pathOf(name);
    // A slash at the end makes no difference.
    const fits = (pattern: string) => new RegExp(`^${pattern.replace(/\/$/, '').replace(/:\w+/g, '[^/]+')}/?$`).test(path);
    const known = new Set<string>(names.filter((other) => fits(endpoints[other].path)).map((other) => endpoints[other].method));
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].filter((each) => !known.has(each))) {
      const answer = await call(admin, method, path);
      expect(answer.status, method).toBe(404);
      expect(answer.json).toEqual({ status: 'NOT_FOUND', message: 'there is no such call' });
    }
  });

  it.each(['/nothing', '', '/', '/notebook/', '/notebook//', '/NOTEBOOK', '/notebook/a/b/c/d/e'])('an unknown path (%s) answers 404', async (path) => {
    expect((await call(admin, 'GET', path)).status).toBe(404);
  });
});

describe('bodies', () => {
  const json = names.filter((name) => endpoints[name].encoding === 'json');

  it.each(json)('%s refuses a body that is not JSON', async (name) => {
    const { path } = await samples[name](await create());
    const before = await hashTree(join(embedded.data, 'notebook'));
    const who = endpoints[name].access === 'public' ? undefined : admin;
    for (const body of ['{"name":', '{name:1}', 'null', '7', '"text"']) {
      const answer = await call(who, endpoints[name].method, pathOf(name, path), body);
      expect(answer.status, `${body} ${answer.text}`).toBe(400);
      expect(answer.json).toMatchObject({ status: 'BAD_REQUEST' });
    }
    expect(await hashTree(join(embedded.data, 'notebook'))).toEqual(before);
  });

  it.each(names.filter((name) => endpoints[name].encoding !== 'none'))('%s takes a body of its own content type only', async (name) => {
    const { path, body } = await samples[name](await create());
    const who = endpoints[name].access === 'public' ? undefined : admin;
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data', 'application/xml', '']) {
      if (type === types[endpoints[name].encoding]) continue;
      const answer = await call(who, endpoints[name].method, pathOf(name, path), text, { 'Content-Type': type });
      expect(answer.status, type).toBe(415);
      expect(answer.json).toMatchObject({ status: 'UNSUPPORTED_MEDIA_TYPE' });
    }
  });

  it('a body over the limit answers 413, whether its length is told or not', async () => {
    const big = JSON.stringify({ name: 'big', paragraphs: [{ text: 'x'.repeat(MAX_BODY) }] });
    const told = await call(admin, 'POST', '/notebook/import', big);
    expect(told.status).toBe(413);
    expect(told.json).toMatchObject({ status: 'PAYLOAD_TOO_LARGE' });
    const { hostname, port } = new URL(url);
    const status = await new Promise<number>((resolve, reject) => {
      const outgoing = httpRequest({ hostname, port, method: 'POST', path: '/api/notebook/import', headers: { ...asPage(admin), 'Transfer-Encoding': 'chunked' } }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      outgoing.on('error', reject);
      outgoing.write(big.slice(0, 1_000));
      outgoing.end(big.slice(1_000));
    });
    expect(status).toBe(413);
    expect((await call(admin, 'GET', '/notebook')).status).toBe(200);
  });

  it('a body that is refused does not cost the request that follows on its connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const big = 'x'.repeat(MAX_BODY + 1);
    expect((await request(url, 'POST', '/api/notebook/import', { agent, headers: asPage(admin), body: big })).status).toBe(413);
    // Long enough to be under way when a connection that was given up is closed.
    const { id, paragraphs } = await create(admin, [{ text: '%js\nawait new Promise((resolve) => setTimeout(resolve, 1000));' }]);
    expect((await request(url, 'POST', `/api/notebook/run/${id}/${paragraphs[0]}`, { agent, headers: asPage(admin), body: '{}' })).status).toBe(200);
    agent.destroy();
  });

  it('JSON deeper than 64 levels, and fields of the wrong type, answer 400', async () => {
    const { id, paragraphs } = await create();
    for (const [method, path, body] of [
      ['PUT', `/notebook/${id}/paragraph/${paragraphs[0]}/config`, `{"x":${'['.repeat(64)}${']'.repeat(64)}}`],
      ['PUT', `/notebook/${id}/paragraph/${paragraphs[0]}/config`, {}],
      ['PUT', `/notebook/${id}/paragraph/${paragraphs[0]}`, { text: 7 }],
      ['PUT', `/notebook/${id}/permissions`, { owners: 'admin', writers: [], runners: [], readers: [] }],
      ['PUT', `/notebook/${id}/permissions`, { owners: [7], writers: [], runners: [], readers: [] }],
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

describe('forged and foreign requests', () => {
  it('a cookie in a browser alone changes nothing: X-Requested-With is asked for', async () => {
    const { id } = await create();
    const answer = await request(url, 'DELETE', `/api/notebook/${id}`, { headers: { 'Cookie': admin.cookie, 'User-Agent': 'Mozilla/5.0' } });
    expect(answer.status).toBe(403);
    expect((await call(admin, 'GET', `/notebook/${id}`)).status).toBe(200);
    expect((await request(url, 'GET', `/api/notebook/${id}`, { headers: { Cookie: admin.cookie } })).status).toBe(200);
  });

  it.each(['cross-site', 'same-site'])('a change from a page that is %s is refused', async (site) => {
    const { id } = await create();
    expect((await call(admin, 'DELETE', `/notebook/${id}`, undefined, { 'Sec-Fetch-Site': site })).status).toBe(403);
    expect((await call(admin, 'DELETE', `/notebook/${id}`, undefined, { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
  });

  it('a token needs neither', async () => {
    const { id } = await create();
    const { token } = await newToken();
    const answer = await request(url, 'DELETE', `/api/notebook/${id}`, { headers: { ...bearer(token), 'Sec-Fetch-Site': 'cross-site', Origin: LISTED } });
    expect(answer.status).toBe(200);
  });

  it('a login form that another page sends is refused', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ userName: 'bob', password: PASSWORD }).toString();
    expect((await call(undefined, 'POST', '/login', body, { ...form, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await call(undefined, 'POST', '/login', body, { ...form, Origin: FOREIGN })).status).toBe(403);
    expect((await call(undefined, 'POST', '/login', body, { ...form, Origin: url })).status).toBe(200);
  });

  it.each([FOREIGN, 'null', 'http://127.0.0.1:1', 'https://portal.example.evil.example', 'http://portal.example', '::'])('the origin %s is refused and not echoed', async (origin) => {
    for (const method of ['GET', 'OPTIONS', 'POST']) {
      const answer = await call(admin, method, '/notebook', method === 'POST' ? { name: 'x' } : undefined, { Origin: origin });
      expect(answer.status).toBe(403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      expect(answer.headers.vary).toMatch(/Origin/);
    }
  });

  it('a listed origin is echoed, with a preflight that allows the token and no cookie', async () => {
    const preflight = await request(url, 'OPTIONS', '/api/notebook', {
      headers: { Origin: LISTED, 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'authorization, content-type' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe(LISTED);
    expect(preflight.headers['access-control-allow-headers']).toBe('authorization, content-type');
    expect(preflight.headers['access-control-allow-methods']).toBe('GET, HEAD, POST, PUT, DELETE');
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
    expect(preflight.headers.vary).toMatch(/Origin/);
    const { token } = await newToken();
    const answer = await request(url, 'GET', '/api/notebook', { headers: { Origin: LISTED, ...bearer(token) } });
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(LISTED);
    expect((await request(url, 'GET', '/api/notebook', { headers: { Origin: LISTED, Cookie: admin.cookie } })).status).toBe(401);
  });

  it('a foreign Host is refused on every path', async () => {
    for (const path of ['/', '/api/version', '/healthz', '/app-12345678.js', '/output-frame/1']) {
      expect((await request(url, 'GET', path, { headers: { Host: 'evil.example' } })).status, path).toBe(403);
      expect((await request(url, 'GET', path, { headers: { Host: `localhost:${embedded.server.port}` } })).status, path).toBe(200);
    }
  });
});

describe('note files', () => {
  it.each([
    ['no paragraphs', {}], ['an empty list of paragraphs', { paragraphs: [] }], ['paragraphs that are no list', { paragraphs: {} }],
    ['more than 5000 paragraphs', { paragraphs: Array.from({ length: 5_001 }, () => ({})) }],
    ['paragraphs that are no objects', { paragraphs: [{}, 7] }], ['paragraphs that are lists', { paragraphs: [[]] }],
    ['a list', []],
    ['a name with ..', { name: 'a/../b', paragraphs: [{}] }], ['a name with control characters', { name: 'a\u0007b', paragraphs: [{}] }],
    ['a part of the name of 256 bytes', { name: `a/${'ü'.repeat(128)}`, paragraphs: [{}] }],
    ['a name of 17 parts', { name: 'a/'.repeat(16) + 'a', paragraphs: [{}] }],
  ])('an import with %s answers 400 and leaves nothing on the disk', async (_, file) => {
    const before = await hashTree(embedded.data);
    const answer = await call(admin, 'POST', '/notebook/import', file);
    expect(answer.status).toBe(400);
    expect(await hashTree(embedded.data)).toEqual(before);
  });

  it('an import with a text over 1 MB answers 400', async () => {
    const roomy = await startEmpty();
    const who = await login(roomy.server.url, 'admin', ADMIN_PASSWORD);
    const send = (length: number) => request(roomy.server.url, 'POST', '/api/notebook/import', { headers: asPage(who), body: JSON.stringify({ name: 'n', paragraphs: [{ text: 'x'.repeat(length) }] }) });
    expect((await send(2 ** 20)).status).toBe(200);
    expect((await send(2 ** 20 + 1)).status).toBe(400);
    await roomy.stop();
  });

  it('fields that no client could read are left out; the note can be read, and shows what is left', async () => {
    const odd = {
      name: 'odd', id: '../../escape', permissions: { owners: ['bob'] }, config: 'none', noteForms: { f: 7 }, bindings: 7, angularObjects: { g: [null, { name: 7 }, { name: 'kept' }], h: 7 },
      paragraphs: [
        { id: '../escape', text: 7, status: 'NO_SUCH', config: 'x', settings: 7, results: { msg: 'x' }, title: {}, dateCreated: {}, dateStarted: 'yesterday', rev: -1, apps: 7, kept: 'unknown' },
        { id: 'same', text: 'a' }, { id: 'same', text: 'b' },
      ],
    };
    const id = bodyOf<string>(await call(admin, 'POST', '/notebook/import', odd));
    expect(id).toMatch(/^2[0-9A-Z]{8}$/);
    const note = bodyOf<Note>(await call(admin, 'GET', `/notebook/${id}`));
    expect(endpoints.getNote.answer.safeParse(note).success).toBe(true);
    expect(note).toMatchObject({ id, config: {}, noteForms: {}, angularObjects: { g: [{ name: 'kept' }], h: [] } });
    const [first, second, third] = note.paragraphs!;
    expect(first).toMatchObject({ text: '', status: 'READY', rev: 1, kept: 'unknown' });
    expect(first!.id).toMatch(/^[0-9A-Za-z_-]+$/);
    expect([second!.text, third!.text]).toEqual(['a', 'b']);
    expect(second!.id).not.toBe(third!.id);
    expect(bodyOf<object>(await call(admin, 'GET', `/notebook/${id}/permissions`))).toEqual({ owners: ['admin'], writers: [], runners: [], readers: [] });
    const socket = await openSocket(url, { identity: admin.identity });
    socket.send({ op: 'GET_NOTE', data: { id } });
    await socket.next('NOTE');
    socket.send({ op: 'GET_INTERPRETER_BINDINGS', data: { noteId: id } });
    expect((await socket.next('INTERPRETER_BINDINGS', 'ERROR_INFO')).op).toBe('INTERPRETER_BINDINGS');
    socket.socket.close();
  });

  it('what was exported and imported is what it was', async () => {
    const { id, name, paragraphs } = await create(admin, [{ title: 'Tïtle', text: '%md\n# “Hello” \\ \u2028 🦆' }, { text: '%sql\nselect 1' }]);
    await call(admin, 'PUT', `/notebook/${id}/paragraph/${paragraphs[0]}/config`, { colWidth: 4, unknown: { kept: [1.5, null] } });
    expect((await call(admin, 'POST', `/notebook/run/${id}/${paragraphs[0]}`, {})).status).toBe(200);
    const first = bodyOf<string>(await call(admin, 'GET', `/notebook/export/${id}`));
    await call(admin, 'DELETE', `/notebook/${id}`);
    const again = bodyOf<string>(await call(admin, 'POST', '/notebook/import', first));
    const second = bodyOf<string>(await call(admin, 'GET', `/notebook/export/${again}`));
    expect(again).not.toBe(id);
    expect(JSON.parse(second)).toEqual({ ...(JSON.parse(first) as object), id: again });
    expect(JSON.parse(first)).toMatchObject({ name, paragraphs: [{ title: 'Tïtle', status: 'FINISHED', results: { code: 'SUCCESS' }, config: { unknown: { kept: [1.5, null] } } }, {}] });
    // With the byte-order mark of upstream's own exports.
    expect((await call(admin, 'POST', '/notebook/import', `\uFEFF${first}`)).status).toBe(200);
  });

  it.each(['a\u0000b', 'a\nb', '..', 'a/../b', '.', ' .. ', 'a\u2028b', 'x'.repeat(300), `ok/${'x'.repeat(300)}`, '', ' ', '/', '\\', Array.from({ length: 17 }, () => 'a').join('/')])(
    'the name %j is refused for a rename and a clone', async (name) => {
      const { id, name: before } = await create();
      expect((await call(admin, 'PUT', `/notebook/${id}/rename`, { name })).status).toBe(400);
      const clone = await call(admin, 'POST', `/notebook/${id}`, { name });
      expect(clone.status).toBe(name.trim() === '' ? 200 : 400);
      expect(bodyOf<Note>(await call(admin, 'GET', `/notebook/${id}`)).name).toBe(before);
    });

  it('names are kept in one spelling, and are not decoded', async () => {
    const { id } = await create();
    await call(admin, 'PUT', `/notebook/${id}/rename`, { name: '\\caf\u0065\u0301//%2e%2e/x' });
    expect(bodyOf<Note>(await call(admin, 'GET', `/notebook/${id}`)).name).toBe('caf\u00e9/%2e%2e/x');
    expect((await call(admin, 'PUT', `/notebook/${(await create()).id}/rename`, { name: 'caf\u00e9/%2e%2e/x' })).status).toBe(409);
  });
});

describe('paths', () => {
  it.each(['..', '%2e%2e', '..%2f..%2fusers.json', '%2e%2e%2fsecret.key', '.', '%00', '%', '%zz', 'a%2fb'])('an id like %s finds nothing', async (id) => {
    for (const path of [`/notebook/${id}`, `/notebook/export/${id}`, `/notebook/job/${id}`]) {
      const answer = await call(admin, 'GET', path);
      expect([400, 404], path).toContain(answer.status);
      expect(answer.text).not.toMatch(/scrypt\$|"users"|^[0-9a-f]{64}$/);
    }
  });

  it.each([
    '/../outside.txt', '/..%2foutside.txt', '/%2e%2e/outside.txt', '/%2e%2e%2foutside.txt', '/..%5coutside.txt', '/x/../../outside.txt', '//outside.txt',
    '/....//outside.txt', '/%252e%252e/outside.txt', '/index.html%00', '/.', '/..',
  ])('the file path %s leads nowhere', async (path) => {
    const answer = await request(url, 'GET', path);
    expect(answer.text).not.toContain('outside');
    expect([400, 404, 200]).toContain(answer.status);
    if (answer.status === 200) expect(answer.text).toContain('<title>app</title>');
  });

  it('no answer names a file of the server or a line of its code', async () => {
    for (const path of ['/nothing', '/api/nothing', '/api/notebook/x', '/output-frame.html']) {
      const answer = await request(url, 'GET', path);
      expect(answer.text).not.toMatch(/\.ts|\.js:|node_modules|\/tmp|Error/);
    }
  });
});

describe('permissions', () => {
  it.each([
    ['readers', { owners: [], writers: [], runners: [], readers: ['bob'] }, { owners: ['admin'], writers: ['admin'], runners: ['admin'], readers: ['bob'] }],
    ['runners', { owners: [], writers: [], runners: ['bob'], readers: [] }, { owners: ['admin'], writers: ['admin'], runners: ['bob'], readers: [] }],
    ['writers', { owners: [], writers: ['bob'], runners: [], readers: [] }, { owners: ['admin'], writers: ['bob'], runners: [], readers: [] }],
    ['nobody', { owners: [], writers: [], runners: [], readers: [] }, { owners: [], writers: [], runners: [], readers: [] }],
    ['blanks and doubles', { owners: [' admin ', 'admin', ''], writers: ['bob'], runners: ['bob'], readers: ['bob'] }, { owners: ['admin'], writers: ['bob'], runners: ['bob'], readers: ['bob'] }],
  ])('saved for %s, empty stronger lists become the caller', async (_, given, kept) => {
    const { id } = await create();
    expect((await call(admin, 'PUT', `/notebook/${id}/permissions`, given)).status).toBe(200);
    expect(bodyOf<object>(await call(admin, 'GET', `/notebook/${id}/permissions`))).toEqual(kept);
    const file = JSON.parse(await readFile(join(embedded.data, 'notebook-authorization.json'), 'utf8')) as { authInfo: Record<string, object> };
    expect(file.authInfo[id]).toEqual(kept);
  });

  it('who loses the right to read hears nothing more of the note, at once', async () => {
    const { id, paragraphs } = await create();
    const socket = await openSocket(url, { identity: bob.identity });
    socket.send({ op: 'GET_NOTE', data: { id } });
    await socket.next('NOTE');
    await call(admin, 'PUT', `/notebook/${id}/permissions`, { owners: ['admin'], writers: ['admin'], runners: ['admin'], readers: ['admin'] });
    await call(admin, 'PUT', `/notebook/${id}/paragraph/${paragraphs[0]}`, { text: 'secret' });
    socket.send({ op: 'LIST_CONFIGURATIONS' });
    expect((await socket.next('CONFIGURATIONS_INFO', 'PARAGRAPH', 'NOTE')).op).toBe('CONFIGURATIONS_INFO');
    socket.socket.close();
  });

  it('only an owner saves them', async () => {
    const { id } = await create();
    await call(admin, 'PUT', `/notebook/${id}/permissions`, { owners: ['admin'], writers: ['bob'], runners: [], readers: [] });
    expect((await call(bob, 'PUT', `/notebook/${id}/permissions`, { owners: ['bob'], writers: [], runners: [], readers: [] })).status).toBe(403);
    expect((await call(bob, 'PUT', `/notebook/${id}/rename`, { name: 'mine' })).status).toBe(403);
    expect((await call(bob, 'DELETE', `/notebook/${id}`)).status).toBe(403);
  });

  it('a run that ends somewhere else is not stopped by a paragraph of the same id', async () => {
    const file = { name: 'twins/a', paragraphs: [{ id: 'twin', text: '%js\nawait new Promise((resolve) => setTimeout(resolve, 30_000));' }] };
    const mine = bodyOf<string>(await call(admin, 'POST', '/notebook/import', file));
    const theirs = bodyOf<string>(await call(bob, 'POST', '/notebook/import', { ...file, name: 'twins/b' }));
    expect((await call(admin, 'POST', `/notebook/job/${mine}/twin`, {})).status).toBe(200);
    expect((await call(bob, 'DELETE', `/notebook/job/${theirs}/twin`)).status).toBe(200);
    expect(bodyOf<{ status: string }>(await call(admin, 'GET', `/notebook/job/${mine}/twin`)).status).toMatch(/PENDING|RUNNING/);
    expect((await call(admin, 'DELETE', `/notebook/job/${mine}/twin`)).status).toBe(200);
    expect(bodyOf<{ status: string }>(await call(admin, 'GET', `/notebook/job/${mine}/twin`)).status).toBe('ABORT');
  });
});

describe('runs', () => {
  it('a failing run answers 500 with the results a good one answers', async () => {
    const { id, paragraphs } = await create(admin, [{ text: '%sql\nselect nonsense from nowhere' }]);
    const answer = await call(admin, 'POST', `/notebook/run/${id}/${paragraphs[0]}`, {});
    expect(answer.status).toBe(500);
    expect(answer.json).toMatchObject({ status: 'INTERNAL_SERVER_ERROR', body: { code: 'ERROR', msg: [{ type: 'TEXT' }] } });
  });

  it('a run that goes on is not at 100 percent, and removing its paragraph stops it', async () => {
    const { id, paragraphs } = await create(admin, [{ text: '%js\nawait new Promise((resolve) => setTimeout(resolve, 30_000));' }, { text: '%md\nx' }]);
    await call(admin, 'POST', `/notebook/job/${id}/${paragraphs[0]}`, {});
    const job = bodyOf<{ status: string; progress: string }>(await call(admin, 'GET', `/notebook/job/${id}/${paragraphs[0]}`));
    expect(job.status).toMatch(/PENDING|RUNNING/);
    expect(Number(job.progress)).toBeLessThan(100);
    expect((await call(admin, 'DELETE', `/notebook/${id}/paragraph/${paragraphs[0]}`)).status).toBe(200);
    // The interpreter is free again.
    expect((await call(admin, 'PUT', `/notebook/${id}/paragraph/${paragraphs[1]}`, { text: '%js\nconsole.log(1)' })).status).toBe(200);
    const rest = await call(admin, 'POST', `/notebook/run/${id}/${paragraphs[1]}`, {});
    expect((rest.json as { body: { msg: { data: string }[] } }).body.msg[0]!.data.trim()).toBe('1');
  });
});

describe('signing in and out', () => {
  it('the cookie is for the server\'s own pages only', async () => {
    const answer = await call(undefined, 'POST', '/login', new URLSearchParams({ userName: 'bob', password: PASSWORD }).toString(), { 'Content-Type': types.form });
    const [cookie] = answer.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).toMatch(/; Path=\/(;|$)/);
    expect(cookie).toMatch(/^[\w-]+=[\w-]{43};/);
    const stored = await readFile(join(embedded.data, 'sessions.json'), 'utf8');
    expect(stored).not.toContain(/=([\w-]{43})/.exec(cookie!)![1]);
    expect(stored).not.toContain((answer.json as { body: { ticket: string } }).body.ticket);
  });

  it('a new session begins at each sign-in, and the one before is over', async () => {
    const first = await login(url, 'bob', PASSWORD);
    const answer = await call(undefined, 'POST', '/login', new URLSearchParams({ userName: 'bob', password: PASSWORD }).toString(), {
      'Content-Type': types.form, Cookie: first.cookie, 'X-Requested-With': 'XMLHttpRequest',
    });
    expect(answer.status).toBe(200);
    expect((await call(first, 'GET', '/security/ticket')).status).toBe(405);
  });

  it('signing out answers 401, and the session is gone on REST and on the live channel', async () => {
    const gone = await login(url, 'bob', PASSWORD);
    const socket = await openSocket(url, { identity: gone.identity });
    socket.send({ op: 'LIST_NOTES' });
    await socket.next('NOTES_INFO');
    const answer = await call(gone, 'POST', '/login/logout');
    expect(answer.status).toBe(401);
    expect(answer.json).toEqual({ status: 'UNAUTHORIZED', message: '' });
    expect(answer.headers['set-cookie']?.[0]).toMatch(/=;.*Max-Age=0/);
    expect((await call(gone, 'GET', '/security/ticket')).status).toBe(405);
    expect((await socket.next('SESSION_LOGOUT')).op).toBe('SESSION_LOGOUT');
    socket.send({ op: 'LIST_NOTES' });
    expect((await socket.next('SESSION_LOGOUT', 'NOTES_INFO')).op).toBe('SESSION_LOGOUT');
    socket.socket.close();
  });

  it('a wrong password and an unknown user are answered alike', async () => {
    const answers = await Promise.all(['bob', 'nobody'].map((userName) =>
      call(undefined, 'POST', '/login', new URLSearchParams({ userName, password: 'wrong' }).toString(), { 'Content-Type': types.form })));
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(answers[0]!.text).toBe(answers[1]!.text);
  });

  it('ten failures of an account are the last, also when they come all at once; others sign in', async () => {
    const attempt = (password: string) =>
      call(undefined, 'POST', '/login', new URLSearchParams({ userName: 'carol', password }).toString(), { 'Content-Type': types.form });
    const answers = await Promise.all(Array.from({ length: 16 }, () => attempt('wrong')));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(10).fill(403), ...Array<number>(6).fill(429)]);
    expect((await attempt(PASSWORD)).status).toBe(429);
    expect((await login(url, 'bob', PASSWORD)).identity.principal).toBe('bob');
  });

  it('the link of the start works once, and a newer one ends it', async () => {
    const tokenOf = (link: string) => /login=([\w-]+)$/.exec(link)![1]!;
    const [old, good] = [tokenOf(embedded.server.loginLink()), tokenOf(embedded.server.loginLink())];
    expect((await call(undefined, 'POST', '/login/once', { token: old })).status).toBe(403);
    const answer = await call(undefined, 'POST', '/login/once', { token: good });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ body: { principal: 'admin' } });
    expect((await call(undefined, 'POST', '/login/once', { token: good })).status).toBe(403);
    expect((await call(undefined, 'POST', '/login/once', { token: '' })).status).toBe(400);
  });
});

describe('access tokens', () => {
  const ticketOf = async (token: string) => (await request(url, 'GET', '/api/security/ticket', { headers: bearer(token) }));
  /** A token, and a socket that its ticket signed in. */
  const inUse = async () => {
    const { token, tokenId } = await newToken();
    const { identity } = { identity: bodyOf<Login['identity']>(await ticketOf(token)) };
    const socket = await openSocket(url, { identity });
    socket.send({ op: 'LIST_NOTES' });
    await socket.next('NOTES_INFO');
    return { token, tokenId, socket };
  };
  const isOver = async ({ token, socket }: Awaited<ReturnType<typeof inUse>>) => {
    expect((await ticketOf(token)).status).toBe(401);
    // Told without asking, and refused when asking.
    await socket.next('SESSION_LOGOUT');
    socket.send({ op: 'LIST_NOTES' });
    expect((await socket.next('SESSION_LOGOUT', 'NOTES_INFO')).op).toBe('SESSION_LOGOUT');
    socket.socket.close();
  };

  it('is shown when it is made and never again, and not stored', async () => {
    const { token, tokenId } = await newToken();
    expect(token).toMatch(/^tdg_[\w-]{43}$/);
    const list = (await call(admin, 'GET', '/magpie/access-token')).json as { tokenId: string; token?: string }[];
    expect(list.find((entry) => entry.tokenId === tokenId)).toEqual({
      tokenId, description: '', createdAt: expect.any(String) as string, expiresAt: expect.any(String) as string, disabled: false,
    });
    for (const name of await readdir(embedded.data)) {
      if (name.endsWith('.json')) expect(await readFile(join(embedded.data, name), 'utf8')).not.toContain(token.slice(4));
    }
  });

  it('expires after 90 days, after as many as are asked for, or never', async () => {
    const lasts = async (body: object) => {
      const { json } = await call(admin, 'POST', '/magpie/access-token', body);
      const { token, expiresAt } = json as { token: string; expiresAt: string | null };
      expect((await ticketOf(token)).status).toBe(200);
      return expiresAt === null ? null : Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000);
    };
    expect([await lasts({}), await lasts({ expiresInDays: 7 }), await lasts({ expiresInDays: null })]).toEqual([90, 7, null]);
  });

  it('many made at once are all kept', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => newToken()));
    for (const { token } of made) expect((await ticketOf(token)).status).toBe(200);
  });

  it('a disabled one signs nobody in until it is enabled', async () => {
    const used = await inUse();
    await call(admin, 'PUT', `/magpie/access-token/${used.tokenId}/status/disabled`);
    await isOver(used);
    await call(admin, 'PUT', `/magpie/access-token/${used.tokenId}/status/enabled`);
    expect((await ticketOf(used.token)).status).toBe(200);
  });

  it('a deleted one is over', async () => {
    const used = await inUse();
    await call(admin, 'DELETE', `/magpie/access-token/${used.tokenId}`);
    await isOver(used);
  });

  it('an expired one is over, and cannot be enabled', async () => {
    const used = await inUse();
    const file = join(embedded.data, 'tokens.json');
    const stored = JSON.parse(await readFile(file, 'utf8')) as { tokens: { tokenId: string; expiresAt: string }[] };
    for (const token of stored.tokens) if (token.tokenId === used.tokenId) token.expiresAt = new Date(Date.now() - 1_000).toISOString();
    await writeFile(file, JSON.stringify(stored));
    await isOver(used);
    expect((await call(admin, 'PUT', `/magpie/access-token/${used.tokenId}/status/enabled`)).status).toBe(409);
  });

  it('cannot make tokens, neither as a token nor dressed up as a cookie', async () => {
    const { token } = await newToken();
    await ticketOf(token);
    expect((await request(url, 'POST', '/api/magpie/access-token', { headers: bearer(token) })).status).toBe(403);
    const name = admin.cookie.split('=')[0]!;
    const dressed = { cookie: `${name}=${encodeURIComponent(`bearer:${token}`)}`, identity: admin.identity };
    expect((await call(dressed, 'POST', '/magpie/access-token', {})).status).toBe(401);
  });

  it('belongs to its user: others neither see nor change it', async () => {
    const { tokenId } = await newToken();
    await new Users(embedded.data).set('dave', { password: PASSWORD, roles: ['magpie.AccessToken'] });
    const dave = await login(url, 'dave', PASSWORD);
    expect((await call(dave, 'GET', '/magpie/access-token')).json).toEqual([]);
    expect((await call(dave, 'PUT', `/magpie/access-token/${tokenId}/status/disabled`)).status).toBe(404);
    expect((await call(dave, 'PUT', `/magpie/access-token/${tokenId}/description`, 'x', { 'Content-Type': 'text/plain' })).status).toBe(404);
    expect((await call(dave, 'DELETE', `/magpie/access-token/${tokenId}`)).status).toBe(404);
    expect((await call(admin, 'PUT', `/magpie/access-token/${tokenId}/status/maybe`)).status).toBe(400);
    expect((await call(admin, 'PUT', `/magpie/access-token/${tokenId}/description`, 'x'.repeat(256), { 'Content-Type': 'text/plain' })).status).toBe(400);
  });

  it.each(['tdg_', 'tdg_wrong', 'other', '', 'tdg_wrong, tdg_other'])('the token "%s" is nobody\'s', async (token) => {
    expect((await ticketOf(token)).status).toBe(401);
  });
});

describe('users that are no more', () => {
  /** A user in the midst of work: a cookie, a token, a socket that listens to a note. */
  const atWork = async (name: string) => {
    await new Users(embedded.data).set(name, { password: PASSWORD, roles: ['magpie.AccessToken'] });
    const who = await login(url, name, PASSWORD);
    const { token } = await newToken(who);
    expect((await request(url, 'GET', '/api/notebook', { headers: bearer(token) })).status).toBe(200);
    const { id, paragraphs } = await create(who);
    const socket = await openSocket(url, { identity: who.identity });
    socket.send({ op: 'GET_NOTE', data: { id } });
    await socket.next('NOTE');
    return { who, token, id, paragraphs, socket };
  };

  it('a removed user is refused at once: session, token and live channel', async () => {
    const { who, token, id, paragraphs, socket } = await atWork('eve');
    await new Users(embedded.data).remove('eve');
    socket.send({ op: 'COMMIT_PARAGRAPH', data: { id: paragraphs[0], noteId: id, paragraph: 'still here' } });
    expect((await socket.next('SESSION_LOGOUT', 'PARAGRAPH')).op).toBe('SESSION_LOGOUT');
    expect((await call(who, 'GET', '/notebook')).status).toBe(401);
    expect((await call(who, 'PUT', `/notebook/${id}/paragraph/${paragraphs[0]}`, { text: 'still here' })).status).toBe(401);
    expect((await request(url, 'GET', '/api/notebook', { headers: bearer(token) })).status).toBe(401);
    socket.socket.close();
  });

  it('a removed user who only listens is told, and hears nothing more', async () => {
    const { id, paragraphs, socket } = await atWork('mallory');
    await new Users(embedded.data).remove('mallory');
    await socket.next('SESSION_LOGOUT');
    await call(admin, 'PUT', `/notebook/${id}/paragraph/${paragraphs[0]}`, { text: 'private now' });
    socket.send('{"op":"LIST_NOTES"}');
    expect((await socket.next('SESSION_LOGOUT', 'PARAGRAPH', 'NOTES_INFO')).op).toBe('SESSION_LOGOUT');
    socket.socket.close();
  });

  it('a new password ends the sessions of the old one', async () => {
    const { who, socket } = await atWork('trent');
    await new Users(embedded.data).set('trent', { password: `${PASSWORD}-new` });
    expect((await call(who, 'GET', '/notebook')).status).toBe(401);
    await socket.next('SESSION_LOGOUT');
    expect((await login(url, 'trent', `${PASSWORD}-new`)).identity.principal).toBe('trent');
    socket.socket.close();
  });

  it('who loses the role that let him read a note soon hears nothing more of it, without a word of his own', async () => {
    await new Users(embedded.data).set('victor', { password: PASSWORD, roles: ['analyst'] });
    const { id, paragraphs } = await create();
    await call(admin, 'PUT', `/notebook/${id}/permissions`, { owners: ['admin'], writers: ['admin'], runners: ['admin'], readers: ['analyst'] });
    const { identity } = await login(url, 'victor', PASSWORD);
    const socket = await openSocket(url, { identity });
    socket.send({ op: 'GET_NOTE', data: { id } });
    await socket.next('NOTE');
    const hears = async () => {
      await call(admin, 'PUT', `/notebook/${id}/paragraph/${paragraphs[0]}`, { text: `said ${(named += 1)}` });
      // Comes back on every socket that was told of the edit before it; needs no right.
      socket.send({ op: 'LIST_CONFIGURATIONS' });
      const heard = (await socket.next('PARAGRAPH', 'CONFIGURATIONS_INFO')).op === 'PARAGRAPH';
      if (heard) await socket.next('CONFIGURATIONS_INFO');
      return heard;
    };
    expect(await hears()).toBe(true);
    await new Users(embedded.data).set('victor', { roles: [] });
    await expect.poll(hears, { timeout: 20_000 }).toBe(false);
    socket.socket.close();
  });

  it('a role that is taken away is gone at the next call', async () => {
    const { who } = await atWork('walter');
    expect((await call(who, 'GET', '/magpie/access-token')).status).toBe(200);
    await new Users(embedded.data).set('walter', { roles: [] });
    expect((await call(who, 'GET', '/magpie/access-token')).status).toBe(403);
  });
});

describe('pages', () => {
  const policy = (text: string) => Object.fromEntries(text.split(';').map((part) => {
    const [name = '', ...values] = part.trim().split(/\s+/);
    return [name, values.sort()];
  }));

  it('the app has the page policy, with nothing added but its own sockets and the pages that embed it', async () => {
    const answer = await request(url, 'GET', '/');
    expect(answer.status).toBe(200);
    const wanted = policy(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; media-src 'self' data: blob:; " +
      "connect-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'self'; " +
      "require-trusted-types-for 'script'; trusted-types dompurify tiding#worker tiding#frame",
    );
    const { port } = embedded.server;
    expect(policy(String(answer.headers['content-security-policy']))).toEqual({
      ...wanted,
      'connect-src': ["'self'", `ws://127.0.0.1:${port}`, `ws://localhost:${port}`],
      'frame-ancestors': ["'self'", LISTED],
    });
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cross-origin-opener-policy': 'same-origin',
    });
  });

  it('the frame of foreign HTML has its own policy and no other address', async () => {
    const answer = await request(url, 'GET', '/output-frame/1');
    expect(answer.text).toContain('<title>frame</title>');
    expect(policy(String(answer.headers['content-security-policy']))).toEqual(policy(
      "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; " +
      "media-src data: blob:; connect-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors *",
    ));
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect((await request(url, 'GET', '/output-frame.html')).status).toBe(404);
  });

  it('a file has its type, and is not sniffed', async () => {
    const answer = await request(url, 'GET', '/app-12345678.js');
    expect(answer.headers).toMatchObject({ 'content-type': 'text/javascript; charset=utf-8', 'x-content-type-options': 'nosniff', 'cache-control': 'public, max-age=31536000, immutable' });
  });
});

it('no password, ticket or token is anywhere in the data folder', async () => {
  const { token } = await newToken();
  await request(url, 'GET', '/api/notebook', { headers: bearer(token) });
  for (const entry of await readdir(embedded.data, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = await readFile(join(entry.parentPath, entry.name), 'latin1');
    for (const secret of [token, admin.identity.ticket, admin.cookie.split('=')[1]!, ADMIN_PASSWORD, PASSWORD]) {
      expect(text.includes(secret), entry.name).toBe(false);
    }
  }
  expect(existsSync(join(embedded.data, 'users.json'))).toBe(true);
});
