/** The rules of the project's rooms: allowed imports, published files, and the style of sources. */
import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { ELEMENTS_VERSION } from '../elements/version.ts';
import { SERVER_VERSION } from '../server/base/version.ts';
import {
  cyclesOf,
  filesOf,
  type Import,
  importsOf,
  isTest,
  placeOf,
  root,
  type Source,
  sourceOf,
  walk,
} from './support/sources.ts';

interface Manifest {
  name: string;
  version: string;
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  exports: Record<string, string | { source?: string; types?: string; default: string }>;
}

const manifests = Object.fromEntries(
  ['client', 'elements', 'server', 'app', 'create-tiding'].map((folder) => [
    folder,
    JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest,
  ]),
);
/** The published libraries, by folder. */
const packages = ['client', 'elements', 'server'].map((folder) => ({
  folder,
  manifest: manifests[folder]!,
}));
const published = new Set(
  packages.flatMap(({ manifest: { name, exports } }) =>
    Object.keys(exports).map((path) => path.replace(/^\./, name)),
  ),
);
const code = /\.(tsx?|m?js)$/;
const isTemplate = (path: string) => /^create-tiding\/(?:shared|templates)\//.test(path);
const all = ['client', 'elements', 'server', 'app', 'examples', 'test']
  .flatMap((folder) => filesOf(folder, /\.tsx?$/))
  .map((path) => sourceOf(path));
const product = all.filter(({ path }) => !isTest(path) && !path.startsWith('test/'));

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
const isNode = ({ specifier }: Import) =>
  specifier.startsWith('node:') || builtinModules.includes(specifier);
const isReact = ({ specifier }: Import) =>
  /^(react|react-dom|@types\/react|@r2wc\/|@base-ui\/react|lucide-react)(\/|$)/.test(specifier);
const ownNames = Object.values(manifests).map(({ name }) => name);
const isOwnName = ({ specifier }: Import) => ownNames.includes(packageOf(specifier));
const within =
  (folder: string) =>
  ({ target }: Import) =>
    target?.startsWith(`${folder}/`) ?? false;
const named =
  (...names: string[]) =>
  ({ specifier }: Import) =>
    names.includes(specifier);
/** An npm package, except this project's own and React. */
const isPackage = (each: Import) =>
  each.target === undefined && !isOwnName(each) && !isNode(each) && !isReact(each);
const any =
  (...rules: ((each: Import) => boolean)[]) =>
  (each: Import) =>
    rules.some((rule) => rule(each));

