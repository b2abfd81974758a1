import { createClient } from '@tiding/client';
import { readWidget } from '@tiding/client/widgets';

const client = createClient({
  server: process.env['TIDING_SERVER'] ?? 'https://notes.example.org',
  auth: { token: process.env['TIDING_TOKEN'] ?? '' },
});

const note = await client.open('2XAB9NJRE');
const run = note.paragraph('20261121-070135_35893072').run({ timeout: 60_000 });
for await (const event of run) console.log(`Event: ${event.type}`);
const result = await run;
console.log(`Last run: ${result.status}`);
console.log(`${(await result.table()).numRows} rows`);
note.close();
client.close();

const nodes = [{ task: { name: 'fetch' } }, { task: { name: 'build', predecessor: 'fetch' } }];
const read = readWidget({ nodes }, 'job-graph');
if (read?.widget === 'job-graph')
  console.log(`Widget: ${read.data.nodes.map(({ task }) => task?.name).join(', ')}`);
