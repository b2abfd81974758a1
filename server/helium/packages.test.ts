import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pino from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { newNote, newParagraph } from '../notes/note.ts';
import { loadApplication, readBundle } from './application.ts';
import { Packages } from './packages.ts';

let data: string;
let lines: { msg: string; file?: string; level: number }[];
const log = () =>
  pino(
    { level: 'warn' },
    { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[0]) },
  );
const open = () => Packages.open(data, log());
const put = async (path: string, content: object | string) => {
  await mkdir(dirname(join(data, 'helium', path)), { recursive: true });
  await writeFile(
    join(data, 'helium', path),
    typeof content === 'string' ? content : JSON.stringify(content),
  );
};
const view = (artifact: string, more: object = {}) => ({
  type: 'VISUALIZATION',
  name: 'a view',
  artifact,
  description: 'd',
  ...more,
});

beforeEach(async () => {
  data = temporaryFolder();
  lines = [];
});

describe('the local registry', () => {
  it('is empty if there is no folder', async () => {
    expect(await (await open()).all()).toEqual({});
  });

  it('lists descriptions, folders and packages installed by npm', async () => {
    await put('one.json', view('a-view@0.9.0'));
    await put(
      'two/helium.json',
      view('a-view@0.10.0', { published: '2024-01-01', resources: [['x']], own: 7 }),
    );
    await put('three/package.json', {
      name: 'spell',
      version: '1.2.3',
      keywords: ['x', 'zeppelin-spell'],
      license: 'MIT',
      description: 'D',
      helium: { icon: '<i></i>', spell: { magic: '%s', usage: 'u' } },
    });
    await put('node_modules/@scope/app/package.json', {
      name: '@scope/app',
      version: '2.0.0',
      keywords: ['tiding-application'],
    });
    await put('node_modules/other/package.json', { name: 'other', version: '1.0.0' });
    await put('package.json', { dependencies: {} });
    await put('package-lock.json', {});
    await put('readme.md', 'x');
    expect(await (await open()).all()).toEqual({
      'a view': [
        { registry: 'local', pkg: view('a-view@0.9.0'), enabled: false },
        {
          registry: 'local',
          pkg: view('a-view@0.10.0', { published: '2024-01-01', resources: [['x']], own: 7 }),
          enabled: false,
        },
      ],
      spell: [
        {
          registry: 'npm',
          pkg: {
            type: 'SPELL',
            name: 'spell',
            artifact: 'spell@1.2.3',
            license: 'MIT',
            description: 'D',
            icon: '<i></i>',
            spell: { magic: '%s', usage: 'u' },
          },
          enabled: false,
        },
      ],
      '@scope/app': [
        {
          registry: 'npm',
          pkg: { type: 'APPLICATION', name: '@scope/app', artifact: '@scope/app@2.0.0' },
          enabled: false,
        },
      ],
    });
    expect(lines).toEqual([]);
  });

  it('skips invalid descriptions, logs them once, and reads repaired ones', async () => {
    await put('good.json', view('a@1'));
    for (const [name, content] of Object.entries({
      torn: '{"type"',
      list: [],
      none: {},
      kind: { type: 'VIRUS', name: 'x' },
      nameless: { type: 'SPELL', name: '' },
      wrong: { type: 'SPELL', name: 7 },
    }))
      await put(`${name}.json`, content);
    const packages = await open();
    for (let n = 0; n < 3; n += 1) expect(Object.keys(await packages.all())).toEqual(['a view']);
    expect(lines).toHaveLength(6);
    await put('torn.json', { type: 'SPELL', name: 'mended' });
    expect(await packages.named('mended')).toMatchObject([{ pkg: { artifact: 'mended' } }]);
    await rm(join(data, 'helium/good.json'));
    expect(await packages.named('a view')).toEqual([]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'unknown'])(
    'has no package %s',
    async (name) => {
      await put('good.json', view('a@1'));
      expect(await (await open()).named(name)).toEqual([]);
    },
  );
});

describe('a package', () => {
  beforeEach(async () => {
    await put('one.json', view('v@1', { config: { limit: { type: 'number', defaultValue: 5 } } }));
    await put('two.json', view('v@2'));
    await put('app.json', { type: 'APPLICATION', name: 'app', artifact: './app' });
  });
  const on = async (packages: Packages) =>
    (await packages.enabled()).map(({ pkg }) => pkg.artifact);

  it('is enabled by name or artifact, one version at a time', async () => {
    const packages = await open();
    await packages.enable('a view', 'v@1\n');
    expect(await on(packages)).toEqual(['v@1']);
    expect((await packages.named('a view')).map(({ enabled }) => enabled)).toEqual([false, true]);
    await packages.enable('v@2', 'VISUALIZATION');
    expect(await on(packages)).toEqual(['v@2']);
    await packages.enable('./app', '');
    expect(await on(await open())).toEqual(['v@2', './app']);
    await expect(packages.enable('v@1', 'SPELL')).rejects.toMatchObject({ status: 400 });
    await expect(packages.enable('a view', 'v@3')).rejects.toMatchObject({
      status: 404,
      message: 'The package a view has no version v@3.',
    });
    await expect(packages.enable('nope', 'v@1')).rejects.toMatchObject({ status: 404 });
    expect(await on(packages)).toEqual(['v@2', './app']);
  });

  it('is disabled by name or artifact, even if its files are gone', async () => {
    const packages = await open();
    await packages.enable('a view', 'v@1');
    await packages.enable('app', './app');
    await packages.disable('v@1');
    await rm(join(data, 'helium/app.json'));
    expect(await on(packages)).toEqual([]);
    await packages.disable('app');
    await packages.disable('a view');
    await expect(packages.disable('app')).rejects.toMatchObject({ status: 404 });
    await expect(packages.disable('__proto__')).rejects.toMatchObject({ status: 404 });
  });

  it('has separate settings per version and rejects unknown ones', async () => {
    const packages = await open();
    expect(await packages.config('a view', 'v@1')).toEqual({
      confPersisted: {},
      confSpec: { limit: { type: 'number', defaultValue: 5 } },
    });
    expect(await packages.setConfig('a view', 'v@1', { limit: 7 })).toEqual({ limit: 7 });
    await expect(packages.setConfig('a view', 'v@2', { limit: 7 })).rejects.toMatchObject({
      status: 400,
    });
    await expect(packages.setConfig('a view', 'v@3', {})).rejects.toMatchObject({ status: 404 });
    const again = await open();
    expect(again.configs()).toEqual({ 'a view': { 'v@1': { limit: 7 } } });
    expect((await again.config('a view', 'v@1')).confPersisted).toEqual({ limit: 7 });
    expect((await again.config('a view', 'v@2')).confPersisted).toEqual({});
  });

  it('appears in the stored order, and at the end if it is new', async () => {
    await put('other.json', { type: 'VISUALIZATION', name: 'other', artifact: 'o@1' });
    const packages = await open();
    expect(await packages.order()).toEqual([]);
    await packages.enable('a view', 'v@1');
    await packages.enable('app', './app');
    expect(await packages.setOrder(['other', 'later', 'other'])).toEqual([
      'other',
      'later',
      'a view',
    ]);
    expect(await (await open()).order()).toEqual(['other', 'later', 'a view']);
    await expect(packages.setOrder(Array.from({ length: 1_001 }, String))).rejects.toMatchObject({
      status: 400,
    });
  });

  it('does not change if the disk fails', async () => {
    const packages = await open();
    await packages.enable('a view', 'v@1');
    await rm(join(data, 'helium.json'));
    await mkdir(join(data, 'helium.json'));
    await expect(packages.enable('a view', 'v@2')).rejects.toMatchObject({ status: 500 });
    await expect(packages.setOrder(['x'])).rejects.toMatchObject({ status: 500 });
    expect([await on(packages), await packages.order()]).toEqual([['v@1'], ['a view']]);
  });

  it.each(['{"enabled":', '[]', '{"enabled":{"a":7}}'])(
    'is disabled if the list is damaged (%s), which is renamed',
    async (content) => {
      await writeFile(join(data, 'helium.json'), content);
      const packages = await open();
      expect(await on(packages)).toEqual([]);
      const aside = (await readdir(data)).find((name) => name.startsWith('helium.json.damaged-'))!;
      expect(await readFile(join(data, aside), 'utf8')).toBe(content);
      await packages.enable('a view', 'v@1');
      expect(await on(await open())).toEqual(['v@1']);
    },
  );
});

describe('a bundle', () => {
  const bundleOf = async (name: string) => {
    const packages = await open();
    await packages.enable(name, (await packages.named(name))[0]!.pkg.artifact!);
    return (await packages.enabledNamed(name))!;
  };
  const describedAs = (name: string) => ({ type: 'APPLICATION', name });

  it('is located beside its description, in its folder, or at "main"', async () => {
    await put('a.json', describedAs('a'));
    await put('a.js', 'a();');
    await put('b/helium.json', describedAs('b'));
    await put('b/index.js', 'b();');
    await put('c/package.json', {
      name: 'c',
      version: '1.0.0',
      keywords: ['tiding-application'],
      main: './dist/c.js',
    });
    await put('c/dist/c.js', 'c();');
    for (const name of ['a', 'b', 'c'])
      expect(await readBundle(await bundleOf(name), 100)).toBe(`${name}();`);
    await expect(readBundle(await bundleOf('a'), 3)).rejects.toMatchObject({ status: 413 });
  });

  it('is never outside the folder [S58]', async () => {
    await writeFile(join(data, 'secret.key'), 'secret');
    await put('up/package.json', {
      name: 'up',
      version: '1',
      keywords: ['tiding-application'],
      main: '../../secret.key',
    });
    await put('link/helium.json', describedAs('link'));
    await symlink(join(data, 'secret.key'), join(data, 'helium/link/index.js'));
    await put('dir/helium.json', describedAs('dir'));
    await mkdir(join(data, 'helium/dir/index.js'));
    for (const name of ['up', 'link', 'dir'])
      await expect(readBundle(await bundleOf(name), 100), name).rejects.toMatchObject({
        status: 404,
      });
  });

  it("of an application runs with the paragraph's tables", async () => {
    await put('d/helium.json', describedAs('d.e'));
    await put('d/index.js', "const end = '</script><!--'; for (let i = 0; i<script; i += 1);");
    const note = newNote('n', [newParagraph()]);
    const paragraph = note.paragraphs[0]!;
    paragraph.results = {
      code: 'SUCCESS',
      msg: [
        { type: 'TEXT', data: 'x' },
        { type: 'TABLE', data: 'name\tn\n</script><b>\t2\n' },
      ],
    };
    const { id, status, output } = await loadApplication(
      await bundleOf('d.e'),
      note,
      paragraph,
      { key: '<!--' },
      1_000,
    );
    expect([id, status, output.length]).toEqual([`app_${note.id}-${paragraph.id}d_e`, 'LOADED', 1]);
    const scripts = [...output[0]!.data.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
      ([, code]) => code!,
    );
    expect(scripts).toHaveLength(2);
    expect(output[0]!.data).not.toContain('<!--');
    const element = {};
    const run = new Function(
      'document',
      'script',
      `${scripts.join('\n')}\nreturn { tiding, end };`,
    ) as (...values: unknown[]) => unknown;
    expect(run({ getElementById: () => element }, 0)).toEqual({
      end: '</script><!--',
      tiding: {
        element,
        config: { key: '<!--' },
        tables: [{ columns: ['name', 'n'], rows: [['</script><b>', 2]] }],
      },
    });
  });

  it('that is missing causes a readable error of the application', async () => {
    await put('j.json', { ...describedAs('j'), className: 'org.example.App' });
    await put('k.json', describedAs('k'));
    const note = newNote('n', [newParagraph()]);
    expect(
      await loadApplication(await bundleOf('j'), note, note.paragraphs[0]!, {}, 100),
    ).toMatchObject({
      status: 'ERROR',
      output: [
        { type: 'TEXT', data: 'The application j is a Java class, which only a Java server runs.' },
      ],
    });
    expect(
      await loadApplication(await bundleOf('k'), note, note.paragraphs[0]!, {}, 100),
    ).toMatchObject({
      status: 'ERROR',
      output: [{ type: 'TEXT', data: 'The package k has no bundle k.js.' }],
    });
  });
});
