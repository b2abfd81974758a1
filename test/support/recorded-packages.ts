/**
 * npm packages stored in `test/fixtures/helium`: published to a test registry, or bundled as a
 * server bundles them.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bundler, entryOf } from '../../server/helium/bundler.ts';
import { fromPackageJson } from '../../server/helium/registry.ts';
import type { TestRegistry } from './npm-registry.ts';

const recordedPackages = ['zeppelin-bubblechart', 'zeppelin-echo-spell', 'd3'] as const;

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    main?: string;
  };

/** Publishes all of them. `zeppelin-tabledata`, which they depend on, is provided by the host. */
export function publishRecorded(registry: TestRegistry, fixtures: string): void {
  for (const name of recordedPackages) {
    const folder = join(fixtures, name);
    const { name: _name, version, ...more } = manifestOf(folder);
    const files = readdirSync(folder)
      .filter((file) => file !== 'package.json')
      .map((file) => [`package/${file}`, readFileSync(join(folder, file), 'utf8')] as const);
    registry.publish(name, version, { files: Object.fromEntries(files), more });
  }
  registry.publish('zeppelin-tabledata', '0.7.1');
}

/** Bundles a recorded package as a server does. */
export async function recordedBundle(name: string, fixtures: string): Promise<string> {
  const folder = join(fixtures, name);
  const manifest = manifestOf(folder);
  const kept = mkdtempSync(join(tmpdir(), 'tiding-bundles-'));
  try {
    const found = {
      registry: 'npm' as const,
      pkg: fromPackageJson(manifest)!,
      folder,
      bundle: manifest.main ?? 'index.js',
      root: folder,
    };
    const bundler = new Bundler(kept, ({ name: library }) =>
      Promise.resolve(join(fixtures, library)),
    );
    return await bundler.bundle(found, (await entryOf(found))!);
  } finally {
    rmSync(kept, { recursive: true, force: true });
  }
}
