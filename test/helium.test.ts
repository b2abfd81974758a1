/**
 * Packages from an npm registry: searched, installed, built and enabled over HTTP; and attacks by a
 * bad registry or package.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { archive, startRegistry, type TestRegistry } from './support/npm-registry.ts';
import { bodyOf } from './support/people.ts';
import { asPage, type Login, login, request, startEmpty } from './support/raw.ts';

let registry: TestRegistry;
let embedded: Awaited<ReturnType<typeof startEmpty>>;
let admin: Login;

const call = (method: string, path: string, body?: string | object) =>
  request(embedded.server.url, method, `/api/helium${path}`, {
    headers: {
      ...asPage(admin),
      ...(typeof body === 'string' ? { 'Content-Type': 'text/plain' } : {}),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
type Entry = {
  registry: string;
  enabled: boolean;
  pkg: { name: string; artifact: string; type: string; published?: string; icon?: string };
};
const list = () => bodyOf<Record<string, Entry[]>>(call('GET', '/package'));
const enable = (name: string, artifact: string) =>
  call('POST', `/enable/${encodeURIComponent(name)}`, artifact);
const bundle = (name: string, query = '') =>
  call('GET', `/bundle/load/${encodeURIComponent(name)}${query}`);
const message = (answer: Awaited<ReturnType<typeof call>>) =>
  (answer.json as { message: string }).message;
const on = async () =>
  (await bodyOf<Entry[]>(call('GET', '/enabledPackage'))).map(({ pkg }) => pkg.artifact);
const installed = () => readdir(join(embedded.data, 'helium-packages')).catch(() => [] as string[]);

interface Bundle {
  id: string;
  name: string;
  icon: string;
  type: string;
  class: new (...args: unknown[]) => Record<string, (...args: unknown[]) => unknown>;
}
/** Runs a bundle's script as a page would, and returns what it registers. */
function run(script: string, more: object = {}): Bundle[] {
  const heliumBundles: Bundle[] = [];
  runInNewContext(script, { heliumBundles, setTimeout, console, ...more });
  return heliumBundles;
}

beforeEach(async () => {
  registry = await startRegistry();
  embedded = await startEmpty({ logLevel: 'silent', heliumRegistry: registry.url });
  admin = await login(embedded.server.url);
});
afterEach(async () => {
  await embedded.stop();
  await registry.stop();
});

const VIEW = `import Visualization from 'zeppelin-vis';
import Selector from 'zeppelin-tabledata/columnselector';
import Passthrough from 'zeppelin-tabledata/passthrough';
import shout from 'shout';
const late = require('./lib/late');
import icon from './dot.png';
import './look.css';
export default class View extends Visualization {
  constructor(target, config) {
    super(target, config);
    this.selector = new Selector(config, [{ name: 'x' }]);
    this.passthrough = new Passthrough(config);
  }
  getTransformation() { return this.selector; }
  render(data) { this.drawn = shout(late(data.rows.length)) + icon; }
  refresh() { this.refreshed = true; }
}`;
const view = {
  main: 'view',
  keywords: ['zeppelin-visualization'],
  dependencies: { shout: '^1.0.0', 'zeppelin-vis': '*', 'zeppelin-spell': '*' },
  icon: '<i class="v"></i>',
  license: 'MIT',
  description: 'A view',
};
const viewFiles = {
  'package/view.js': VIEW,
  'package/lib/late.js': "module.exports = (n) => 'rows ' + n;",
  'package/dot.png': Buffer.from([1, 2, 3]),
  'package/look.css':
    '.dot { background: url("./dot.png") } .far { background: url(https://example.org/x.png) }',
};
const publishView = (version = '1.0.0') => {
  registry.publish('shout', '1.2.0', {
    files: { 'package/index.js': 'module.exports = (text) => text.toUpperCase();' },
  });
  registry.publish('a-view', version, { files: viewFiles, more: view });
};