/** Each room with the imports it allows. A file belongs to the first room that matches it. */
const rooms: { name: string; has: (path: string) => boolean; may: (each: Import) => boolean }[] = [
  {
    name: 'client/protocol',
    has: (path) => path.startsWith('client/protocol/'),
    may: any(within('client/protocol'), isPackage),
  },
  {
    name: 'client/model',
    has: (path) => path.startsWith('client/model/'),
    may: any(
      within('client/model'),
      isPackage,
      (each) => each.typeOnly && within('client/protocol')(each),
    ),
  },
  {
    name: 'client/widgets',
    has: (path) => path.startsWith('client/widgets/'),
    may: any(
      within('client/widgets'),
      within('client/model'),
      within('client/protocol'),
      isPackage,
    ),
  },
  {
    name: 'client/notebook',
    has: (path) => path.startsWith('client/notebook/'),
    may: any(
      within('client/notebook'),
      within('client/model'),
      within('client/protocol'),
      isPackage,
    ),
  },
  {
    name: 'client/testing',
    has: (path) => path.startsWith('client/testing/'),
    may: any((each) => within('client')(each) && !within('client/node')(each), isPackage),
  },
  {
    name: 'client/node',
    has: (path) => path.startsWith('client/node/'),
    may: any(within('client/node'), named('@tiding/client'), isPackage, isNode),
  },
  {
    name: 'client',
    has: (path) => path.startsWith('client/'),
    may: any(
      (each) =>
        within('client')(each) &&
        !within('client/notebook')(each) &&
        !within('client/testing')(each) &&
        !within('client/node')(each),
      isPackage,
    ),
  },
  // The program's entry: it loads the commands or the server, never both.
  {
    name: 'server/cli/main.ts',
    has: (path) => path === 'server/cli/main.ts',
    may: any(within('server'), isPackage, isNode),
  },
  {
    name: 'the commands of the server',
    has: (path) =>
      ['server/cli/serve.ts', 'server/cli/data-folder.ts', 'server/cli/token.ts'].includes(path),
    may: any(within('server'), isPackage, isNode),
  },
  // It compares a server with this machine, and loads neither.
  {
    name: 'server/cli/commands/doctor.ts',
    has: (path) => path === 'server/cli/commands/doctor.ts',
    may: any(
      within('server/cli'),
      ({ target }) => target === 'server/base/options.ts' || target === 'server/base/version.ts',
      isNode,
      named('@tiding/client'),
    ),
  },
  {
    name: 'server/cli',
    has: (path) => path.startsWith('server/cli/'),
    may: any(
      within('server/cli'),
      ({ target }) =>
        [
          'server/storage/files.ts',
          'server/base/version.ts',
          'server/base/edit-distance.ts',
        ].includes(target ?? ''),
      isPackage,
      isNode,
      named(
        '@tiding/client',
        '@tiding/client/node',
        '@tiding/client/protocol',
        '@tiding/client/model',
        '@tiding/client/schedules',
        '@tiding/client/changes',
        '@tiding/client/widgets',
        '@tiding/elements/snapshot',
      ),
    ),
  },
  {
    name: 'elements',
    has: (path) => path.startsWith('elements/'),
    may: any(
      within('elements'),
      isPackage,
      isReact,
      named(
        '@tiding/client',
        '@tiding/client/protocol',
        '@tiding/client/model',
        '@tiding/client/pivot',
        '@tiding/client/schedules',
        '@tiding/client/changes',
        '@tiding/client/widgets',
      ),
    ),
  },
  {
    name: 'server',
    has: (path) => path.startsWith('server/'),
    may: any(
      (each) => within('server')(each) && !within('server/cli')(each),
      isPackage,
      isNode,
      // Loaded when a page asks for the first view of a paragraph.
      (each) => each.place.includes('import(') && named('@tiding/elements/snapshot')(each),
      named(
        '@tiding/client/protocol',
        '@tiding/client/model',
        '@tiding/client/schedules',
        '@tiding/client/changes',
        '@tiding/client/widgets',
        '@tiding/client/notebook',
      ),
    ),
  },
  {
    name: 'app',
    has: (path) => path.startsWith('app/'),
    may: any(
      within('app'),
      isPackage,
      named(
        '@tiding/client',
        '@tiding/client/protocol',
        '@tiding/client/model',
        '@tiding/client/schedules',
        '@tiding/client/changes',
        '@tiding/elements/define',
      ),
    ),
  },
  {
    name: 'examples',
    has: (path) => path.startsWith('examples/'),
    may: any(
      within('examples'),
      isNode,
      isReact,
      isPackage,
      (each) => isOwnName(each) && published.has(each.specifier),
    ),
  },
  // The starters' program has no dependencies: `npm create` downloads nothing else.
  {
    name: 'create-tiding',
    has: (path) => path.startsWith('create-tiding/'),
    may: any(within('create-tiding'), isNode),
  },
];

const roomOf = (path: string) => rooms.find(({ has }) => has(path))!;
/** Imports of a file that break the rule of its room. */
const offences = (source: Source) =>
  importsOf(source)
    .filter((each) => !roomOf(source.path).may(each))
    .map(({ place }) => place);

