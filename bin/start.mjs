/** `npm start`: installs what is missing, builds what is stale, serves. What follows `--` goes to the server. */
import { install } from '../scripts/install.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`tiding: Node 20.19 or newer is needed; this is ${process.versions.node}.`);
  process.exit(1);
}
const say = (text) => console.error(text);
install(say);
const { build } = await import('../scripts/build.mjs');
await build({ say });
// Each running SQL statement holds a thread of Node's pool; the pool is made at its first use.
process.env.UV_THREADPOOL_SIZE ??= '16';
const { main } = await import('../dist/lib/cli.js');
await main(process.argv.slice(2));
