import { type PivotConfig, parseTable, pivot, type TableData } from '@tiding/client/model';
import { useMemo } from 'react';
import { check, type Mounted, mount, same, waitUntil } from './test-support.tsx';
import {
  type ChartComputation,
  useChartComputation,
} from './visualizations/chart/use-chart-computation.ts';
import { usePivot } from './visualizations/chart/use-pivot.ts';

const column = (name: string, index: number, aggr = 'sum') => ({ name, index, aggr });
const rows = (count: number): TableData =>
  parseTable(
    `k\tv\n${Array.from({ length: count }, (_, at) => `k${at % 3}\t${(at % 7) + 1}`).join('\n')}`,
  );
const options = {};

describe('aggregation in a worker', () => {
  let shown: Mounted;
  afterEach(() => shown.remove());

  it('gives the same pivot as without a worker, and keeps the old chart until then', async () => {
    const seen: string[] = [];
    function Probe({ table, aggr }: { table: TableData; aggr: string }) {
      const config = useMemo<PivotConfig>(
        () => ({ keys: [column('k', 0)], groups: [], values: [column('v', 1, aggr)] }),
        [aggr],
      );
      const { shown: now, busy } = usePivot(table, config, options);
      seen.push(
        now
          ? `${now.config.values[0]!.aggr} ${now.pivot.series[0]!.values.join()} ${busy}`
          : `none ${busy}`,
      );
      return null;
    }
    const many = rows(30_000);
    const values = (aggr: string, table = many) =>
      pivot(table, {
        keys: [column('k', 0)],
        groups: [],
        values: [column('v', 1, aggr)],
      }).series[0]!.values.join();
    shown = mount(<Probe table={many} aggr="sum" />, []);
    await waitUntil(() => seen.at(-1) === `sum ${values('sum')} false`, 'the sums');
    same(seen[0], 'none true', 'the first chart is computed in the worker');
    shown.render(<Probe table={many} aggr="max" />);
    await waitUntil(() => seen.at(-1) === `max ${values('max')} false`, 'the largest');
    check(seen.includes(`sum ${values('sum')} true`), 'the previous chart does not stay');
    const few = rows(9);
    shown.render(<Probe table={few} aggr="max" />);
    await waitUntil(() => seen.at(-1) === `max ${values('max', few)} false`, 'a small table');
    check(!seen.some((one) => one === `max ${values('max', few)} true`), 'a small table waits');
  });

  it('never replaces a newer result with an older one while rows stream in', async () => {
    const answers: { name: string; length: number; resolve: (made: string) => void }[] = [];
    const workOf = (name: string): ChartComputation<string> => ({
      indexes: [0],
      compute: () => 'here',
      computeInWorker: (_, length) =>
        new Promise((resolve) =>
          answers.push({ name, length, resolve: () => resolve(`${name} ${length}`) }),
        ),
    });
    const seen: (string | null)[] = [];
    function Probe({ table, work }: { table: TableData; work: ChartComputation<string> }) {
      seen.push(
        useChartComputation<string, ChartComputation<string>>(table, work, 0).shown?.value ?? null,
      );
      return null;
    }
    const table = rows(5);
    const [first, second] = [workOf('first'), workOf('second')];
    shown = mount(<Probe table={table} work={first} />, []);
    await waitUntil(() => answers.length === 1, 'requested');
    shown.render(<Probe table={table} work={second} />);
    await waitUntil(() => answers.length === 2, 'requested something else');
    answers[1]!.resolve('');
    await waitUntil(() => seen.at(-1) === 'second 5', 'the newer answer');
    answers[0]!.resolve('');
    // The same array grows, as with a stream.
    (table.rows as unknown as unknown[]).push(['k', 1]);
    shown.render(<Probe table={{ ...table }} work={second} />);
    await waitUntil(() => answers.length === 3, 'requested again');
    (table.rows as unknown as unknown[]).push(['k', 1]);
    shown.render(<Probe table={{ ...table }} work={second} />);
    answers[2]!.resolve('');
    await waitUntil(
      () => seen.at(-1) === 'second 6' && answers.length === 4,
      'an answer in between',
    );
    answers[3]!.resolve('');
    await waitUntil(() => seen.at(-1) === 'second 7', 'the last');
    check(!seen.some((made) => made?.startsWith('first')), 'an older answer was shown');
  });
});
