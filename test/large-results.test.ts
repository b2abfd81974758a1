/** Results that are larger than a page, through the server: stored behind the run, and queried. */
import { readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { outputText } from '@tiding/client';
import { describe, expect, it } from 'vitest';
import { adminClient, startEmbedded } from './support/embedded.ts';
import { temporaryFolder, untilEnd } from './support/until-end.ts';

const ROWS = 600_000;
const data = temporaryFolder();
let paragraphId: string;
const large = () => note.paragraphs.find(({ id }) => id === paragraphId)!;

async function start() {
  const embedded = await startEmbedded({ data, maxResultRows: 800_000 });
  const client = await adminClient(embedded.server.url);
  const stop = async (): Promise<void> => {
    client.close();
    await embedded.stop();
  };
  return { client, stop };
}
let server = await start();
untilEnd({ stop: () => server.stop() });
let note = await server.client.open(await server.client.notes.create({ path: 'large/Results' }));

const filesOf = async (): Promise<string[]> =>
  (await readdir(join(data, 'results', note.id)).catch(() => [])).sort();
const endings = async () => (await filesOf()).map((name) => name.slice(name.lastIndexOf('.')));
const table = (rows: number) =>
  `%sql\nselect i as id, 'row ' || i as name, i % 7 as seventh from range(${rows}) t(i)`;

describe('a result that is larger than a page', () => {
  it('shows its first rows while the rest is stored', async () => {
    const paragraph = await note.insert({ text: table(ROWS) });
    paragraphId = paragraph.id;
    const seen: string[] = [];
    const stopWatching = server.client.subscribeParagraph(note.id, paragraph.id, () => {
      const rows = paragraph.outputs[0] ? outputText(paragraph.outputs[0]).split('\n').length : 0;
      if (rows > 100) seen.push(paragraph.status);
    });
    await paragraph.run();
    stopWatching();
    expect(seen[0]).toBe('RUNNING');
    expect(paragraph.outputs[0]!.rows).toBe(ROWS);
    expect(await endings()).toEqual(['.duckdb', '.json']);
  }, 120_000);

  it('says how many rows are stored while the run stores them', async () => {
    // Each row takes long enough for the run to be cancelled before its table is complete.
    const paragraph = await note.insert({
      text: `%sql\nselect i, sha256(repeat(i::varchar, 2000)) from range(${ROWS}) t(i)`,
    });
    const seen: { status: string; shown: number; stored: number; files: string[] }[] = [];
    const before = await filesOf();
    const stopWatching = server.client.subscribeParagraph(note.id, paragraph.id, () => {
      const [output] = paragraph.outputs;
      if (output?.storedRows === undefined || seen.length > 0) return;
      seen.push({
        status: paragraph.status,
        shown: outputText(output).split('\n').length - 1,
        stored: output.storedRows,
        files: readdirSync(join(data, 'results', note.id)).filter((name) => !before.includes(name)),
      });
      void paragraph.cancel();
    });
    await paragraph.run();
    stopWatching();
    expect(paragraph.status).toBe('ABORT');
    expect(seen).toMatchObject([{ status: 'RUNNING', shown: 10_000 }]);
    expect(seen[0]!.stored).toBeGreaterThan(10_000);
    expect(seen[0]!.files.filter((name) => !/\.tmp(\.wal)?$/.test(name))).toEqual([]);
    expect(paragraph.outputs[0]!.storedRows).toBeUndefined();
    expect(paragraph.outputs[0]!.rows).toBeUndefined();
    expect(await filesOf()).toEqual(before);
    await paragraph.remove();
  }, 120_000);

  it('is queried on the server, and read completely', async () => {
    const paragraph = large();
    const { total, table: page } = await paragraph.query(0, {
      filters: [{ column: 2, as: 'number', test: 'range', from: '3', to: '3' }],
      sorts: [{ column: 0, as: 'number', descending: true }],
      question: { kind: 'rows', offset: 2_000, limit: 2 },
    });
    const last = Array.from({ length: ROWS }, (_, at) => at).filter((at) => at % 7 === 3);
    expect([total, [...page.getChild('c0')!].map(Number)]).toEqual([
      last.length,
      [last.at(-2_001), last.at(-2_002)],
    ]);
    const { batches } = await paragraph.rows(0, { offset: ROWS - 3 });
    const names: unknown[] = [];
    for await (const batch of batches) names.push(...batch.toArray().map((row) => row['name']));
    expect(names).toEqual([3, 2, 1].map((back) => `row ${ROWS - back}`));
  }, 120_000);

  it('refuses bad queries with a reason, and continues', async () => {
    const paragraph = large();
    await expect(
      paragraph.query(0, {
        sorts: [{ column: 99, as: 'number' }],
        question: { kind: 'rows', offset: 0, limit: 1 },
      }),
    ).rejects.toThrow('There is no column 99.');
    await expect(
      paragraph.query(0, { question: { kind: 'rows', offset: 0, limit: 1e9 } }),
    ).rejects.toMatchObject({ status: 400 });
    const abort = new AbortController();
    const slow = paragraph.query(
      0,
      {
        sorts: [{ column: 1, as: 'string' }],
        question: { kind: 'rows', offset: 500_000, limit: 1 },
      },
      { signal: abort.signal },
    );
    abort.abort();
    await expect(slow).rejects.toMatchObject({ code: 'aborted' });
    const { total } = await paragraph.query(0, {
      question: { kind: 'rows', offset: 0, limit: 1 },
    });
    expect(total).toBe(ROWS);
  }, 120_000);

  it('is still there after a restart', async () => {
    const { id } = note;
    await server.stop();
    server = await start();
    note = await server.client.open(id);
    const paragraph = large();
    expect(paragraph.outputs[0]!.rows).toBe(ROWS);
    const { table: groups } = await paragraph.query(0, {
      question: {
        kind: 'groups',
        keys: [{ column: 2 }],
        values: [{ column: 0, aggregate: 'max' }],
        order: 'first',
        limit: 100,
      },
    });
    expect(groups.numRows).toBe(7);
  }, 120_000);

  it('says that a limit was reached', async () => {
    const paragraph = large();
    paragraph.edit(table(900_000));
    await paragraph.run();
    const text = outputText(paragraph.outputs[1]!);
    expect(text).toMatch(/have the first [78]\d\d,\d{3}, and there are more/);
    expect(paragraph.outputs[0]!.rows).toBeGreaterThan(790_000);
    await expect.poll(endings).toEqual(['.duckdb', '.json']);
  }, 120_000);

  it('leaves nothing behind when it is cancelled, or its note is removed', async () => {
    const paragraph = await note.insert({ text: table(50_000_000) });
    const run = paragraph.run();
    await expect.poll(() => paragraph.outputs.length).toBeGreaterThan(0);
    await paragraph.cancel();
    await Promise.resolve(run).catch(() => undefined);
    expect(paragraph.status).toBe('ABORT');
    await expect.poll(endings).toEqual(['.duckdb', '.json']);
    await server.client.notes.remove(note.id);
    await expect.poll(filesOf).toEqual([]);
  }, 120_000);
});
