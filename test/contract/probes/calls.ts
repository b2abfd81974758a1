/** A probe for each REST call. */
import { randomUUID } from 'node:crypto';
import { isHttpError } from '@tiding/client';
import type { EndpointName } from '@tiding/client/protocol';
import { expect } from 'vitest';
import { INDEX_MS } from '../../support/zeppelin.ts';
import {
  gone,
  type Lab,
  must,
  type Probe,
  paragraphOf,
  refused,
  stops,
  tableNote,
  unique,
  withSetting,
} from './lab.ts';

/** Tolerates an HTTP error: Zeppelin may fail on its own answer. */
const orFails = ({ isTiding }: Lab, call: Promise<unknown>) =>
  call.catch((error: unknown) => {
    if (isTiding || !isHttpError(error)) throw error;
  });
/** Newer Zeppelins support schedules only with accounts, and report that. */
const schedules = (
  { isTiding, accounts, client, newNote }: Lab,
  call: 'setCron' | 'getCron' | 'deleteCron',
  act: () => Promise<void>,
) =>
  act().catch(async (error: unknown) => {
    if (isTiding || accounts || !isHttpError(error) || !/^Cron is not enabled/.test(error.message))
      throw error;
    const params = { noteId: await newNote() };
    if (call !== 'setCron') await refused('http', client.call(call, { params }), 403);
  });

