/**
 * Signs in, opens and runs a note, prints its output as it streams, and finally the last table as
 * Arrow.
 */
import { createClient } from '@tiding/client';

const [server = 'http://127.0.0.1:8080', token = '', path = 'Samples/Seattle weather'] =
  process.argv.slice(2);
const client = createClient({ server, auth: { token } });
const entry = (await client.notes.list()).find((note) => note.path === path);
const note = await client.open(entry?.id ?? '');
const run = note.run();
for await (const event of run) if (event.type === 'append') process.stdout.write(event.data);
const table = await (await run)
  .findLast((result) => result.outputs.some(({ type }) => type === 'TABLE'))
  ?.table();
console.log(
  `\n${table?.numRows} rows: ` +
    table?.schema.fields.map((field) => `${field.name} ${field.type}`).join(', '),
);
client.close();
