/** The states of each element in the gallery and the docs: on a server in memory or on examples. */
import { createClient, memoryServer, widgetIds } from './gallery-server.js';

// A server in memory with two notes, and answers for pages that make other REST calls.
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
const regions = ['Africa', 'America', 'Antarctica', 'Asia', 'Australia', 'Europe'];
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
const database = (name, login) => ({
  name,
  kind: 'postgresql',
  title: 'PostgreSQL',
  host: 'db.example.com',
  port: 5432,
  database: name,
  user: login === 'missing' ? '' : 'reader',
  login,
  readOnly: true,
  ...(login === 'missing' ? { problem: `There is no login for ${name}.` } : {}),
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
  'GET /magpie/connections': [database('sales', 'shared'), database('archive', 'missing')],
  'POST /magpie/connections/sales/test': { ok: true, version: 'PostgreSQL 17.6', latencyMs: 1.4 },
  'GET /magpie/connections/sales/schema': {
    more: false,
    relations: [
      {
        schema: 'public',
        name: 'orders',
        reference: 'orders',
        kind: 'table',
        rows: 1_284_000,
        columns: [
          { name: 'id', type: 'integer', nullable: false },
          { name: 'customer', type: 'text', nullable: true },
        ],
      },
    ],
  },
  'GET /magpie/connections/sales/preview': {
    columns: [
      { name: 'id', type: 'int32' },
      { name: 'customer', type: 'text' },
    ],
    rows: [
      ['1', 'Ada'],
      ['2', null],
    ],
    more: true,
  },
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

/** Links of the navigation bar. */
const places = [
  { path: '/jobs', label: 'Job Manager', group: 'main' },
  { path: '/clusters', label: 'Clusters', group: 'main' },
  { path: '/configuration', label: 'Configuration', group: 'workspace' },
  { path: '/account', label: 'Access tokens', group: 'account' },
];
/** Properties of the elements besides the client, by state. */
const states = {
  'tiding-workbench': { 'one client for its children': { inside: ['tiding-note-list'] } },
  'tiding-notebook': {
    'a note': { note: 'flights' },
    'as a report': { note: 'flights', look: 'report' },
    bare: { note: 'flights', bare: true },
    'no such note': { note: 'nowhere' },
  },
  'tiding-paragraph': {
    'a paragraph': { note: 'flights', paragraph: 'p1' },
    'a failed paragraph': { note: 'flights', paragraph: 'p3' },
    'only the result': { note: 'flights', paragraph: 'p1', look: 'embed' },
    'no such paragraph': { note: 'flights', paragraph: 'nowhere' },
  },
  // Its page comes from a server, and the gallery has none.
  'tiding-paragraph-frame': { 'without a server': { client: undefined } },
  'tiding-password-reset': {
    'with a link token': { resetToken: 'token' },
    'without a link token': {},
  },
  'tiding-connections': {
    'all connections': {},
    'tables of a connection': { connection: 'sales' },
  },
  'tiding-filter': {
    values: { portal: 'gallery', column: 'region', label: 'Region', options: regions },
    'a range of numbers': { portal: 'gallery', column: 'price', label: 'Price', type: 'range' },
    'a range of dates': { portal: 'gallery', column: 'day', label: 'Day', type: 'date' },
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

/** Returns the widget of an example file: `data-set-profile` for `data-set-profile-full`. */
const widgetOf = (name) =>
  [...widgetIds]
    .filter((id) => name === id || name.startsWith(`${id}-`))
    .sort((a, b) => b.length - a.length)[0];
/** Returns the payload with invalid values: the widget lists the problems and shows the rest. */
const spoiled = (data) =>
  JSON.parse(JSON.stringify(data), (key, value) =>
    key === 'name' || key === 'description'
      ? ['wrong']
      : Array.isArray(value)
        ? [...value, 7]
        : value,
  );

/**
 * Returns the states of an element as `[title, { attributes, inside, …properties }]`.
 *
 * @param payloads example data by name
 */
export function statesOf({ tagName, widget }, payloads) {
  if (widget === undefined && tagName !== 'tiding-widget') {
    const given = states[tagName] ?? { 'with a server': {} };
    const shown = Object.entries(given).map(([title, properties]) => [
      title,
      { client, ...properties },
    ]);
    // The workbench itself shows nothing, with or without a server.
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
    ['an envelope as attribute', { attributes: { data: JSON.stringify(envelope) } }],
    ['an invalid payload', { ...first[1], data: spoiled(first[1].data) }],
    ['nothing to show', {}],
  ];
}

/** Creates an element in a state, without adding it to the page. */
export function elementIn(tagName, { attributes = {}, inside = [], ...properties }, theme) {
  const element = document.createElement(tagName);
  for (const [name, value] of Object.entries({ theme, ...attributes }))
    element.setAttribute(name, value);
  Object.assign(element, properties);
  for (const tag of inside) element.append(elementIn(tag, {}, theme));
  return element;
}

const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const attribute = ([name, value]) =>
  value === ''
    ? ` ${name}`
    : ` ${name}='${String(value).replaceAll('&', '&amp;').replaceAll("'", '&#39;')}'`;
// A payload must not end the script that contains it.
const jsonText = (value) => JSON.stringify(value, null, 2).replaceAll('<', '\\u003c');

/** Returns the markup that shows an element in a state on a page with a server. */
export function codeOf(
  tagName,
  { attributes = {}, inside = [], client: given, data, ...properties },
  server = 'https://notes.example.org',
) {
  const set = { ...(given ? { server } : {}), ...attributes };
  const objects = [];
  for (const [name, value] of Object.entries(properties))
    if (typeof value === 'object') objects.push([name, value]);
    else set[kebab(name)] = value === true ? '' : value;
  const children = [
    ...inside.map((tag) => `<${tag}></${tag}>`),
    ...(data === undefined
      ? []
      : [`<script type="application/json">\n${jsonText(data)}\n</script>`]),
  ];
  const content = children.length > 0 ? `\n${children.join('\n')}\n` : '';
  return [
    `<script type="module" src="${server}/tiding.js"></script>`,
    `<${tagName}${Object.entries(set).map(attribute).join('')}>${content}</${tagName}>`,
    ...objects.map(
      ([name, value]) =>
        `<script type="module">\n` +
        `document.querySelector('${tagName}').${name} = ${jsonText(value)};\n</script>`,
    ),
  ].join('\n');
}