describe('rooms', () => {
  for (const { name } of rooms) {
    it(`${name} imports only what its room allows`, () => {
      const files = [
        ...product,
        ...['examples', 'create-tiding']
          .flatMap((folder) => filesOf(folder, /\.m?js$/))
          .filter((path) => !isTemplate(path))
          .map((path) => sourceOf(path)),
      ].filter(({ path }) => roomOf(path).name === name);
      expect(files.length).toBeGreaterThan(0);
      expect(files.flatMap(offences)).toEqual([]);
    });
  }

  // Tests of the rules: each of these lines must be refused.
  it.each([
    ['client/protocol/x.ts', "import { mergeText } from '../model/merge.ts';"],
    ['client/protocol/x.ts', "export * from '../errors.ts';"],
    ['client/model/x.ts', "import { note } from '../protocol/objects.ts';"],
    ['client/model/x.ts', "import { type Note } from '../protocol/objects.ts';"],
    ['client/model/x.ts', "import type { ClientState } from '../state.ts';"],
    ['client/channel/x.ts', "import { readFile } from 'node:fs/promises';"],
    ['client/channel/x.ts', "import fs from 'fs';"],
    ['client/channel/x.ts', "import { useState } from 'react';"],
    ['client/channel/x.ts', "import { tell } from '../../elements/runtime/define-element.ts';"],
    ['client/node/x.ts', "import { Channel } from '../channel/channel.ts';"],
    ['client/node/x.ts', "import { createServer } from 'tiding/server';"],
    ['server/cli/commands/x.ts', "const lazy = () => import('../../index.ts');"],
    ['server/x.ts', "import { main } from './cli/main.ts';"],
    ['client/x.ts', "import { fileJournal } from '@tiding/client/node';"],
    ['client/channel/x.ts', "import { memoryServer } from '../testing/index.ts';"],
    ['client/channel/x.ts', "import { Refusal } from '../notebook/index.ts';"],
    ['client/notebook/x.ts', "import { TidingError } from '../errors.ts';"],
    ['client/notebook/x.ts', "import { randomInt } from 'node:crypto';"],
    ['elements/note/x.tsx', "import { Refusal } from '@tiding/client/notebook';"],
    ['client/testing/x.ts', "import { spawn } from 'node:child_process';"],
    ['elements/note/x.tsx', "import { Channel } from '../../client/channel/channel.ts';"],
    ['elements/note/x.tsx', "const lazy = () => import('../../client/index.ts');"],
    ['elements/note/x.tsx', "import { createServer } from 'tiding/server';"],
    ['app/x.ts', "import { createElement } from 'react';"],
    ['app/x.ts', "import { elements } from '@tiding/elements';"],
    ['app/x.ts', "import { createServer } from '../server/index.ts';"],
    ['server/x.ts', "import { createClient } from '@tiding/client';"],
    ['server/x.ts', "type Client = import('../../client/client.ts').Client;"],
    ['server/x.ts', "import '../../elements/define.ts';"],
    ['examples/x.ts', "import { createClient } from '../client/index.ts';"],
    ['examples/x.ts', "import { Channel } from '@tiding/client/channel';"],
    ['create-tiding/x.mjs', "import prompts from 'prompts';"],
    ['create-tiding/x.mjs', "import { createClient } from '@tiding/client';"],
  ])('refuses a line in %s: %s', (path, line) => {
    expect(offences(sourceOf(path, line))).toEqual([`${path}:1: ${line}`]);
  });

  it('the model may import types of the protocol, in every spelling', () => {
    for (const line of [
      "import type { Note } from '../protocol/objects.ts';",
      "export type { Note } from '../protocol/objects.ts';",
      "type N = import('../protocol/objects.ts').Note;",
    ]) {
      expect(offences(sourceOf('client/model/x.ts', line))).toEqual([]);
    }
  });

  it('the client is compiled without the types of the DOM or of Node', () => {
    const { config } = ts.readConfigFile(join(root, 'client/tsconfig.json'), ts.sys.readFile) as {
      config: { compilerOptions: { lib: string[]; types: string[] } };
    };
    expect(config.compilerOptions.lib.filter((name) => /^dom/i.test(name))).toEqual([]);
    expect(config.compilerOptions.types).toEqual([]);
  });

  it('pages of the examples load only files beside them and the elements module', () => {
    const sources = filesOf('examples', /\.html$/).flatMap((path) =>
      [
        ...readFileSync(join(root, path), 'utf8').matchAll(
          /<(?:script|link)\b[^>]*\b(?:src|href)="([^"]+)"/g,
        ),
      ].map(([, address]) => ({ path, address: address! })),
    );
    expect(sources.length).toBeGreaterThan(0);
    const foreign = sources.filter(
      ({ path, address }) =>
        !/^(?:https?:\/\/[^/]+\/)?tiding\.js$/.test(address) &&
        !existsSync(join(root, path, '..', address)),
    );
    expect(foreign).toEqual([]);
  });

  it.each(Object.keys(manifests))('%s imports exactly the packages it depends on', (folder) => {
    const { name, dependencies = {}, peerDependencies = {} } = manifests[folder]!;
    const needed = product
      .filter(({ path }) => path.startsWith(`${folder}/`))
      .flatMap(importsOf)
      .filter((each) => each.target === undefined && !isNode(each));
    const isFrameLibrary = ({ place, specifier }: Import & { place: string }) =>
      /^elements\/result\/(?:frame|package)-page\//.test(place) &&
      /^(?:jquery$|vega-embed$|@jupyter-widgets\/|@lumino\/)/.test(specifier);
    const allowed = { [name]: '', ...dependencies, ...peerDependencies };
    expect(
      needed
        // The server's pages contain the frames with their libraries; no package contains them.
        .filter((each) => !isFrameLibrary(each))
        // The program contains what it needs of the elements.
        .filter(
          ({ specifier }) => !(folder === 'server' && specifier === '@tiding/elements/snapshot'),
        )
        .filter((each) => !each.typeOnly && !(packageOf(each.specifier) in allowed))
        .map(({ place }) => place),
    ).toEqual([]);
    const used = new Set(needed.map(({ specifier }) => packageOf(specifier)));
    const unused = Object.keys(dependencies).filter((each) => !used.has(each));
    // `ws` is the peer dependency of `isomorphic-ws`; the program of a worker thread requires
    // `markdown-it` and `katex`; rollup reads the fonts; React is needed by the elements.
    const indirect: Record<string, string[]> = {
      client: ['ws'],
      server: ['katex', 'markdown-it'],
      app: [
        '@fontsource-variable/inter',
        '@fontsource-variable/jetbrains-mono',
        'react',
        'react-dom',
      ],
    };
    expect(unused.filter((each) => !indirect[folder]?.includes(each))).toEqual([]);
  });
});

