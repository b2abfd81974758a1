/** Sizes of the modules in each file of the app, for measurements. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';

/** The package or the room that a module belongs to. */
function ownerOf(root, id) {
  const path = relative(root, id.replace(/^\0/, '').replace(/\?.*$/, ''));
  const [, name] = /(?:^|.*\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  return name ?? path.split('/')[0];
}

/** Writes the length of each owner's code in each chunk to `file`. */
export const moduleSizes = (root, file) => ({
  name: 'module-sizes',
  generateBundle(_options, bundle) {
    const sizes = {};
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      const owners = (sizes[chunk.fileName] = {});
      for (const [id, { renderedLength }] of Object.entries(chunk.modules)) {
        const owner = ownerOf(root, id);
        owners[owner] = (owners[owner] ?? 0) + renderedLength;
      }
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(sizes));
  },
});
