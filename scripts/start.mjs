/** `npm start`: installs packages, builds and serves. Arguments after `--` go to the server. */
import { install } from './install.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`tiding: Node 20.19 or newer is required; this is ${process.versions.node}.`);
  process.exit(1);
}
const say = (text) => console.error(text);
install(say);
const { build, buildTypes } = await import('./build.mjs');
await build({ say });
// Each running SQL statement blocks a thread of Node's pool, whose size is fixed at its first use.
process.env.UV_THREADPOOL_SIZE ??= '16';
const { main } = await import('../server/dist/cli.js');
// For those who install the packages that the server offers; nobody else waits for them.
buildTypes();
await main(process.argv.slice(2));