const { elementFloors } = (await import(join(root, 'scripts/build/chunks.mjs'))) as {
  elementFloors: string;
};

describe('floors', () => {
  /**
   * The folders of each package, from the ground up. A folder imports values and types only from
   * those before it. What it loads later may be above it, and files beside the folders are on top;
   * within a folder of a package, such files have no floor. `*`: folders that no floor names, such
   * as the pages of the app. They don't import each other: what two need is in a room below.
   */
  const floors: Readonly<Record<string, string>> = {
    client:
      'protocol model core rest channel journal session jobs note administration assistant ' +
      'clusters comments connections credentials results files interpreters notes packages ' +
      'people revision-control tokens widgets widget-data node notebook testing',
    server:
      'base logging storage auth interpreters assistant clusters http describe files hub notes ' +
      'results helium revisions magpie settings run search areas dispatch samples upstream cli',
    elements: elementFloors,
    'client/note': 'paragraph drafts',
    'elements/editor': 'languages marks keys',
    'elements/widgets': 'graph security clusters catalogue jobs profiles validation',
    'server/interpreters': 'processes sql kernels python databases zeppelin',
    'server/magpie': 'language analysis catalogue jobs statements',
  };
  const folderOf = (path: string, name: string) =>
    path.startsWith(`${name}/`)
      ? path
          .slice(name.length + 1)
          .split('/')
          .slice(0, -1)[0]
      : undefined;
  const climbing = (source: Source, name = source.path.split('/')[0]!) => {
    const from = folderOf(source.path, name);
    const order = floors[name]!.split(' ');
    const floorOf = (folder: string) => order.indexOf(order.includes(folder) ? folder : '*');
    return importsOf(source)
      .filter(({ target = '', place }) => {
        const to = folderOf(target, name);
        const isOutside =
          !target.startsWith(`${name}/`) || (to === undefined && name.includes('/'));
        if (from === undefined || isOutside || to === from || place.includes('import('))
          return false;
        return to === undefined || floorOf(to) >= floorOf(from);
      })
      .map(({ place }) => place);
  };

  it.each(Object.keys(floors))('of %s have no import that climbs', (name) => {
    const sources = product.filter(({ path }) => path.startsWith(`${name}/`));
    const folders = new Set(sources.flatMap(({ path }) => folderOf(path, name) ?? []));
    const order = floors[name]!.split(' ').filter((floor) => floor !== '*');
    const named = floors[name]!.includes('*')
      ? [...folders].filter((folder) => order.includes(folder))
      : [...folders];
    expect(named.sort()).toEqual(order.sort());
    expect(sources.flatMap((source) => climbing(source, name))).toEqual([]);
  });

  it.each([
    ['client/core/x.ts', "import type { Note } from '../note/note.ts';"],
    ['client/note/x.ts', "import { createClient } from '../client.ts';"],
    ['server/hub/x.ts', "import type { ServerContext } from '../areas/context.ts';"],
    ['elements/text/x.ts', "import { packageText } from '../result/packages/texts.ts';"],
    ['elements/jobs/x.tsx', "import type { Texts } from '../wording/set-texts.ts';"],
    ['elements/editor/x.ts', "import { text } from '../result/contract.ts';"],
    ['elements/ui/x.tsx', "import { Alert } from '../session/fields.tsx';"],
    ['elements/result/x.tsx', "import { useNoteUi } from '../note/ui/note-ui.ts';"],
    ['elements/jobs/x.tsx', "import { Card } from '../clusters/cluster-card.tsx';"],
    ['elements/note/x.tsx', "import { useClient } from '../react/use-client.ts';"],
  ])('a line like this is refused in %s: %s', (path, line) => {
    expect(climbing(sourceOf(path, line))).toEqual([`${path}:1: ${line}`]);
  });
});

