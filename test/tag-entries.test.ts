/**
 * Each tag has an entry point: `@tiding/elements/paragraph` registers only `<tiding-paragraph>`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { root } from './support/sources.ts';

const dist = join(root, 'elements/dist');

describe.skipIf(!existsSync(join(root, 'dist/.stamp')))('the entry points of tags', () => {
  const manifest = existsSync(join(dist, 'custom-elements.json'))
    ? (JSON.parse(readFileSync(join(dist, 'custom-elements.json'), 'utf8')) as {
        modules: { declarations: { tagName?: string }[] }[];
      })
    : { modules: [] };
  const tags = manifest.modules
    .flatMap(({ declarations }) => declarations)
    .flatMap(({ tagName }) => (tagName ? [tagName] : []));

  it('exist for every element of the manifest, with a declaration', () => {
    expect(tags.length).toBeGreaterThan(50);
    const missing = tags
      .map((tag) => tag.replace('tiding-', ''))
      .filter(
        (name) => !['js', 'd.ts'].every((ext) => existsSync(join(dist, `tags/${name}.${ext}`))),
      );
    expect(missing).toEqual([]);
  });

  it('have no effect on a server', async () => {
    const entry = (await import(join(dist, 'tags/paragraph.js'))) as Record<string, unknown>;
    expect('TidingParagraphElement' in entry).toBe(true);
    expect(entry['TidingParagraphElement']).toBeUndefined();
  });

  it('add only their own element to a bundle', async () => {
    const { metafile } = await build({
      stdin: { contents: "import '@tiding/elements/profile';", resolveDir: root },
      bundle: true,
      write: false,
      format: 'esm',
      splitting: true,
      outdir: '/out',
      metafile: true,
      logLevel: 'error',
      define: { 'process.env.NODE_ENV': '"production"' },
    });
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.some((path) => path.endsWith('tags/profile.js'))).toBe(true);
    expect(inputs.filter((path) => /tags\/(?!profile)|define\.js/.test(path))).toEqual([]);
  });
});
