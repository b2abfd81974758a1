/** The gallery: one element at a time in every state, and what the manifest says of it. A plain page: everything is made by the DOM. */
import { createClient, memoryServer, widgetIds } from './gallery-server.js';

const json = (name) => fetch(name).then((response) => response.json());
const [manifest, names] = await Promise.all([json('custom-elements.json'), json('widgets.json')]);
const payloads = new Map(
  await Promise.all(names.map(async (name) => [name, await json(`widgets/${name}.json`)])),
);
const { declarations } = manifest.modules[0];
const elements = declarations.filter(({ customElement }) => customElement);
const common = declarations.find(({ customElement }) => !customElement);

/** `make('a', { href: '#x' }, 'text')`: strings become text, never markup. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// A server in the page: two notes, and answers for the pages that ask for more.
const cluster = (name, state, more) => ({
  clusterId: name,
  name,
  state,
  description: `Cluster ${name}`,
  driverType: { name: 'small' },
  workerType: { name: 'large' },
  workerCount: 2,
  health: { driver: 'Healthy', workers: 'Degraded' },
  ...more,
});
const setting = (name) => ({
  id: name,
  name,
  group: name,
  status: 'READY',
  properties: {},
  dependencies: [],
  interpreterGroup: [{ name, class: name, defaultInterpreter: true }],
  option: {
    remote: true,
    perNote: 'shared',
    perUser: 'shared',
    isExistingProcess: false,
    setPermission: false,
    owners: [],
  },
});
const answers = {
  'GET /magpie/clusters': {
    clusters: [cluster('main_cluster', 'Running'), cluster('night', 'Stopped')],
    currentClusterId: 'main_cluster',
  },
  'GET /magpie/revision-control': {
    remoteUrl: 'https://git.example/notes.git',
    userName: 'ana',
    accessToken: '********',
  },
  'GET /notebook/search': [
    {
      id: 'flights/paragraph/p1',
      name: 'Samples/Flights',
      snippet: 'select carrier, count(*) as <B>trips</B>',
      text: 'select carrier, count(*) as trips',
      header: '<B>Trips</B> by carrier',
    },
  ],
  'GET /helium/package': {
    'bubble-chart': [
      {
        registry: 'npm',
        enabled: true,
        pkg: {
          type: 'VISUALIZATION',
          name: 'bubble-chart',
          artifact: 'bubble-chart@1.0.0',
          description: 'Bubbles',
        },
      },
    ],
  },
  'GET /helium/order/visualization': ['bubble-chart'],
  'GET /interpreter/setting': [setting('python'), setting('sql')],
  'GET /interpreter/property/types': ['string', 'number', 'checkbox'],
  'GET /interpreter/repository': [],
  'GET /configurations/all': {
    'zeppelin.server.port': '8080',
    'zeppelin.notebook.dir': 'notebook',
  },
  'GET /credential': { userCredentials: { 'warehouse.reports': { username: 'reader' } } },
  'GET /magpie/access-token': [],
};
const memory = memoryServer({
  notes: [
    {
      id: 'flights',
      path: 'Samples/Flights',
      paragraphs: [
        {
          id: 'p1',
          title: 'Trips by carrier',
          text: '%sql\nselect carrier, count(*) as trips\nfrom core.trips group by carrier',
          status: 'FINISHED',
          results: {
            code: 'SUCCESS',
            msg: [{ type: 'TABLE', data: 'carrier\ttrips\nAA\t120\nDL\t98\nUA\t77\n' }],
          },
        },
        {
          id: 'p2',
          text: '%sh\necho "500 rows"',
          status: 'FINISHED',
          results: { code: 'SUCCESS', msg: [{ type: 'TEXT', data: '500 rows\n' }] },
        },
        {
          id: 'p3',
          text: '%sh\nexit 1',
          status: 'ERROR',
          results: { code: 'ERROR', msg: [{ type: 'TEXT', data: 'ExitValue: 1\n' }] },
        },
      ],
    },
    { id: 'weather', path: 'Samples/Weather', paragraphs: ['%md\n# Weather'] },
  ],
  interpreters: {
    sh: (script, out) => out.text(`${script}\n`),
    sql: (_script, out) =>
      out.table(
        ['carrier', 'trips'],
        [
          ['AA', 120],
          ['DL', 98],
        ],
      ),
    md: (script, out) => out.text(script),
  },
});
const client = createClient({
  server: memory.server,
  transport: memory.transport,
  async fetch(input, init) {
    const request = new Request(input, init);
    const path = new URL(request.url).pathname.replace(/^\/api/, '');
    const body = answers[`${request.method} ${path}`];
    return body === undefined ? memory.fetch(request) : Response.json({ status: 'OK', body });
  },
});

/** What elements are given beside the client, state by state. */
const places = [
  { path: '/jobs', label: 'Job Manager', group: 'main' },
  { path: '/clusters', label: 'Clusters', group: 'main' },
  { path: '/configuration', label: 'Configuration', group: 'workspace' },
  { path: '/account', label: 'Access tokens', group: 'account' },
];
const states = {
  'tiding-workbench': { 'one client for what is inside it': { inside: ['tiding-note-list'] } },
  'tiding-notebook': {
    'a note': { note: 'flights' },
    'as a report': { note: 'flights', look: 'report' },
    bare: { note: 'flights', bare: true },
    'no such note': { note: 'nowhere' },
  },
  'tiding-paragraph': {
    'a paragraph': { note: 'flights', paragraph: 'p1' },
    'that failed': { note: 'flights', paragraph: 'p3' },
    'result alone': { note: 'flights', paragraph: 'p1', look: 'embed' },
    'no such paragraph': { note: 'flights', paragraph: 'nowhere' },
  },
  // Its page comes from a server: there is none here.
  'tiding-paragraph-frame': { 'without a server': { client: undefined } },
  'tiding-password-reset': {
    'with the token of a link': { resetToken: 'token' },
    'without one': {},
  },
  'tiding-search': { 'a term': { term: 'trips' }, 'no term': {} },
  'tiding-cluster-card': {
    'a cluster': { cluster: 'main_cluster' },
    'no such cluster': { cluster: 'nowhere' },
  },
  'tiding-navigation': {
    'links in a row': { places, path: '/jobs' },
    'as a list': { places, path: '/jobs', list: true },
  },
};