describe('imports', () => {
  /** Entry points of the packages, by the name that other packages import. */
  const entries = new Map(
    packages.flatMap(({ folder, manifest: { name, exports } }) =>
      Object.entries(exports).flatMap(([path, target]) =>
        typeof target === 'string' || !target.source
          ? []
          : [[path.replace(/^\./, name), join(folder, target.source)] as const],
      ),
    ),
  );
  it('have no cycle of more than two files', () => {
    const graph = new Map(
      product
        .filter(({ path }) => /^(?:client|elements|server|app)\//.test(path))
        .map((source) => [
          source.path,
          importsOf(source).flatMap(
            ({ specifier, target }) => target ?? entries.get(specifier) ?? [],
          ),
        ]),
    );
    expect(graph.get('server/run/pool.ts')).toContain('client/protocol/index.ts');
    expect(cyclesOf(graph).filter((cycle) => cycle.length > 2)).toEqual([]);
  });

  it('in a cycle are found', () => {
    const graph = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', ['e']],
      ['e', ['d', 'f']],
      ['f', []],
    ]);
    expect(cyclesOf(graph)).toEqual([
      ['d', 'e'],
      ['a', 'b', 'c'],
    ]);
  });
});

describe('folders', () => {
  it('have at most 30 source files, not counting their subfolders', () => {
    const counts = new Map<string, number>();
    for (const { path } of product) {
      const folder = path.slice(0, path.lastIndexOf('/'));
      if (/^(?:client|elements|server)(?:\/|$)/.test(folder))
        counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > 30)).toEqual([]);
  });
});