export const calls: { [Name in EndpointName]: Probe } = {
  version: ({ fresh }) => fresh().connect(),
  ticket: ({ client }) => client.session.renew(),
  loginAddress: ({ client }) => refused('http', client.call('loginAddress'), [404, 405]),
  ssoLogin: async ({ client }) =>
    must((await client.call('ssoLogin', { query: { ref: '/' } })).status < 400, 'no page'),
  ssoCallback: async ({ client }) =>
    must(
      (await client.call('ssoCallback', { query: { state: 'unknown' } })).status < 400,
      'no page',
    ),
  openApi: ({ client }) => client.call('openApi'),
  asyncApi: ({ client }) => client.call('asyncApi'),
  login: async ({ fresh, target, accounts }) => {
    const client = fresh();
    if (accounts) await target.signIn(client);
    // The server has no sign-in page without accounts.
    else await refused('http', client.session.login('a', 'b'));
  },
  loginOnce: ({ fresh }) => refused('http', fresh().session.loginOnce('unknown'), 403),
  logout: async ({ fresh, target, accounts }) => {
    const client = fresh();
    if (!accounts) return client.session.logout().catch(() => {});
    // Upstream users have one ticket for all sessions, which ends with any of them.
    await (target.signInOther ?? target.signIn)(client);
    await client.session.logout();
    must(client.state.session.phase === 'signed-out', 'still signed in');
    return undefined;
  },
  magpieConfig: ({ client }) => client.administration.magpieConfig(),
  magpieVersion: ({ client }) => client.administration.productVersion(),
  listTokens: ({ client }) => client.tokens.list(),
  createToken: async ({ client }) =>
    must((await client.tokens.create({ description: 'x' })).token, 'no secret'),
  setTokenStatus: async ({ client }) =>
    client.tokens.setStatus((await client.tokens.create()).tokenId, 'disabled'),
  describeToken: async ({ client }) =>
    must(
      (await client.tokens.describe((await client.tokens.create()).tokenId, 'y')).description ===
        'y',
      'another',
    ),
  deleteToken: async ({ client }) => client.tokens.remove((await client.tokens.create()).tokenId),
  createEmbedToken: async ({ client, newNote, fresh }) => {
    const noteId = await newNote();
    const { token } = await client.embedTokens.create({
      noteId,
      scope: 'view',
      expiresInSeconds: 60,
    });
    must((await fresh({ auth: { token } }).open(noteId)).paragraphs.length === 1, 'no paragraph');
  },
  revokeEmbedToken: async ({ client, newNote }) =>
    client.embedTokens.revoke(
      (await client.embedTokens.create({ noteId: await newNote(), scope: 'run' })).jti,
    ),
  revokeEmbedTokens: ({ client }) => client.embedTokens.revokeAll(),
  // The gateway does not know who created a note, so trust is the reader's decision.
  getTrust: async ({ client, newNote }) =>
    must(
      typeof (await client.call('getTrust', { params: { noteId: await newNote() } })).trusted ===
        'boolean',
      'no answer',
    ),
  setTrust: async ({ client, newNote }) => {
    const params = { noteId: await newNote() };
    must(
      !(await client.call('setTrust', { params, body: { trusted: false } })).trusted,
      'still trusted',
    );
    must(!(await client.call('getTrust', { params })).trusted, 'trusted again');
  },
  findPrincipals: async ({ client, accounts }) =>
    must((await client.people.find('a')).users.length > 0 || !accounts, 'no users'),
  principals: async ({ client }) => must((await client.people.list()).users.length > 0, 'no users'),
  requestPasswordReset: ({ client }) => client.people.requestPasswordReset('nobody@example.org'),
  checkPasswordReset: ({ client }) =>
    refused('http', client.people.checkPasswordReset('unknown'), 404),
  resetPassword: ({ client }) =>
    refused('http', client.people.resetPassword('unknown', 'long-enough-it-is'), 404),
  configurations: async ({ client }) =>
    must(Object.keys(await client.administration.configurations()).length > 3, 'no settings'),
  configurationsByPrefix: async ({ client }) =>
    must(
      Object.keys(await client.administration.configurations('zeppelin.server')).every((key) =>
        key.startsWith('zeppelin.server'),
      ),
      'others',
    ),
  clientConfiguration: ({ client }) => client.call('clientConfiguration'),
  listStorages: async ({ client }) =>
    must((await client.administration.storages()).length > 0, 'none'),
  reloadStorages: ({ client }) => client.administration.reloadStorages(),
  // Upstream answers as if an unknown storage were unchanged.
  updateStorage: ({ client, isTiding }) =>
    isTiding
      ? refused('http', client.administration.updateStorage('unknown', {}), 404)
      : client.administration.updateStorage('unknown', {}),
  setLogLevel: async ({ client, isTiding }) =>
    isTiding
      ? client.administration.setLogLevel('ERROR')
      : refused('http', client.call('setLogLevel', { params: { level: 'LOUD' } }), 406),
  // Zeppelin 0.10 fails here if it uses an unexpected logging library, and reports that. Zeppelin
  // up to 0.12 fails on its own answer.
  getLogger: (lab) =>
    orFails(lab, lab.client.call('getLogger', { query: lab.isTiding ? {} : { name: 'root' } })),
  setLogger: (lab) =>
    orFails(lab, lab.client.call('setLogger', { body: { name: 'root', level: 'ERROR' } })),
  listClusters: async ({ client }) =>
    must((await client.clusters.list()).clusters.length > 0, 'none'),
  setCluster: async ({ client }) => {
    const [cluster] = (await client.clusters.list()).clusters;
    must((await client.clusters.use(cluster!.name)) === cluster!.clusterId, 'unexpected value');
    await client.clusters.unset();
  },
  startCluster: ({ client }) => refused('http', client.clusters.start('nowhere'), 404),
  stopCluster: ({ client }) => refused('http', client.clusters.stop('nowhere'), 404),
  getRevisionControl: ({ client }) => client.revisionControl.get(),
  setRevisionControl: ({ client }) => client.revisionControl.remove(),
  syncRevisions: ({ client }) => refused('http', client.revisionControl.sync(), 409),
  commandLine: async ({ client }) =>
    must((await client.call('commandLine')).status < 400, 'no file'),
  checkResult: async (lab) => {
    const { note, id } = await tableNote(lab);
    must(
      (await lab.client.results.check(`${note.id}.${id}.0`)).contentType.startsWith('text/csv'),
      'unexpected type',
    );
  },
  getResult: async (lab) => {
    const { note, id } = await tableNote(lab);
    const { response, name } = await lab.client.results.get(`${note.id}.${id}.0`);
    must(
      (await response.text()).replaceAll('\r', '') === 'a,b\n1,2\n' && name === 'magpie_export.csv',
      name,
    );
  },
  getObject: async ({ client }) =>
    must((await client.objects.get('cluster', 'local')).widget === 'cluster', 'unexpected widget'),
  putFile: async ({ client }) =>
    must(
      (await client.results.putFile('contract.csv', new TextEncoder().encode('a,b\n1,2\n'))).path,
      'no path',
    ),
  getFile: ({ client }) => refused('http', client.results.file('/nowhere.csv'), 404),

  searchNotes: async ({ client, open }) => {
    const word = `w${randomUUID().slice(0, 8)}`;
    const note = await open(`%md\n${word}`);
    await expect
      .poll(async () => (await client.notes.search(word)).map(({ id }) => id.split('/')[0]), {
        timeout: INDEX_MS,
        interval: 200,
      })
      .toContain(note.id);
  },
  jobHistory: async ({ client, newNote }) => {
    const noteId = await newNote();
    must((await client.jobs.history(noteId)).length === 0, 'a run of a new note');
  },
  listJobs: async ({ client }) => must(Array.isArray(await client.jobs.list()), 'no list'),
  listJobsSince: async ({ client }) => must(Array.isArray(await client.jobs.since(0)), 'no list'),
  capabilities: ({ client }) => client.call('capabilities'),
  getNoteByPath: async ({ client, newNote }) => {
    const path = unique('path');
    const id = await newNote(path);
    must((await client.notes.byPath(path)).id === id, 'unexpected note');
  },
  setCron: (lab) =>
    schedules(lab, 'setCron', async () => {
      const note = await lab.open();
      await note.setSchedule('0 0 0 * * ?');
      await refused('http', note.setSchedule('not a schedule'), 400);
    }),
  getCron: (lab) =>
    schedules(lab, 'getCron', async () => {
      const note = await lab.open();
      await note.setSchedule('0 0 0 * * ?', { releaseResource: true });
      must((await note.schedule())?.cron === '0 0 0 * * ?', 'unexpected value');
    }),
  deleteCron: (lab) =>
    schedules(lab, 'deleteCron', async () => {
      const note = await lab.open();
      await note.setSchedule('0 0 0 * * ?');
      await note.setSchedule(undefined);
      must((await note.schedule()) === undefined, 'still present');
    }),
  listNotes: async ({ client }) => must((await client.call('listNotes')).length > 0, 'none'),
  createNote: async ({ client }) => {
    const name = unique('rest');
    await client.notes.remove(await client.call('createNote', { body: { name, notePath: name } }));
  },
  importNote: async ({ client }) =>
    client.notes.remove(
      await client.notes.importNote({
        name: unique('import'),
        paragraphs: [{ text: 'x' }],
        config: {},
      }),
    ),
  exportNote: async ({ client, newNote }) =>
    must(JSON.parse(await client.notes.export(await newNote())), 'nothing'),
  runNote: async ({ client, open }) => {
    const note = await open('%sh\necho rest');
    await client.jobs.start(note.id);
    await expect.poll(() => note.paragraphs[0]!.status).toBe('FINISHED');
  },
  stopNote: (lab) => stops(lab, (note) => note.stop()),
  noteJob: async ({ client, newNote }) =>
    client.call('noteJob', { params: { noteId: await newNote() } }),
  paragraphJob: async (lab) =>
    must(
      (await lab.client.call('paragraphJob', { params: await paragraphOf(lab) })).status,
      'no status',
    ),
  startParagraph: async ({ client, open }) => {
    const note = await open('%sh\necho started');
    await client.call('startParagraph', {
      params: { noteId: note.id, paragraphId: note.paragraphs[0]!.id },
      body: {},
    });
    await expect.poll(() => note.paragraphs[0]!.status).toBe('FINISHED');
  },
  stopParagraph: (lab) =>
    stops(lab, (note) =>
      lab.client.call('stopParagraph', {
        params: { noteId: note.id, paragraphId: note.paragraphs[0]!.id },
      }),
    ),
  runParagraph: async ({ client, open }) => {
    const note = await open('%sh\necho waited');
    const results = await client.call('runParagraph', {
      params: { noteId: note.id, paragraphId: note.paragraphs[0]!.id },
      body: {},
    });
    must(
      results.code === 'SUCCESS' && results.msg?.[0]?.data.trim() === 'waited',
      JSON.stringify(results),
    );
  },
  getBindings: async ({ client, newNote }) =>
    must(
      (await client.call('getBindings', { params: { noteId: await newNote() } })).length > 0,
      'none',
    ),
  setBindings: async ({ client, newNote }) =>
    client.call('setBindings', { params: { noteId: await newNote() }, body: ['sql'] }),
  listRevisions: async ({ client, newNote }) =>
    client.call('listRevisions', { params: { noteId: await newNote() } }),
  checkpointNote: async ({ client, newNote }) =>
    client.call('checkpointNote', {
      params: { noteId: await newNote() },
      body: { commitMessage: 'm' },
    }),
  getRevision: async ({ client, newNote }) => {
    const noteId = await newNote();
    await client.call('checkpointNote', { params: { noteId }, body: { commitMessage: 'm' } });
    const [revision] = (await client.call('listRevisions', { params: { noteId } })).filter(
      ({ id }) => id !== 'Head',
    );
    must(
      (await client.call('getRevision', { params: { noteId, revisionId: revision!.id } }))
        .paragraphs?.length === 1,
      'unexpected note',
    );
  },
  setRevision: async ({ client, newNote }) => {
    const noteId = await newNote();
    await client.call('checkpointNote', { params: { noteId }, body: { commitMessage: 'm' } });
    const [revision] = (await client.call('listRevisions', { params: { noteId } })).filter(
      ({ id }) => id !== 'Head',
    );
    await client.call('setRevision', { params: { noteId, revisionId: revision!.id } });
  },
  getNote: async ({ client, newNote }) =>
    must((await client.notes.get(await newNote())).paragraphs, 'no paragraphs'),
  deleteNote: async ({ client, newNote }) =>
    client.call('deleteNote', { params: { noteId: await newNote() } }),
  cloneNote: async ({ client, newNote }) =>
    client.notes.remove(await client.notes.clone(await newNote(), unique('clone'))),
  clearNote: async ({ client, newNote }) => client.notes.clear(await newNote()),
  renameNote: async ({ client, newNote }) =>
    client.call('renameNote', {
      params: { noteId: await newNote() },
      body: { name: unique('renamed') },
    }),
  getPermissions: async ({ open }) =>
    must(Array.isArray((await (await open()).permissions()).owners), 'no owners'),
  setPermissions: async ({ open, accounts, client }) => {
    const note = await open();
    const me = client.session.current!.principal;
    const all = { owners: [me], writers: [me], runners: [me], readers: [me] };
    if (accounts) await note.setPermissions(all);
    else await refused('http', note.setPermissions(all), 403).catch(() => note.setPermissions(all));
  },
  nextParagraph: async ({ client, newNote }) =>
    must(
      (
        await client.call('nextParagraph', {
          params: { noteId: await newNote() },
          query: { maxParagraph: 10 },
        })
      ).length > 5,
      'no id',
    ),
  insertParagraph: async ({ client, newNote }) =>
    must(
      (
        await client.call('insertParagraph', {
          params: { noteId: await newNote() },
          body: { title: 't', text: 'x', index: 0 },
        })
      ).length > 5,
      'no id',
    ),
  getParagraph: async (lab) =>
    must((await lab.client.call('getParagraph', { params: await paragraphOf(lab) })).id, 'no id'),
  updateParagraph: async (lab) => {
    const params = await paragraphOf(lab);
    await lab.client.call('updateParagraph', { params, body: { text: 'updated', title: 't' } });
    must((await lab.client.call('getParagraph', { params })).text === 'updated', 'unexpected text');
  },
  configureParagraph: async (lab) =>
    must(
      (
        await lab.client.call('configureParagraph', {
          params: await paragraphOf(lab),
          body: { colWidth: 6 },
        })
      ).config?.colWidth === 6,
      'unexpected width',
    ),
  moveParagraph: async ({ client, open }) => {
    const note = await open();
    const added = await note.insert();
    await client.call('moveParagraph', {
      params: { noteId: note.id, paragraphId: added.id, index: 0 },
    });
    await expect.poll(() => added.index).toBe(0);
  },
  deleteParagraph: async ({ client, open }) => {
    const note = await open();
    const added = await note.insert();
    await client.call('deleteParagraph', { params: { noteId: note.id, paragraphId: added.id } });
    await expect.poll(() => note.paragraphs.length).toBe(1);
  },
  listTemplates: async ({ client }) =>
    must(Object.keys(await client.interpreters.templates()).length > 0, 'none'),
  listSettings: async ({ client }) => must((await client.interpreters.list()).length > 0, 'none'),
  createSetting: (lab) => withSetting(lab, async (id) => must(id, 'no id')),
  getSetting: async ({ client }) =>
    must(
      (await client.interpreters.get((await client.interpreters.list())[0]!.id)).name,
      'no name',
    ),
  updateSetting: (lab) =>
    withSetting(lab, async (id) =>
      lab.client.interpreters.update(id, {
        properties: {},
        dependencies: [],
        option: { remote: true },
      }),
    ),
  deleteSetting: (lab) =>
    withSetting(lab, async (id) => {
      await lab.client.interpreters.remove(id);
      await refused('http', lab.client.interpreters.get(id), 404);
    }),
  restartSetting: (lab) => withSetting(lab, async (id) => lab.client.interpreters.restart(id)),
  listPropertyTypes: async ({ client }) =>
    must((await client.interpreters.propertyTypes()).includes('checkbox'), 'unexpected types'),
  listRepositories: async ({ client }) =>
    must(
      (await client.interpreters.repositories()).some(({ id }) => id === 'central'),
      'no central',
    ),
  addRepository: async ({ client }) => {
    await client.interpreters.addRepository({
      id: `r${gone.slice(0, 6)}`,
      url: 'https://repo.example.org/',
      snapshot: false,
    });
    must(
      (await client.interpreters.repositories()).some(({ id }) => id === `r${gone.slice(0, 6)}`),
      'not listed',
    );
  },
  deleteRepository: ({ client }) => client.interpreters.removeRepository(`r${gone.slice(0, 6)}`),
  settingMetadata: async ({ client }) =>
    client.interpreters.metadata((await client.interpreters.list())[0]!.id),
  installInterpreter: ({ client, isTiding }) =>
    isTiding
      ? refused('http', client.interpreters.install('unknown', 'a:b:1'), 404)
      : client.interpreters.install('unknown', 'a:b:1'),
  listCredentials: ({ client }) => client.credentials.list(),
  putCredential: async ({ client }) => {
    await client.credentials.put(`e.${gone}`, 'u', 'secret');
    must((await client.credentials.list())[`e.${gone}`]?.username === 'u', 'not listed');
  },
  deleteCredential: async ({ client }) => {
    await client.credentials.put(`f.${gone}`, 'u', 'secret');
    await client.credentials.remove(`f.${gone}`);
    await refused('http', client.credentials.remove(`f.${gone}`), 404);
  },
  deleteCredentials: ({ client }) => client.credentials.removeAll(),
  listSessions: async ({ client }) =>
    must(Array.isArray(await client.interpreters.sessions()), 'no list'),
  createSession: async ({ client, isTiding }) => {
    const session = await client.interpreters.startSession(isTiding ? 'js' : 'sh', {
      timeout: 60_000,
    });
    must(session.sessionId, 'no id');
    await client.interpreters.stopSession(session.sessionId!);
  },
  getSession: ({ client }) => refused('http', client.interpreters.session('unknown')),
  deleteSession: ({ client, isTiding }) =>
    isTiding
      ? refused('http', client.interpreters.stopSession('unknown'), 404)
      : client.interpreters
          .stopSession('unknown')
          .catch((error: unknown) => must(isHttpError(error), String(error))),
  listPackages: ({ client }) => client.packages.list(),
  getPackage: async ({ client }) =>
    must((await client.packages.get('unknown')).length === 0, 'unexpected package'),
  listEnabledPackages: async ({ client }) =>
    must(Array.isArray(await client.packages.enabled()), 'no list'),
  loadBundle: async ({ client }) =>
    must((await client.packages.bundle('unknown')) === undefined, 'unexpected package'),
  listPackageConfigs: ({ client }) => client.packages.configs(),
  getPackageConfig: ({ client }) =>
    client.packages
      .config('unknown', 'unknown@1')
      .catch((error: unknown) => must(isHttpError(error), String(error))),
  setPackageConfig: ({ client }) =>
    client.packages
      .configure('unknown', 'unknown@1', {})
      .catch((error: unknown) => must(isHttpError(error), String(error))),
  getSpellConfig: ({ client }) =>
    refused('http', client.packages.spellConfig('unknown'), [400, 500]),
  enablePackage: ({ client }) => refused('http', client.packages.enable('unknown', 'unknown@1')),
  disablePackage: ({ client }) => refused('http', client.packages.disable('unknown'), 404),
  getPackageOrder: async ({ client }) =>
    must(Array.isArray(await client.packages.order()), 'no list'),
  setPackageOrder: ({ client }) => client.packages.setOrder([]),
  suggestPackages: async (lab) => {
    const { noteId, paragraphId } = await paragraphOf(lab);
    must(Array.isArray(await lab.client.packages.suggest(noteId, paragraphId)), 'no list');
  },
  loadPackage: async (lab) => {
    const { noteId, paragraphId } = await paragraphOf(lab);
    const pkg = {
      name: 'unknown',
      type: 'APPLICATION',
      artifact: 'unknown@1',
      description: '',
      icon: '',
      license: '',
      className: 'none',
    };
    const load = lab.client.packages.load(noteId, paragraphId, pkg);
    // Upstream returns an id first, and then reports on the live channel that nothing can be
    // loaded.
    await (lab.isTiding ? refused('http', load, 404) : load);
  },
  unloadPackage: async (lab) => {
    const { noteId, paragraphId } = await paragraphOf(lab);
    await refused(
      lab.isTiding ? 'http' : 'unsupported',
      lab.client.packages.unload(noteId, paragraphId, 'unknown'),
      404,
    );
  },
};