/** The name of the widget whose example a file is: `data-set-profile` of `data-set-profile-full`. */
const widgetOf = (name) =>
  [...widgetIds]
    .filter((id) => name === id || name.startsWith(`${id}-`))
    .sort((a, b) => b.length - a.length)[0];
/** The payload with its first list holding nonsense: what is wrong is said, the rest is shown. */
const spoiled = (data) =>
  JSON.parse(JSON.stringify(data), (key, value) =>
    key === 'name' || key === 'description'
      ? ['wrong']
      : Array.isArray(value)
        ? [...value, 7]
        : value,
  );

function statesOf({ tagName, widget }) {
  if (widget === undefined && tagName !== 'tiding-widget') {
    const given = states[tagName] ?? { 'with a server': {} };
    const shown = Object.entries(given).map(([title, properties]) => [
      title,
      { client, ...properties },
    ]);
    // One that shows nothing itself shows nothing without a server too.
    return 'without a server' in given || tagName === 'tiding-workbench'
      ? shown
      : [...shown, ['without a server', {}]];
  }
  const examples = [...payloads].filter(([name]) =>
    widget === undefined ? widgetOf(name) !== undefined : widgetOf(name) === widget,
  );
  const shown = examples.map(([name, data]) => [
    name,
    { data, ...(widget === undefined ? { widget: widgetOf(name) } : {}) },
  ]);
  const [first] = shown;
  if (!first) return [['nothing to show', {}]];
  const envelope = { widget: widget ?? first[1].widget, version: 1, data: first[1].data };
  return [
    ...shown,
    ['an envelope in its attribute', { attributes: { data: JSON.stringify(envelope) } }],
    ['a payload with wrong parts', { ...first[1], data: spoiled(first[1].data) }],
    ['nothing to show', {}],
  ];
}

