/** Probes for settings, interpreters, packages and other administration. */
import { isHttpError } from '@tiding/client';
import { gone, type Lab, must, type Probes, paragraphOf, refused, withSetting } from './lab.ts';

/** Tolerates an HTTP error: Zeppelin may fail on its own answer. */
const orFails = ({ isTiding }: Lab, call: Promise<unknown>) =>
  call.catch((error: unknown) => {
    if (isTiding || !isHttpError(error)) throw error;
  });

export const administrationProbes = {
  LIST_CONFIGURATIONS: async ({ client }) =>
    must(Object.keys(await client.notes.configurations()).length > 3, 'no settings'),
  GET_INTERPRETER_BINDINGS: async ({ open }) =>
    must((await (await open()).bindings()).length > 0, 'no bindings'),
  SAVE_INTERPRETER_BINDINGS: async ({ open }) => {
    const note = await open();
    const last = (await note.bindings()).at(-1)!;
    must((await note.bind([last.id])).length > 0, 'no bindings');
  },
  GET_INTERPRETER_SETTINGS: async ({ client }) =>
    must((await client.interpreters.available()).length > 0, 'no settings'),
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
  listConnections: async ({ client }) =>
    must((await client.connections.list()).length === 0, 'unexpected connection'),
  testConnection: async ({ client }) => {
    await refused('http', client.connections.test('nowhere'), 404);
    const properties = { host: '127.0.0.1', port: '1', user: 'u' };
    const { ok, message } = await client.connections.test('new', { kind: 'mysql', properties });
    must(!ok && message!.includes('ECONNREFUSED'), String(message));
  },
  previewAssistant: ({ client, newNote }) =>
    newNote().then((id) =>
      refused('http', client.assistant.preview(id, { task: 'write', question: 'x' }), 404),
    ),
  askAssistant: ({ client, newNote }) =>
    newNote().then((id) =>
      refused('http', client.assistant.ask(id, { task: 'write', question: 'x' }), 404),
    ),
  connectionSchema: ({ client }) => refused('http', client.connections.schema('nowhere'), 404),
  connectionPreview: ({ client }) =>
    refused('http', client.connections.preview('nowhere', 'orders'), 404),
  getRevisionControl: ({ client }) => client.revisionControl.get(),
  setRevisionControl: ({ client }) => client.revisionControl.remove(),
  syncRevisions: ({ client }) => refused('http', client.revisionControl.sync(), 409),
  commandLine: async ({ client }) =>
    must((await client.call('commandLine')).status < 400, 'no file'),
  getBindings: async ({ client, newNote }) =>
    must(
      (await client.call('getBindings', { params: { noteId: await newNote() } })).length > 0,
      'none',
    ),
  setBindings: async ({ client, newNote }) =>
    client.call('setBindings', { params: { noteId: await newNote() }, body: ['sql'] }),
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
  listKernels: async ({ client }) =>
    must(Array.isArray((await client.interpreters.kernels()).kernels), 'no list'),
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
} satisfies Probes;