describe('a registry', () => {
  it('is searched by keyword; versions are listed newest first [D47]', async () => {
    publishView('1.0.0');
    publishView('1.1.0');
    registry.publish('unrelated', '1.0.0');
    registry.publish('@scope/a-spell', '2.0.0', {
      more: {
        keywords: ['tiding-spell'],
        helium: { icon: '<b></b>', spell: { magic: '%s', usage: '%s x' } },
      },
    });
    const all = await list();
    expect(Object.keys(all).sort()).toEqual(['@scope/a-spell', 'a-view']);
    expect(all['a-view']).toEqual(
      ['1.1.0', '1.0.0'].map((version, at) => ({
        registry: 'npm',
        enabled: false,
        pkg: {
          type: 'VISUALIZATION',
          name: 'a-view',
          artifact: `a-view@${version}`,
          description: 'A view',
          license: 'MIT',
          icon: '<i class="v"></i>',
          published: `2026-01-0${2 - at}T00:00:00.000Z`,
        },
      })),
    );
    expect(all['@scope/a-spell']![0]!.pkg).toMatchObject({
      type: 'SPELL',
      spell: { magic: '%s', usage: '%s x' },
    });
    expect(await installed()).toEqual([]);
  });

  it('that is unreachable hides no installed package, and is reported on use', async () => {
    publishView();
    expect((await enable('a-view', 'a-view@1.0.0')).status).toBe(200);
    registry.intercept = (_, response) => {
      response.writeHead(503).end();
      return true;
    };
    expect(Object.keys(await list())).toEqual(['a-view']);
    const answer = await enable('other', 'other@1.0.0');
    expect([answer.status, message(answer)]).toEqual([
      502,
      `The package registry ${new URL(registry.url).host} answered with status 503 (other).`,
    ]);
    expect((await bundle('a-view')).text).toContain('heliumBundles');
  });

  it('is not contacted if none is configured', async () => {
    await embedded.stop();
    embedded = await startEmpty({ logLevel: 'silent' });
    admin = await login(embedded.server.url);
    publishView();
    expect(await list()).toEqual({});
    expect((await enable('a-view', 'a-view@1.0.0')).status).toBe(404);
    expect(registry.asked).toEqual([]);
  });

  it('is queried by name for packages that no search finds', async () => {
    registry.publish('plain', '1.0.0', {
      more: { dependencies: { 'zeppelin-vis': '*' } },
      files: {
        'package/index.js': "import V from 'zeppelin-vis'; export default class extends V {}",
      },
    });
    expect(await list()).toEqual({});
    expect(await bodyOf<Entry[]>(call('GET', '/package/plain'))).toMatchObject([
      { pkg: { artifact: 'plain@1.0.0', type: 'VISUALIZATION' }, enabled: false },
    ]);
    expect((await enable('plain', 'plain@1.0.0')).status).toBe(200);
    expect(run((await bundle('plain')).text)).toHaveLength(1);
  });
});

