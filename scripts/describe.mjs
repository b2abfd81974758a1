/** `npm run describe`: writes dist/openapi.json and dist/asyncapi.json, as the server answers them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';

const root = join(import.meta.dirname, '..');
await build({ say: (text) => console.error(text) });
const { describe } = await import(join(root, 'dist/lib/server.js'));
mkdirSync(join(root, 'dist'), { recursive: true });
for (const [name, content] of Object.entries(describe())) {
  const file = join(root, `dist/${name}.json`);
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  console.log(file);
}
