/** Bundle sizes in hosts' pages, in gzipped bytes. Sizes are reproducible; times would not be. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { transform } from 'lightningcss';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectWithinBudget } from './support/byte-budgets.ts';
import { root } from './support/sources.ts';

/** The files of a bundle with their gzipped sizes. */
interface Bundle {
  sizes: Map<string, number>;
  outputs: Map<string, Metafile['outputs'][string]>;
}

async function bundle(contents: string, external: string[]): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    splitting: true,
    outdir: '/out',
    target: 'es2022',
    jsx: 'automatic',
    metafile: true,
    conditions: ['source', 'browser'],
    external,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'styles',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.css$/ }, ({ path }) => ({
            contents: transform({ filename: path, code: readFileSync(path), minify: true }).code,
            loader: 'text',
          })),
      },
    ],
    logLevel: 'error',
  });
  const nameOf = (path: string) => path.split('/').at(-1)!;
  return {
    sizes: new Map(
      outputFiles.map(({ path, contents: code }) => [
        nameOf(path),
        gzipSync(code, { level: 9 }).length,
      ]),
    ),
    outputs: new Map(
      Object.entries(metafile.outputs).map(([path, output]) => [nameOf(path), output]),
    ),
  };
}

/** A file with its static imports. */
function closure({ outputs }: Bundle, file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { path, kind } of outputs.get(file)?.imports ?? []) {
    const name = path.split('/').at(-1)!;
    if (kind === 'import-statement' && outputs.has(name))
      closure({ outputs, sizes: new Map() }, name, seen);
  }
  return seen;
}
const weigh = ({ sizes }: Bundle, files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);

/** The file of a module that is imported dynamically. */
function fileOf({ outputs }: Bundle, module: string): string {
  const found = [...outputs].find(([, { entryPoint }]) => entryPoint === module);
  expect(found, module).toBeDefined();
  return found![0];
}

describe('the client in a page', () => {
  let whole: Bundle;
  let first: Set<string>;
  beforeAll(async () => {
    whole = await bundle("export * from './client/index.ts'", ['apache-arrow']);
    first = closure(whole, 'stdin.js');
  });

  it('stays within its budget, whichever names are used', () => {
    expectWithinBudget('client', weigh(whole, first));
  });

  it('loads the rest on demand', () => {
    const later = (name: string) => {
      const file = [...whole.sizes.keys()].find((each) => each.startsWith(`${name}-`));
      expect(file, name).toBeDefined();
      return weigh(
        whole,
        [...closure(whole, file!)].filter((each) => !first.has(each)),
      );
    };
    const parts = {
      'with the first call': later('protocol-module'),
      'with the first note': later('note'),
      'where sockets are blocked': later('rest-transport'),
      'where several type': later('text-patch'),
    };
    console.log(
      `@tiding/client, gzip: ${weigh(whole, first)} bytes to start; ${Object.entries(parts)
        .map(([when, size]) => `${size} ${when}`)
        .join('; ')}`,
    );
    for (const size of Object.values(parts)) expect(size).toBeGreaterThan(1_000);
  });

  it('contains no Arrow code', () => {
    const inputs = [...whole.outputs.values()].flatMap(({ inputs: each }) => Object.keys(each));
    expect(inputs.filter((path) => path.includes('apache-arrow'))).toEqual([]);
  });
});

describe('a display widget in the bundle of a host', () => {
  it('stays within its budget', async () => {
    const whole = await bundle(
      `import { register } from './elements/runtime/register.ts';
       import { profilesElements } from './elements/widgets/profiles/index.ts';
       register(profilesElements.find(({ tag }) => tag === 'tiding-profile'));`,
      ['react', 'react-dom', 'react/jsx-runtime', 'react-dom/client', 'apache-arrow'],
    );
    const files = [
      'stdin.js',
      fileOf(whole, 'elements/widgets/widget-view.tsx'),
      fileOf(whole, 'elements/widgets/profiles/data-set-profile.tsx'),
    ].reduce((seen, file) => closure(whole, file, seen), new Set<string>());
    expectWithinBudget('widget', weigh(whole, files));
  });
});