describe('the packages that the design names', () => {
  it.each([
    ['react', 'elements'],
    ['react-dom', 'elements'],
    ['@r2wc/react-to-web-component', 'elements'],
    ['eventemitter3', 'client/core/event-bus.ts'],
    ['zod', 'client/protocol'],
    ['ky', 'client/rest'],
    ['isomorphic-ws', 'client/channel'],
    ['apache-arrow', 'client/note'],
    ['echarts', 'elements/result/visualizations'],
    ['elkjs', 'elements/widgets'],
    ['@xyflow/react', 'elements/widgets'],
    ['@codemirror/state', 'elements/editor'],
  ])('%s is imported in %s', (name, room) => {
    const users = product.filter(({ path }) => path.startsWith(room));
    expect(users.flatMap(importsOf).map(({ specifier }) => packageOf(specifier))).toContain(name);
  });

  it('build and test', () => {
    const uses = (path: string) => readFileSync(join(root, path), 'utf8');
    expect(uses('scripts/build.mjs')).toContain("import('rollup')");
    expect(uses('scripts/test.mjs')).toContain("'vitest/");
    expect(uses('scripts/test.mjs')).toContain("'@web/test-runner/");
  });
});

describe.each(packages)('the published package of $folder/', ({ folder, manifest }) => {
  const targets = Object.entries(manifest.exports).flatMap(([name, target]) =>
    typeof target === 'string' || name.includes('*') ? [] : [{ name, ...target }],
  );
  const isMissing = (path: string) => !existsSync(join(root, folder, path));

  it('names an existing source for every entry point that is not generated', () => {
    expect(targets.length).toBeGreaterThan(0);
    expect(
      targets
        .filter(({ name, source }) => name !== './angular' && (!source || isMissing(source)))
        .map(({ name }) => name),
    ).toEqual([]);
  });

  const built = existsSync(join(root, 'dist/.stamp'));
  it.skipIf(!built)(
    'has every file named by its entry points and commands, once it is built',
    () => {
      // Declarations are built for publishing only (`npm run build -- --types`).
      const typed = !isMissing('dist/index.d.ts');
      const files = [
        ...targets.flatMap((target) => [
          target.default,
          ...(typed ? [target.types ?? `types of ${target.name}`] : []),
        ]),
        ...Object.values(manifest.bin ?? {}),
      ];
      expect(files.filter(isMissing)).toEqual([]);
    },
  );

  it('has the version that the server and the elements report', () => {
    expect(SERVER_VERSION).toBe(manifest.version);
    expect(ELEMENTS_VERSION).toBe(manifest.version);
  });
});

