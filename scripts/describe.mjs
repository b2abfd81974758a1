/** `npm run describe`: writes dist/openapi.json and dist/asyncapi.json from the built server. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';

const root = join(import.meta.dirname, '..');
await build({ say: (text) => console.error(text) });
const { describeProtocol } = await import(join(root, 'server/dist/index.js'));
mkdirSync(join(root, 'dist'), { recursive: true });
for (const [name, content] of Object.entries(describeProtocol())) {
  const file = join(root, `dist/${name}.json`);
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  console.log(file);
}