describe('a view', () => {
  it('is installed with its dependencies, built with its imports, and runs', async () => {
    publishView();
    const answer = await enable('a-view', 'a-view@1.0.0');
    expect(answer.status, answer.text).toBe(200);
    expect(await on()).toEqual(['a-view@1.0.0']);
    const script = await bundle('a-view');
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    const styles: string[] = [];
    const document = {
      createElement: () => ({
        set textContent(text: string) {
          styles.push(text);
        },
      }),
      head: { append: () => {} },
    };
    const [one, ...others] = run(script.text, { document });
    expect([others, one!.id, one!.name, one!.icon, one!.type]).toEqual([
      [],
      'a-view',
      'a-view',
      '<i class="v"></i>',
      'VISUALIZATION',
    ]);
    const made = new one!.class({}, { x: { name: 'gone', index: 7 } });
    const table = { columns: [{ name: 'a', index: 0 }], rows: [[1], [2]] };
    const transformed = (
      made['getTransformation']!() as unknown as { transform(data: object): object }
    ).transform(table);
    made['render']!(transformed);
    made['activate']!();
    expect(made).toMatchObject({
      drawn: 'ROWS 2data:image/png,%01%02%03',
      refreshed: true,
      config: { x: null },
    });
    expect(styles[0]).toContain('data:image/png,%01%02%03');
    expect(styles[0]).toContain('https://example.org/x.png');
    // Packages provided by the host were not downloaded.
    expect(registry.asked.filter((path) => path.startsWith('/zeppelin-'))).toEqual([]);
  });

  it('is built once, and again when its version or files change, or on request', async () => {
    publishView('1.0.0');
    await enable('a-view', 'a-view@1.0.0');
    const folder = join(embedded.data, 'helium-bundles');
    const [kept] = await readdir(folder);
    const first = await readFile(join(folder, kept!), 'utf8');
    await writeFile(join(folder, kept!), first.replace('toUpperCase', 'toLowerCase'));
    // Served from the cache …
    expect((await bundle('a-view')).text).toContain('toLowerCase');
    // … unless a refresh is requested, or one of its sources changed.
    expect((await bundle('a-view', '?refresh=true')).text).toContain('toUpperCase');
    await writeFile(
      join(embedded.data, 'helium-packages/a-view@1.0.0/package/lib/late.js'),
      "module.exports = () => 'changed here';",
    );
    expect((await bundle('a-view')).text).toContain('changed here');
    registry.publish('a-view', '2.0.0', {
      files: { ...viewFiles, 'package/lib/late.js': "module.exports = () => 'the second';" },
      more: view,
    });
    expect((await enable('a-view', 'a-view@2.0.0')).status).toBe(200);
    expect((await bundle('a-view')).text).toContain('the second');
    expect((await enable('a-view', 'a-view@1.0.0')).status).toBe(200);
    expect((await bundle('a-view')).text).toContain('changed here');
  });

  it("that can't be built reports why, stays disabled, and affects no other", async () => {
    publishView();
    await enable('a-view', 'a-view@1.0.0');
    registry.publish('torn', '1.0.0', {
      more: { keywords: ['zeppelin-visualization'] },
      files: {
        'package/index.js':
          "import x from './nowhere';\nimport y from 'zeppelin-tabledata/unknown';\n" +
          'export default class {',
      },
    });
    const answer = await enable('torn', 'torn@1.0.0');
    expect(answer.status).toBe(500);
    expect(message(answer)).toMatch(/^The package torn could not be built: .*\(index\.js:\d\)/);
    expect(message(answer)).not.toContain(embedded.data);
    expect(await on()).toEqual(['a-view@1.0.0']);
    expect(run((await bundle('a-view')).text)).toHaveLength(1);
    // A build that fails later is answered as text, like upstream does.
    await writeFile(
      join(embedded.data, 'helium-packages/a-view@1.0.0/package/view.js'),
      'export default class {',
    );
    const broken = await bundle('a-view');
    expect([broken.status, broken.headers['content-type']]).toEqual([
      200,
      'text/plain; charset=utf-8',
    ]);
    expect(broken.text).toMatch(/^ERROR: The package a-view could not be built: .*view\.js:1/);
  });

  it.each([
    [
      'a file outside it',
      "import secret from '../../../../users.json'; export default class { x = secret }",
    ],
    [
      'a file by its absolute path',
      (data: string) =>
        `import secret from ${JSON.stringify(join(data, 'users.json'))}; ` +
        'export default class { x = secret }',
    ],
    [
      'a package of the server',
      "import esbuild from 'esbuild'; import hono from 'hono'; " +
        'export default class { x = [esbuild, hono] }',
    ],
    ['a URL in a stylesheet', "import './look.css'; export default class {}"],
  ])("can't read files of this machine through %s", async (_, source) => {
    registry.publish('thief', '1.0.0', {
      more: { keywords: ['zeppelin-visualization'] },
      files: {
        'package/index.js': typeof source === 'string' ? source : source(embedded.data),
        'package/look.css': '.a { background: url("../../../users.json") } @import "/etc/passwd";',
      },
    });
    const answer = await enable('thief', 'thief@1.0.0');
    expect(answer.status, answer.text).toBe(500);
    expect(message(answer)).not.toMatch(/passwordSet|scrypt|root:/);
  });
});

describe('a spell', () => {
  it('runs on the base classes provided by the host', async () => {
    registry.publish('echo', '1.0.7', {
      more: {
        main: 'index',
        dependencies: { 'zeppelin-spell': '*' },
        helium: { spell: { magic: '%echo', usage: '%echo <TEXT>' } },
      },
      files: {
        'package/index.js':
          "import { SpellBase, SpellResult, DefaultDisplayType } from 'zeppelin-spell';\n" +
          'export default class Echo extends SpellBase {\n' +
          "  constructor() { super('%echo'); }\n  interpret(text, config) {\n" +
          '    return new SpellResult(Promise.resolve(text.repeat(config.n)))\n' +
          "      .add('<b>', DefaultDisplayType.HTML);\n  }\n}",
      },
    });
    expect((await enable('echo@1.0.7', 'SPELL')).status).toBe(200);
    const [one] = run((await bundle('echo')).text);
    const spell = new one!.class();
    expect([one!.type, spell['getMagic']!()]).toEqual(['SPELL', '%echo']);
    const result = spell['interpret']!('ab', { n: 2 }) as {
      getAllParsedDataWithTypes(): Promise<{ data: unknown; type: unknown }[]>;
    };
    expect(
      (await result.getAllParsedDataWithTypes()).map(({ data, type }) => [data, type]),
    ).toEqual([
      ['abab\n', 'TEXT'],
      ['<b>', 'HTML'],
    ]);
  });
});