describe('sources', () => {
  it('are at most 500 lines long, tests at most 700, and 100 columns wide', () => {
    const rooms = ['client', 'elements', 'server', 'app', 'create-tiding', 'examples', 'scripts'];
    const found = [...rooms, 'test']
      .flatMap((folder) => filesOf(folder, code))
      .filter((path) => !path.startsWith('test/fixtures/'))
      .flatMap((path) => {
        const lines = readFileSync(join(root, path), 'utf8').split('\n');
        const limit = path.startsWith('test/') ? Infinity : isTest(path) ? 700 : 500;
        const wide = lines.flatMap((line, at) => (line.length > 100 ? [`${path}:${at + 1}`] : []));
        return lines.length - 1 > limit ? [path, ...wide] : wide;
      });
    expect(found).toEqual([]);
  });

  // Stored tables have typed rows; the text in a note is for other programs.
  it('parse the text of tables in one module', () => {
    const parsers = new Set(['client/model/tables/table.ts', 'client/model/rows/text-rows.ts']);
    const found: string[] = [];
    for (const source of product.filter(({ path }) => !parsers.has(path)))
      walk(source.tree, (node) => {
        if (
          ts.isImportSpecifier(node) &&
          /^(?:parseTable|createTableParser)$/.test((node.propertyName ?? node.name).text)
        )
          found.push(placeOf(source, node));
      });
    expect(found).toEqual([]);
  });

  it('do not use `any`', () => {
    const found: string[] = [];
    for (const source of all)
      walk(
        source.tree,
        (node) => node.kind === ts.SyntaxKind.AnyKeyword && found.push(placeOf(source, node)),
      );
    expect(found).toEqual([]);
  });

  // The first of each takes 7 to 50 ms of the start of a page in Chromium.
  it('of pages make no collator or format of numbers and dates while they load', () => {
    const found = all
      .filter(({ path }) => /^(?:client|elements|app)\//.test(path) && !isTest(path))
      .flatMap((source) =>
        source.tree.statements
          .filter((node) => ts.isVariableStatement(node) && /\bnew Intl\./.test(node.getText()))
          .filter((node) => !/=>/.test(node.getText()))
          .map((node) => placeOf(source, node)),
      );
    expect(found).toEqual([]);
  });

  // React calls what an effect or a ref callback returns as its clean-up. An expression body
  // returns whatever the expression does: `scrollIntoView` returned nothing until browsers made it
  // return a promise, and React then threw while cleaning up.
  const isFunction = (node: ts.Expression): boolean =>
    ts.isParenthesizedExpression(node)
      ? isFunction(node.expression)
      : ts.isArrowFunction(node) || ts.isFunctionExpression(node);
  const unbraced = (source: Source): string[] => {
    const found: string[] = [];
    walk(source.tree, (node) => {
      const isEffect =
        ts.isCallExpression(node) &&
        /^(?:\w+\.)?use(?:Layout|Insertion)?Effect$/.test(node.expression.getText(source.tree));
      const isRef =
        (ts.isJsxAttribute(node) || ts.isPropertyAssignment(node)) &&
        node.name.getText(source.tree) === 'ref';
      const value = isEffect ? node.arguments[0] : isRef ? node.initializer : undefined;
      const callback = value && ts.isJsxExpression(value) ? value.expression : value;
      // A body that is a function is the clean-up.
      if (
        callback &&
        ts.isArrowFunction(callback) &&
        !ts.isBlock(callback.body) &&
        !isFunction(callback.body)
      )
        found.push(placeOf(source, node));
    });
    return found;
  };

  it('brace the body of every effect and every ref callback', () => {
    expect(all.flatMap(unbraced)).toEqual([]);
  });

  it.each([
    ['useEffect(() => list.current?.scrollIntoView(), [at]);', true],
    ['useLayoutEffect(() => void (given.current = value), [value]);', true],
    ['React.useInsertionEffect(() => (near ? undefined : watch()));', true],
    ['<b ref={(element) => elements.add(element)} />;', true],
    ["createElement('b', { ref: (element) => elements.add(element) });", true],
    ['useEffect(() => { list.current?.scrollIntoView(); }, [at]);', false],
    ['useEffect(() => () => clearTimeout(timer.current), []);', false],
    ['<b ref={element} />;', false],
  ])('judges a line: %s (refused: %s)', (line, refused) => {
    expect(unbraced(sourceOf('elements/x.tsx', line))).toHaveLength(refused ? 1 : 0);
  });

  it('of the client document every exported declaration', () => {
    const bare = product
      .filter(({ path }) => path.startsWith('client/'))
      .flatMap((source) =>
        source.tree.statements
          .filter(
            (statement) =>
              ts.canHaveModifiers(statement) &&
              ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
          )
          // A comment at the top of a file is about the file; a docstring precedes its declaration.
          .filter((statement) => ts.getJSDocCommentsAndTags(statement).length === 0)
          .map((statement) => placeOf(source, statement)),
      );
    expect(bare).toEqual([]);
  });
});
