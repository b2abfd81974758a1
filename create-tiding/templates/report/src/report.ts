import { mkdir, writeFile } from 'node:fs/promises';
import { createClient, type RunResult } from '@tiding/client';
import { renderPage } from '@tiding/elements/snapshot';
import { toCsv } from './csv.js';

/** Time limit of the run, in ms. */
const LIMIT_MS = 600_000;
const setting = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name} in the file .env.`);
  return value;
};

const client = createClient({
  server: setting('TIDING_SERVER'),
  auth: { token: setting('TIDING_TOKEN') },
});
try {
  const { id, path } = await client.notes.find(setting('TIDING_NOTE'));
  const note = await client.open(id);
  const results: RunResult[] = await note.run({ timeout: LIMIT_MS });
  const failed = results.find(({ status }) => status === 'ERROR' || status === 'ABORT');
  if (failed) throw new Error(`A paragraph of '${path}' failed: ${failed.error ?? failed.status}`);

  await mkdir('reports', { recursive: true });
  await writeFile('reports/report.html', await renderPage(note, { code: false }));
  console.log('reports/report.html');
  const tables = results.filter(({ outputs }) => outputs.some(({ type }) => type === 'TABLE'));
  for (const [index, result] of tables.entries()) {
    const file = `reports/table-${index + 1}.csv`;
    const table = await result.table();
    await writeFile(file, toCsv(table));
    console.log(`${file}: ${table.numRows} rows`);
  }
} finally {
  client.close();
}
