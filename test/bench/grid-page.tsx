/**
 * A page that contains only a table: a million rows of twenty typed columns that arrive in batches,
 * and operations on them.
 */
import type { Output } from '@tiding/client';
import * as arrow from 'apache-arrow';
import { createRoot, type Root } from 'react-dom/client';
import type { ResultContext } from '../../elements/result/contract.ts';
import TableDisplay from '../../elements/result/displays/table-result/table-display.tsx';
import { resultSheets } from '../../elements/result/index.ts';
import { tableSheets } from '../../elements/result/styles/table-sheets.ts';
import {
  graphOf,
  patchResultEntry,
  type ResultEntry,
} from '../../elements/result/view-settings.ts';
import { baseSheet, tokenSheet } from '../../elements/theme/index.ts';

const batchRows = 65_536;
const words = ['north', 'south', 'east', 'west', 'unknown'];

/** One batch of integers, floats, 64-bit integers, timestamps, words, names and nullable floats. */
function batchOf(start: number, rows: number): arrow.RecordBatch {
  const noise = (row: number, salt: number): number =>
    ((Math.imul(start + row + 1, 2654435761) ^ Math.imul(salt + 1, 40503)) >>> 0) / 2 ** 32;
  const columns: Record<string, arrow.Vector> = {};
  for (let at = 0; at < 4; at++) {
    columns[`int${at}`] = arrow.makeVector(
      Int32Array.from({ length: rows }, (_, row) => noise(row, at) * 1e6),
    );
    columns[`float${at}`] = arrow.makeVector(
      Float64Array.from({ length: rows }, (_, row) => noise(row, at + 10) * 2000 - 1000),
    );
    columns[`long${at}`] = arrow.makeVector(
      BigInt64Array.from(
        { length: rows },
        (_, row) => BigInt(Math.floor(noise(row, at + 20) * 2 ** 52)) * 1000n,
      ),
    );
  }
  for (let at = 0; at < 3; at++) {
    const values = BigInt64Array.from(
      { length: rows },
      (_, row) => 1_600_000_000_000_000n + BigInt(Math.floor(noise(row, at + 30) * 1e14)),
    );
    columns[`time${at}`] = new arrow.Vector([
      arrow.makeData({
        type: new arrow.TimestampMicrosecond(),
        length: rows,
        nullCount: 0,
        data: values,
      }),
    ]);
    columns[`region${at}`] = texts(
      Array.from({ length: rows }, (_, row) => words[Math.floor(noise(row, at + 40) * 5)]!),
    );
  }
  columns['name'] = texts(
    Array.from({ length: rows }, (_, row) => `customer ${Math.floor(noise(row, 50) * 1e6)}`),
  );
  columns['gaps'] = arrow.vectorFromArray(
    Array.from({ length: rows }, (_, row) => (noise(row, 51) < 0.1 ? null : noise(row, 52))),
    new arrow.Float64(),
  );
  return new arrow.Table(columns).batches[0]!;
}

function texts(values: readonly string[]): arrow.Vector {
  const bytes = new TextEncoder().encode(values.join(''));
  const valueOffsets = new Int32Array(values.length + 1);
  values.forEach((value, at) => (valueOffsets[at + 1] = valueOffsets[at]! + value.length));
  return new arrow.Vector([
    arrow.makeData({
      type: new arrow.Utf8(),
      length: values.length,
      nullCount: 0,
      data: bytes,
      valueOffsets,
    }),
  ]);
}

let batches: arrow.RecordBatch[] = [];
let root: Root;
let shadow: ShadowRoot;
let entry: ResultEntry = {};
let output: Output | undefined;

function render(open: () => { total: number; batches: AsyncIterable<arrow.RecordBatch> }): void {
  output ??= { type: 'TABLE', chunks: [''], count: 1, rows: open().total };
  const paragraph = { rows: async () => ({ schema: batches[0]!.schema, ...open() }) };
  const context = { note: {}, paragraph } as unknown as ResultContext;
  root.render(
    <TableDisplay
      output={output}
      status="FINISHED"
      running={false}
      graph={graphOf(entry, 500)}
      onGraph={(patch) => {
        entry = patchResultEntry(entry, patch, 500);
        render(open);
      }}
      title="Bench"
      dateFinished={undefined}
      frameUrl=""
      bare={false}
      download={(file) => ((window as unknown as { saved: unknown }).saved = file)}
      index={0}
      context={context}
      width={undefined}
      onSelect={() => {}}
    />,
  );
}

