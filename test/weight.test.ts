/** Bundle sizes of the client, in gzipped bytes. Sizes are reproducible; times would not be. */
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from './support/sources.ts';

/** The files of a bundle with their gzipped sizes. */
interface Bundle {
  sizes: Map<string, number>;
  outputs: Map<string, Metafile['outputs'][string]>;
}

async function bundle(contents: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    splitting: true,
    outdir: '/out',
    target: 'es2022',
    metafile: true,
    conditions: ['source', 'browser'],
    external: ['apache-arrow'],
    define: { 'process.env.NODE_ENV': '"production"' },
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

describe('the client in a page', () => {
  let whole: Bundle;
  let first: Set<string>;
  beforeAll(async () => {
    whole = await bundle("export * from './client/index.ts'");
    first = closure(whole, 'stdin.js');
  });

  it('needs at most 19 KB to start, whichever names are used', () => {
    expect(weigh(whole, first)).toBeLessThanOrEqual(19_456);
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
