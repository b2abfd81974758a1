/** The rules that keep the package in its rooms: who imports whom, what is published, how sources look. */
import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { SERVER_VERSION } from '../app/server/version.ts';
import {
  filesOf,
  importsOf,
  isTest,
  placeOf,
  root,
  sourceOf,
  walk,
  type Import,
  type Source,
} from './support/sources.ts';

interface Manifest {
  name: string;
  version: string;
  bin: Record<string, string>;
  dependencies: Record<string, string>;
  exports: Record<string, string | { source?: string; types?: string; default: string }>;
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const published = new Set(
  Object.keys(manifest.exports).map((name) => name.replace(/^\./, manifest.name)),
);
const code = /\.(tsx?|m?js)$/;
const all = ['client', 'node', 'elements', 'app', 'examples', 'test']
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
const isOwnName = ({ specifier }: Import) => packageOf(specifier) === manifest.name;
const within =
  (folder: string) =>
  ({ target }: Import) =>
    target?.startsWith(`${folder}/`) ?? false;
const named =
  (...names: string[]) =>
  ({ specifier }: Import) =>
    names.includes(specifier);
/** A package of npm: neither ours, nor Node's, nor React. */
const isPackage = (each: Import) =>
  each.target === undefined && !isOwnName(each) && !isNode(each) && !isReact(each);
const any =
  (...rules: ((each: Import) => boolean)[]) =>
  (each: Import) =>
    rules.some((rule) => rule(each));

/** Each room with what its files may import. The first room that has a file decides. */
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
    name: 'client/testing',
    has: (path) => path.startsWith('client/testing/'),
    may: any(within('client'), isPackage),
  },
  {
    name: 'client',
    has: (path) => path.startsWith('client/'),
    may: any((each) => within('client')(each) && !within('client/testing')(each), isPackage),
  },
  // Where the program starts: it loads the commands or the server, never both.
  {
    name: 'node/cli',
    has: (path) => path === 'node/cli.ts',
    may: any(within('node'), within('app/server'), isNode),
  },
  {
    name: 'node',
    has: (path) => path.startsWith('node/'),
    may: any(
      within('node'),
      isPackage,
      isNode,
      named('tiding/client', 'tiding/protocol', 'tiding/model'),
    ),
  },
  {
    name: 'elements',
    has: (path) => path.startsWith('elements/'),
    may: any(
      within('elements'),
      isPackage,
      isReact,
      named('tiding/client', 'tiding/protocol', 'tiding/model', 'tiding/widgets'),
    ),
  },
  {
    name: 'app/server',
    has: (path) => path.startsWith('app/server/'),
    may: any(
      within('app/server'),
      isPackage,
      isNode,
      named('tiding/protocol', 'tiding/model', 'tiding/widgets'),
    ),
  },
  {
    name: 'app',
    has: (path) => path.startsWith('app/'),
    may: any(
      (each) => within('app')(each) && !within('app/server')(each),
      isPackage,
      named('tiding/client', 'tiding/protocol', 'tiding/model', 'tiding/elements/define'),
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
];

const roomOf = (path: string) => rooms.find(({ has }) => has(path))!;
/** The lines of a file that break the rule of its room. */
const offences = (source: Source) =>
  importsOf(source)
    .filter((each) => !roomOf(source.path).may(each))
    .map(({ place }) => place);

describe('rooms', () => {
  for (const { name } of rooms) {
    it(`${name} imports only what its room allows`, () => {
      const files = [
        ...product,
        ...filesOf('examples', /\.m?js$/).map((path) => sourceOf(path)),
      ].filter(({ path }) => roomOf(path).name === name);
      expect(files.length).toBeGreaterThan(0);
      expect(files.flatMap(offences)).toEqual([]);
    });
  }

  // The rules themselves: each of these lines must be refused, or a rule has come loose.
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
    ['node/x.ts', "import { Channel } from '../client/channel/channel.ts';"],
    ['node/x.ts', "import { createServer } from 'tiding/server';"],
    ['node/commands/x.ts', "const lazy = () => import('../../app/server/index.ts');"],
    ['client/x.ts', "import { fileJournal } from 'tiding/node';"],
    ['client/channel/x.ts', "import { memoryServer } from '../testing/index.ts';"],
    ['client/testing/x.ts', "import { spawn } from 'node:child_process';"],
    ['elements/note/x.tsx', "import { Channel } from '../../client/channel/channel.ts';"],
    ['elements/note/x.tsx', "const lazy = () => import('../../client/index.ts');"],
    ['elements/note/x.tsx', "import { createServer } from 'tiding/server';"],
    ['app/x.ts', "import { createElement } from 'react';"],
    ['app/x.ts', "import { elements } from 'tiding/elements';"],
    ['app/x.ts', "import { createServer } from './server/index.ts';"],
    ['app/server/x.ts', "import { createClient } from 'tiding/client';"],
    ['app/server/x.ts', "type Client = import('../../client/client.ts').Client;"],
    ['app/server/x.ts', "import '../../elements/define.ts';"],
    ['examples/x.ts', "import { createClient } from '../client/index.ts';"],
    ['examples/x.ts', "import { Channel } from 'tiding/client/channel';"],
  ])('a line like this is refused in %s: %s', (path, line) => {
    expect(offences(sourceOf(path, line))).toEqual([`${path}:1: ${line}`]);
  });

  it('a type of the protocol may stand in the model, by every spelling', () => {
    for (const line of [
      "import type { Note } from '../protocol/objects.ts';",
      "export type { Note } from '../protocol/objects.ts';",
      "type N = import('../protocol/objects.ts').Note;",
    ]) {
      expect(offences(sourceOf('client/model/x.ts', line))).toEqual([]);
    }
  });

  it('the client is compiled without the types of a document or of Node', () => {
    const { config } = ts.readConfigFile(join(root, 'client/tsconfig.json'), ts.sys.readFile) as {
      config: { compilerOptions: { lib: string[]; types: string[] } };
    };
    expect(config.compilerOptions.lib.filter((name) => /^dom/i.test(name))).toEqual([]);
    expect(config.compilerOptions.types).toEqual([]);
  });

  it('pages of the examples load nothing but files beside them and the one module of the elements', () => {
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

  it('the product needs no package that is not among its dependencies', () => {
    const needed = product
      .filter(({ path }) => !path.startsWith('examples/'))
      .flatMap(importsOf)
      .filter((each) => !each.typeOnly && (isPackage(each) || isReact(each)));
    expect(
      needed
        .filter(({ specifier }) => !(packageOf(specifier) in manifest.dependencies))
        .map(({ place }) => place),
    ).toEqual([]);
  });
});

describe('the published package', () => {
  const targets = Object.entries(manifest.exports).flatMap(([name, target]) =>
    typeof target === 'string' ? [] : [{ name, ...target }],
  );

  it('names an existing source for every entry point', () => {
    expect(targets.length).toBeGreaterThan(0);
    expect(
      targets
        .filter(({ source }) => !source || !existsSync(join(root, source)))
        .map(({ name }) => name),
    ).toEqual([]);
  });

  const built = existsSync(join(root, 'dist/.stamp'));
  it.skipIf(!built)(
    'has every file that its entry points and commands name, once it is built',
    () => {
      // Declarations are made for publishing alone (`npm run build -- --types`).
      const typed = existsSync(join(root, 'dist/lib/client.d.ts'));
      const files = [
        ...targets.flatMap((target) => [
          target.default,
          ...(typed ? [target.types ?? `types of ${target.name}`] : []),
        ]),
        ...Object.values(manifest.bin),
      ];
      expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    },
  );

  it('is of the version that the server tells', () => {
    expect(SERVER_VERSION).toBe(manifest.version);
  });
});

describe('sources', () => {
  it('are at most 400 lines long', () => {
    const files = ['client', 'node', 'elements', 'app', 'examples', 'scripts', 'bin'].flatMap(
      (folder) => filesOf(folder, code),
    );
    const long = files
      .map((path) => ({
        path,
        lines: readFileSync(join(root, path), 'utf8').split('\n').length - 1,
      }))
      .filter(({ lines }) => lines > 400);
    expect(long).toEqual([]);
  });

  it('know no `any`', () => {
    const found: string[] = [];
    for (const source of all)
      walk(
        source.tree,
        (node) => node.kind === ts.SyntaxKind.AnyKeyword && found.push(placeOf(source, node)),
      );
    expect(found).toEqual([]);
  });

  it('of the client explain every exported declaration', () => {
    const bare = product
      .filter(({ path }) => path.startsWith('client/'))
      .flatMap((source) =>
        source.tree.statements
          .filter(
            (statement) =>
              ts.canHaveModifiers(statement) &&
              ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
          )
          // The head of a file is about the file: a docstring stands right before its declaration.
          .filter((statement) => ts.getJSDocCommentsAndTags(statement).length === 0)
          .map((statement) => placeOf(source, statement)),
      );
    expect(bare).toEqual([]);
  });
});
