import { createClient } from '@tiding/client';
import { readWidget } from '@tiding/client/widgets';

const client = createClient({
  server: 'https://notes.example.org',
  auth: { token: () => fetch('/my-backend/token').then((response) => response.text()) },
});

async function report(noteId: string, paragraphId: string): Promise<void> {
  const note = await client.open(noteId);
  const run = note.paragraph(paragraphId).run({ timeout: 60_000 });
  for await (const event of run) postMessage(`Event: ${event.type}`);
  const result = await run;
  postMessage(`Last run: ${result.status}`);
  postMessage(`${(await result.table()).numRows} rows`);
  note.close();

  const nodes = [{ task: { name: 'fetch' } }, { task: { name: 'build', predecessor: 'fetch' } }];
  const read = readWidget({ nodes }, 'job-graph');
  if (read?.widget === 'job-graph')
    postMessage(`Widget: ${read.data.nodes.map(({ task }) => task?.name).join(', ')}`);
}

self.onmessage = ({ data }: MessageEvent<{ note: string; paragraph: string }>) =>
  void report(data.note, data.paragraph);
