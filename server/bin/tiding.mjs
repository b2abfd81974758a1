#!/usr/bin/env node
// Each running SQL statement holds a thread of Node's pool; the pool is made at its first use.
process.env.UV_THREADPOOL_SIZE ??= '16';
const { main } = await import('../dist/cli.js');

await main(process.argv.slice(2));