describe('an installation', () => {
  const kind = { keywords: ['zeppelin-visualization'] };
  const source = { 'package/index.js': 'export default class {}' };

  it('resolves each dependency, also two versions of one, and runs no scripts', async () => {
    const mark = join(embedded.data, 'ran');
    registry.publish('b', '1.0.0', { files: { 'package/index.js': "module.exports = 'b1';" } });
    registry.publish('b', '2.0.0', { files: { 'package/index.js': "module.exports = 'b2';" } });
    registry.publish('a', '1.0.0', {
      more: { dependencies: { b: '^1.0.0', c: '*' } },
      files: { 'package/index.js': "module.exports = 'a+' + require('b') + '+' + require('c');" },
    });
    registry.publish('c', '1.0.0', {
      more: { dependencies: { a: '*' } },
      files: { 'package/index.js': "module.exports = 'c';" },
    });
    registry.publish('top', '1.0.0', {
      more: {
        ...kind,
        dependencies: { a: '~1.0.0', b: '>=2' },
        scripts: {
          preinstall: `touch ${mark}`,
          install: `touch ${mark}`,
          postinstall: `touch ${mark}`,
        },
      },
      files: {
        'package/index.js':
          "const all = [require('a'), require('b')]; " +
          "module.exports = class { all() { return all.join(' '); } };",
      },
    });
    const answer = await enable('top', 'top@1.0.0');
    expect(answer.status, answer.text).toBe(200);
    const [one] = run((await bundle('top')).text);
    expect(new one!.class()['all']!()).toBe('a+b1+c b2');
    expect(existsSync(mark)).toBe(false);
    expect(await installed()).toEqual(['top@1.0.0']);
  });

  const other = archive({
    'package/package.json': JSON.stringify({ name: 'other', version: '1.0.0' }),
    ...source,
  });
  it.each<[string, Parameters<TestRegistry['publish']>[2], number, string]>([
    [
      'an archive that is not the published one',
      { dist: { integrity: `sha512-${Buffer.alloc(64).toString('base64')}` } },
      502,
      'its sha512 differs',
    ],
    [
      'no sha512',
      { dist: { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' } },
      502,
      'has no sha512',
    ],
    [
      'an archive on another host',
      { dist: { tarball: 'http://127.0.0.1:9/x.tgz' } },
      502,
      'is not on the registry',
    ],
    [
      'an archive by another scheme',
      { dist: { tarball: 'file:///etc/passwd' } },
      502,
      'is not on the registry',
    ],
    ['an archive of another package', { content: other }, 400, 'contains another package'],
    ['a file that is not an archive', { content: Buffer.from('<html>') }, 400, 'is damaged'],
    [
      'a link',
      {
        files: { ...source, 'package/link.js': { type: 'SymbolicLink', linkpath: '/etc/passwd' } },
      },
      400,
      'neither a file nor a folder (SymbolicLink: package/link.js)',
    ],
    [
      'a hard link',
      {
        files: { ...source, 'package/link.js': { type: 'Link', linkpath: 'package/package.json' } },
      },
      400,
      'neither a file nor a folder',
    ],
    [
      'a device',
      { files: { ...source, 'package/null': { type: 'CharacterDevice' } } },
      400,
      'neither a file nor a folder',
    ],
    [
      'a path to a parent folder',
      { files: { ...source, 'package/../../../escaped.js': 'x' } },
      400,
      'contains a path outside of it',
    ],
    [
      'an absolute path',
      { files: { ...source, '/tmp/escaped.js': 'x' } },
      400,
      'contains a path outside of it',
    ],
    [
      'a decompression bomb',
      { content: archive({ 'package/zeros': Buffer.alloc(65 * 2 ** 20) }) },
      400,
      'has more than 67108864 bytes',
    ],
    [
      'a dependency by URL',
      { files: source, more: { dependencies: { x: 'git+https://example.org/x.git' } } },
      400,
      'only versions in the registry can be installed',
    ],
    [
      'a dependency by path',
      { files: source, more: { dependencies: { x: 'file:../../..' } } },
      400,
      'only versions in the registry can be installed',
    ],
    [
      'a dependency with a bad name',
      { files: source, more: { dependencies: { '../x': '1' } } },
      400,
      'a dependency with an invalid name',
    ],
    [
      'an unknown dependency',
      { files: source, more: { dependencies: { nowhere: '^1' } } },
      404,
      'needs nowhere ^1, which the registry does not have',
    ],
  ])('refuses %s, and leaves nothing behind', async (_, published, status, why) => {
    registry.publish('bad', '1.0.0', { ...published, more: { ...kind, ...published?.more } });
    const answer = await enable('bad', 'bad@1.0.0');
    expect(answer.status, answer.text).toBe(status);
    expect(message(answer)).toContain(why);
    expect(await installed()).toEqual([]);
    expect(await on()).toEqual([]);
    expect(existsSync(join(embedded.data, 'escaped.js')) || existsSync('/tmp/escaped.js')).toBe(
      false,
    );
  });

  it('refuses an endless chain of dependencies [S89]', async () => {
    for (let n = 0; n < 30; n += 1)
      registry.publish(`n${n}`, '1.0.0', { more: { dependencies: { [`n${n + 1}`]: '*' } } });
    registry.publish('long', '1.0.0', {
      files: source,
      more: { ...kind, dependencies: { n0: '*' } },
    });
    const answer = await enable('long', 'long@1.0.0');
    expect([answer.status, message(answer)]).toEqual([
      400,
      'The package long has too many dependencies: more than 300, ' +
        'or more than 20 levels. Nothing was installed.',
    ]);
    expect(await installed()).toEqual([]);
  });

  it('follows no redirect', async () => {
    registry.intercept = (_, response) => {
      response.writeHead(302, { Location: 'http://127.0.0.1:9/' }).end();
      return true;
    };
    const answer = await enable('x', 'x@1.0.0');
    expect([answer.status, message(answer)]).toEqual([
      502,
      `The package registry ${new URL(registry.url).host} redirected to another address, ` +
        'which is not allowed (x).',
    ]);
  });

  it('of an unrelated package is refused', async () => {
    registry.publish('lodash', '4.0.0');
    expect((await enable('lodash', 'lodash@4.0.0')).status).toBe(400);
    for (const [name, artifact] of [
      ['a', 'b@1.0.0'],
      ['../x', '../x@1.0.0'],
      ['x', 'x@latest'],
      ['nope', 'nope@1.0.0'],
    ])
      expect((await enable(name!, artifact!)).status, artifact).toBe(404);
  });

  it('is for administrators', async () => {
    const { Users } = await import('../server/auth/users.ts');
    await new Users(embedded.data).set('bob', { password: 'a-password-for-tests' });
    publishView();
    admin = await login(embedded.server.url, 'bob', 'a-password-for-tests');
    expect((await enable('a-view', 'a-view@1.0.0')).status).toBe(403);
    registry.asked.length = 0;
    expect(await bodyOf<Entry[]>(call('GET', '/package/shout'))).toEqual([]);
    expect(registry.asked).not.toContain('/shout');
  });
});

/**
 * Tests against the real npm registry: `TIDING_TEST_NPM=1 npx vitest run test/helium.test.ts -t
 * 'registry.npmjs.org'`.
 */
describe.skipIf(!process.env['TIDING_TEST_NPM'])('registry.npmjs.org', () => {
  it.each([
    ['zeppelin-bubblechart', '0.0.4', 'VISUALIZATION'],
    ['zeppelin-echo-spell', '1.0.7', 'SPELL'],
    ['zeppelin-leaflet', '1.0.5', 'VISUALIZATION'],
    ['zeppelin-highcharts-columnrange', '0.0.4', 'VISUALIZATION'],
  ])('%s %s is installed and built', async (name, version, type) => {
    await embedded.stop();
    embedded = await startEmpty({
      logLevel: 'silent',
      heliumRegistry: 'https://registry.npmjs.org',
    });
    admin = await login(embedded.server.url);
    const answer = await enable(name, `${name}@${version}`);
    expect(answer.status, answer.text).toBe(200);
    const script = (await bundle(name)).text;
    expect(script).toContain('heliumBundles');
    process.stdout.write(`${name}@${version}: ${script.length} characters\n`);
    if (!/leaflet|highcharts/.test(name)) {
      const [one] = run(script);
      expect([one!.type, typeof new one!.class({ append: () => {} }, {})]).toEqual([
        type,
        'object',
      ]);
    }
  });
});
