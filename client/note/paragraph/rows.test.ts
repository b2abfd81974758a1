import {
  type Data,
  DateDay,
  Field,
  Int32,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampMicrosecond,
} from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { createOutput } from '../../core/outputs.ts';
import type { ClientContext } from '../../session/client-context.ts';
import { type OutputLocation, readRows, readTable } from './rows.ts';

/** A stream of a column `n` in batches. */
function streamOf(column: readonly Data[]): Uint8Array<ArrayBuffer> {
  const schema = new Schema([new Field('n', column[0]!.type, true)]);
  const writer = new RecordBatchStreamWriter();
  for (const child of column) {
    const { length } = child;
    const data = makeData({ type: new Struct(schema.fields), length, children: [child] });
    writer.write(new RecordBatch(schema, data));
  }
  return Uint8Array.from(writer.finish().toUint8Array(true));
}

/** A stream of batches of 100 rows. */
const stream = (count: number): Uint8Array<ArrayBuffer> =>
  streamOf(
    Array.from({ length: count }, (_, at) =>
      makeData({
        type: new Int32(),
        data: Int32Array.from({ length: 100 }, (_, row) => at * 100 + row),
      }),
    ),
  );

/** A server that returns these bytes in chunks, and records the requests and how much was read. */
function server(
  bytes: Uint8Array<ArrayBuffer>,
  { length = bytes.length, piece = 333, deaf = false } = {},
) {
  const asked: unknown[] = [];
  const state = { sent: 0, cancelled: false };
  const call = (async (_name: string, init: { signal: AbortSignal }) => {
    asked.push(init);
    if (init.signal.aborted) throw new Error('aborted');
    return new Response(
      new ReadableStream(
        {
          pull(controller) {
            if (init.signal.aborted && !deaf) return controller.error(new Error('aborted'));
            if (state.sent >= bytes.length) return controller.close();
            controller.enqueue(bytes.slice(state.sent, state.sent + piece));
            state.sent += piece;
          },
          cancel() {
            state.cancelled = true;
          },
        },
        { highWaterMark: 0 },
      ),
      { headers: { 'Content-Length': String(length) } },
    );
  }) as unknown as ClientContext['call'];
  const place: OutputLocation = {
    isRevision: false,
    context: { call },
    noteId: 'N',
    paragraphId: 'p',
    outputs: () => undefined,
  };
  return { place, asked, state };
}
const whole = createOutput('TABLE', 'n\n0\n', { rows: 5_000 });

describe('rows', () => {
  it('arrive batch by batch, however the response is split', async () => {
    for (const piece of [1, 7, 333, 1e6]) {
      const { place, asked } = server(stream(5), { piece });
      const { total, schema, batches } = await readRows(whole, 2, place, { offset: 3, limit: 9 });
      const seen: number[] = [];
      for await (const batch of batches) seen.push(batch.numRows);
      expect([total, schema.names, seen]).toEqual([5_000, ['n'], [100, 100, 100, 100, 100]]);
      expect(asked).toMatchObject([
        { params: { resultId: 'N.p.2' }, query: { format: 'arrow', offset: 3, limit: 9 } },
      ]);
    }
  });

  it('are not read further when the loop is left', async () => {
    const { place, state } = server(stream(50));
    for await (const batch of (await readRows(whole, 0, place)).batches) {
      expect(batch.numRows).toBe(100);
      break;
    }
    await expect.poll(() => state.cancelled).toBe(true);
    expect(state.sent).toBeLessThan(stream(50).length / 2);
  });

  it('that end early are an error, never a shorter table', async () => {
    const bytes = stream(50);
    for (const cut of [0, 50, 2_000, bytes.length - 8, bytes.length - 1]) {
      const { place } = server(bytes.slice(0, cut), { length: bytes.length });
      await expect(readTable([whole], place), String(cut)).rejects.toMatchObject({
        code: 'network',
      });
    }
  });

  it.each([
    ['while they arrive', {}],
    ['after they have arrived', { piece: Infinity, deaf: true }],
  ])('end when the signal is aborted %s', async (_, options) => {
    const abort = new AbortController();
    const { place } = server(stream(50), options);
    const { batches } = await readRows(whole, 0, place, { signal: abort.signal });
    const reading = (async () => {
      for await (const _ of batches) abort.abort();
    })();
    await expect(reading).rejects.toMatchObject({ code: 'aborted' });
  });

  it('of a text are one batch, and without a table they are refused', async () => {
    const { place, asked } = server(stream(1));
    const { total, batches } = await readRows(
      createOutput('TABLE', 'a\tb\n1\tx\n2\ty\n'),
      0,
      place,
      {
        limit: 1,
      },
    );
    const all: unknown[] = [];
    for await (const batch of batches)
      all.push(...Array.from({ length: batch.numRows }, (_, row) => batch.getChild('b')!.get(row)));
    expect([total, all, asked]).toEqual([undefined, ['x'], []]);
    for (const none of [undefined, createOutput('TEXT', 'x')])
      await expect(readRows(none, 0, place)).rejects.toMatchObject({
        code: 'not-found',
        message: 'The paragraph has no table.',
      });
    await expect(readTable([], place)).rejects.toMatchObject({ code: 'not-found' });
  });

  it.each<[string, readonly Data[], readonly (string | null)[]]>([
    [
      'timestamps',
      [[0n, -(2n ** 63n) + 1n], [2n ** 63n - 1n]].map((times) =>
        makeData({ type: new TimestampMicrosecond(), data: BigInt64Array.from(times) }),
      ),
      ['1970-01-01 00:00:00', '-infinity', 'infinity'],
    ],
    [
      'dates',
      [makeData({ type: new DateDay(), data: Int32Array.of(2 ** 31 - 1, 19_723) })],
      ['infinity', '2024-01-01'],
    ],
  ])('with infinite %s are texts in a table, which scripts can read', async (_, column, texts) => {
    const { place } = server(streamOf(column));
    const table = await readTable([whole], place);
    expect(table.toArray().map((row) => row.toJSON())).toEqual(texts.map((n) => ({ n })));
  });

  it('of another output than the given one are refused', async () => {
    const { place } = server(stream(1));
    await expect(
      readRows(whole, 0, {
        ...place,
        outputs: () => [createOutput('TABLE', 'n\n9\n', { rows: 5_000 })],
      }),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect(
      (
        await readRows(whole, 0, {
          ...place,
          outputs: () => [createOutput('TABLE', 'n\n0\n', { rows: 5_000 })],
        })
      ).total,
    ).toBe(5_000);
  });
});
