import {
  Field,
  Int32,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
} from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import type { Context } from '../context.ts';
import { output } from './outputs.ts';
import { readRows, readTable, type OutputPlace } from './rows.ts';

/** A stream of batches of 100 rows. */
function stream(count: number): Uint8Array<ArrayBuffer> {
  const schema = new Schema([new Field('n', new Int32(), true)]);
  const writer = new RecordBatchStreamWriter();
  for (let at = 0; at < count; at += 1) {
    const child = makeData({
      type: new Int32(),
      data: Int32Array.from({ length: 100 }, (_, row) => at * 100 + row),
    });
    writer.write(
      new RecordBatch(
        schema,
        makeData({ type: new Struct(schema.fields), length: 100, children: [child] }),
      ),
    );
  }
  return Uint8Array.from(writer.finish().toUint8Array(true));
}

/** A server that answers with these bytes, in pieces; told of what is asked, and how far it is read. */
function server(bytes: Uint8Array<ArrayBuffer>, { length = bytes.length, piece = 333 } = {}) {
  const asked: unknown[] = [];
  const state = { sent: 0, cancelled: false };
  const call = (async (_name: string, init: { signal: AbortSignal }) => {
    asked.push(init);
    if (init.signal.aborted) throw new Error('aborted');
    return new Response(
      new ReadableStream(
        {
          pull(controller) {
            if (init.signal.aborted) return controller.error(new Error('aborted'));
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
  }) as unknown as Context['call'];
  const place: OutputPlace = {
    context: { call },
    noteId: 'N',
    paragraphId: 'p',
    outputs: () => undefined,
  };
  return { place, asked, state };
}
const whole = output('TABLE', 'n\n0\n', 5_000);

describe('rows', () => {
  it('come batch by batch, however the answer is cut', async () => {
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

  it('are read no further when the loop is left', async () => {
    const { place, state } = server(stream(50));
    for await (const batch of (await readRows(whole, 0, place)).batches) {
      expect(batch.numRows).toBe(100);
      break;
    }
    await expect.poll(() => state.cancelled).toBe(true);
    expect(state.sent).toBeLessThan(stream(50).length / 2);
  });

  it('that break off are a failure, never a shorter table', async () => {
    const bytes = stream(50);
    for (const cut of [0, 50, 2_000, bytes.length - 8, bytes.length - 1]) {
      const { place } = server(bytes.slice(0, cut), { length: bytes.length });
      await expect(readTable([whole], place), String(cut)).rejects.toMatchObject({
        code: 'network',
      });
    }
  });

  it('end with the signal', async () => {
    const abort = new AbortController();
    const { place } = server(stream(50));
    const { batches } = await readRows(whole, 0, place, { signal: abort.signal });
    const reading = (async () => {
      for await (const _ of batches) abort.abort();
    })();
    await expect(reading).rejects.toMatchObject({ code: 'aborted' });
  });

  it('of a text are one batch, and of no table a refusal', async () => {
    const { place, asked } = server(stream(1));
    const { total, batches } = await readRows(output('TABLE', 'a\tb\n1\tx\n2\ty\n'), 0, place, {
      limit: 1,
    });
    const all: unknown[] = [];
    for await (const batch of batches)
      all.push(...Array.from({ length: batch.numRows }, (_, row) => batch.getChild('b')!.get(row)));
    expect([total, all, asked]).toEqual([undefined, ['x'], []]);
    for (const none of [undefined, output('TEXT', 'x')])
      await expect(readRows(none, 0, place)).rejects.toMatchObject({
        code: 'server',
        message: 'the paragraph has no table',
      });
    await expect(readTable([], place)).rejects.toMatchObject({ code: 'server' });
  });

  it('of another output than the one that is held are refused', async () => {
    const { place } = server(stream(1));
    await expect(
      readRows(whole, 0, { ...place, outputs: () => [output('TABLE', 'n\n9\n', 5_000)] }),
    ).rejects.toMatchObject({ code: 'server' });
    expect(
      (await readRows(whole, 0, { ...place, outputs: () => [output('TABLE', 'n\n0\n', 5_000)] }))
        .total,
    ).toBe(5_000);
  });
});