const frame = (): Promise<number> =>
  new Promise((resolve) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(null);
    }),
  );
async function until(test: () => unknown): Promise<number> {
  for (;;) {
    const at = await frame();
    if (test()) return at;
  }
}
const find = <Found extends Element = HTMLElement>(selector: string): Found | null =>
  shadow.querySelector<Found>(selector);
const cell = (column: number): string =>
  find(`[role=gridcell][data-row="0"][data-column="${column}"]`)?.textContent ?? '';
const settled = (): boolean => !find('[role=grid]')?.hasAttribute('aria-busy');

/** Scrolls sideways until an element exists: only columns in the viewport are rendered. */
async function across(selector: string): Promise<HTMLElement> {
  const grid = find('[role=grid]')!;
  for (grid.scrollLeft = 0; ; grid.scrollLeft += 400) {
    await frame();
    await frame();
    const found = find(selector);
    if (found) return found;
    if (grid.scrollLeft + grid.clientWidth >= grid.scrollWidth)
      throw new Error(`no element matches ${selector}`);
  }
}

const tasks: number[] = [];
new PerformanceObserver((list) =>
  tasks.push(...list.getEntries().map(({ duration }) => duration)),
).observe({ type: 'longtask' });

const page = {
  /** Creates the batches and returns their size in bytes. */
  prepare(rows: number): number {
    batches = Array.from({ length: Math.ceil(rows / batchRows) }, (_, at) =>
      batchOf(at * batchRows, Math.min(batchRows, rows - at * batchRows)),
    );
    const host = document.body.appendChild(document.createElement('div'));
    host.style.width = '1200px';
    shadow = host.attachShadow({ mode: 'open' });
    shadow.adoptedStyleSheets = [tokenSheet, baseSheet, ...resultSheets, ...tableSheets].map(
      (text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        return sheet;
      },
    );
    const result = shadow.appendChild(document.createElement('div'));
    result.className = 'result';
    root = createRoot(result);
    return batches.reduce((sum, batch) => sum + batch.data.byteLength, 0);
  },
  /** Times from the first batch to the first painted rows and to the last row, in ms. */
  async show(): Promise<{ first: number; all: number }> {
    let began = 0;
    const total = batches.reduce((sum, { numRows }) => sum + numRows, 0);
    render(() => ({
      total,
      batches: (async function* () {
        for (const batch of batches) {
          began ||= performance.now();
          yield batch;
          await new Promise((resolve) => setTimeout(resolve, 4));
        }
      })(),
    }));
    const first = await until(() => cell(0) !== '');
    const all = await until(() => !find('progress'));
    await until(settled);
    return { first: first - began, all: all - began };
  },
  /** Scrolls the grid by `by` px per frame and returns the times between frames, in ms. */
  async scroll(by: number, frames: number): Promise<number[]> {
    const grid = find('[role=grid]')!;
    const times: number[] = [];
    let before = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    for (let at = 0; at < frames; at++) {
      grid.scrollTop += by;
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      times.push(now - before);
      before = now;
    }
    grid.scrollTop = 0;
    await frame();
    return times;
  },
  /** Time from a click on a header to the sorted rows, and the longest task, in ms. */
  async sort(name: string): Promise<{ ms: number; longest: number }> {
    const head = await across(`[role=columnheader][title="${name}"]`);
    tasks.length = 0;
    const began = performance.now();
    head.click();
    await until(() => !settled());
    const ms = (await until(settled)) - began;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { ms, longest: Math.max(0, ...tasks) };
  },
  /** Time from applying a filter to the filtered rows, in ms, without the delay after typing. */
  async filter(
    name: string,
    text: string,
  ): Promise<{ ms: number; longest: number; shown: string }> {
    if (!find('.grid-filter')) find('[aria-label=Filter]')!.click();
    await until(() => find('.grid-filter'));
    const field = await across(`[aria-label="Filter ${name}"]`);
    tasks.length = 0;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await until(() => !settled());
    const began = performance.now();
    const ms = (await until(settled)) - began;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { ms, longest: Math.max(0, ...tasks), shown: find('.result-meta')!.textContent! };
  },
  frame,
  find,
  get shadow() {
    return shadow;
  },
};
(window as unknown as { grid: typeof page }).grid = page;