function figure({ tagName }, [title, { attributes = {}, inside = [], ...properties }], theme) {
  const element = make(tagName, { theme, ...attributes });
  Object.assign(element, properties);
  for (const tag of inside) element.append(make(tag, { theme }));
  return make(
    'figure',
    { 'data-state': title },
    make('figcaption', {}, title),
    make('div', { class: 'stage' }, element),
  );
}

/** A table of the manifest; nothing where it has no rows. */
function table(title, heads, rows) {
  if (rows.length === 0) return [];
  const cells = (tag, texts) =>
    make(
      'tr',
      {},
      ...texts.map((text, at) =>
        make(
          tag,
          tag === 'th' ? { scope: 'col' } : {},
          at === 0 && tag === 'td' ? make('code', {}, text) : text,
        ),
      ),
    );
  return [
    make('h3', {}, title),
    make(
      'div',
      { class: 'table', tabindex: '0', role: 'region', 'aria-label': title },
      make(
        'table',
        {},
        make('thead', {}, cells('th', heads)),
        make('tbody', {}, ...rows.map((row) => cells('td', row))),
      ),
    ),
  ];
}
const described = ({ description = '' }) => description;
const reference = (of) => [
  ...table(
    'Attributes',
    ['Name', 'Type', 'Description'],
    (of.attributes ?? []).map((each) => [each.name, each.type.text, described(each)]),
  ),
  ...table(
    'Properties',
    ['Name', 'Type', 'Description'],
    (of.members ?? [])
      .filter(({ kind }) => kind === 'field')
      .map((each) => [each.name, each.type.text, described(each)]),
  ),
  ...table(
    'Methods',
    ['Name', 'Answers', 'Description'],
    (of.members ?? [])
      .filter(({ kind }) => kind === 'method')
      .map((each) => [`${each.name}()`, each.return.type.text, described(each)]),
  ),
  ...table(
    'Events',
    ['Name', 'Description'],
    (of.events ?? []).map((each) => [each.name, described(each)]),
  ),
  ...table(
    'Slots',
    ['Name'],
    (of.slots ?? []).map(({ name }) => [name || '(without a name)']),
  ),
  ...table(
    'Parts',
    ['Name'],
    (of.cssParts ?? []).map(({ name }) => [name]),
  ),
  ...table(
    'Custom properties',
    ['Name', 'Where nobody sets it'],
    (of.cssProperties ?? []).map(({ name, default: value = '' }) => [name, value]),
  ),
];

const looks = document.querySelector('#looks');
const shown = document.querySelector('#shown');
const all = [...elements, { ...common, tagName: 'all-elements' }];
document
  .querySelector('#tags')
  .append(
    make(
      'ul',
      {},
      ...all.map(({ tagName }) =>
        make(
          'li',
          {},
          make(
            'a',
            { href: `#${tagName}` },
            tagName === 'all-elements' ? 'What all have' : `<${tagName}>`,
          ),
        ),
      ),
    ),
  );

function show() {
  const tag = location.hash.slice(1) || elements[0].tagName;
  const of = all.find(({ tagName }) => tagName === tag) ?? all[0];
  const { theme, width } = Object.fromEntries(new FormData(looks));
  document.documentElement.classList.toggle('dark', theme === 'dark');
  shown.className = width ? 'narrow' : '';
  for (const link of document.querySelectorAll('#tags a')) {
    if (link.hash === `#${of.tagName}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  shown.replaceChildren(
    make('h2', {}, of.customElement ? `<${of.tagName}>` : 'What all elements have'),
    make('p', {}, of.description),
    ...(of.customElement ? statesOf(of).map((state) => figure(of, state, theme)) : []),
    ...reference(of),
  );
  shown.dataset.tag = of.tagName;
}
addEventListener('hashchange', show);
looks.addEventListener('change', show);
show();
