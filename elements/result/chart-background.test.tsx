import { type PivotConfig, pivot, runNow, type TypedRows } from '@tiding/client/model';
import { useMemo } from 'react';
import { column } from './test-outputs.tsx';
import { check, type Mounted, mount, same, waitUntil } from './test-support.tsx';
import { useChartComputation } from './visualizations/chart/use-chart-computation.ts';
import { usePivot } from './visualizations/chart/use-pivot.ts';

const rows = (length: number): TypedRows => ({
  columns: [
    { name: 'k', index: 0, kind: 'text' },
    { name: 'v', index: 1, kind: 'integer' },
  ],
  length,
  nullText: '',
  value: (row, index) => (index === 0 ? `k${row % 3}` : (row % 7) + 1),
});
const options = {};

describe('aggregation of a large table', () => {
  let shown: Mounted;

  it('gives the same pivot as at once, and keeps the old chart until then', async () => {
    const seen: string[] = [];
    function Probe({ table, aggr }: { table: TypedRows; aggr: string }) {
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
      runNow(
        pivot(table, { keys: [column('k', 0)], groups: [], values: [column('v', 1, aggr)] }),
      ).series[0]!.values.join();
    shown = mount(<Probe table={many} aggr="sum" />, []);
    await waitUntil(() => seen.at(-1) === `sum ${values('sum')} false`, 'the sums');
    same(seen[0], 'none true', 'the first chart is computed between frames');
    shown.render(<Probe table={many} aggr="max" />);
    await waitUntil(() => seen.at(-1) === `max ${values('max')} false`, 'the largest');
    check(seen.includes(`sum ${values('sum')} true`), 'the previous chart does not stay');
    const few = rows(9);
    shown.render(<Probe table={few} aggr="max" />);
    await waitUntil(() => seen.at(-1) === `max ${values('max', few)} false`, 'a small table');
    check(!seen.some((one) => one === `max ${values('max', few)} true`), 'a small table waits');
  });

  it('never replaces a newer result with an older one while rows stream in', async () => {
    let [released, steps] = [0, 0];
    const started: string[] = [];
    const workOf = (name: string) =>
      function* ({ length }: TypedRows): Generator<void, string> {
        const place = started.push(`${name} ${length}`);
        while (place > released) {
          steps += 1;
          yield;
        }
        return `${name} ${length}`;
      };
    const seen: (string | null)[] = [];
    function Probe({ source, work }: { source: TypedRows; work: ReturnType<typeof workOf> }) {
      seen.push(useChartComputation(source, work).shown?.value ?? null);
      return null;
    }
    const [first, second] = [workOf('first'), workOf('second')];
    shown = mount(<Probe source={rows(30_000)} work={first} />, []);
    await waitUntil(() => started.length === 1, 'started');
    shown.render(<Probe source={rows(30_000)} work={second} />);
    await waitUntil(() => started.length === 2, 'started something else');
    for (const length of [30_001, 30_002]) {
      shown.render(<Probe source={rows(length)} work={second} />);
      const before = steps;
      await waitUntil(() => steps > before + 10, 'the current computation continues');
    }
    same(started, ['first 30000', 'second 30000'], 'a growing table starts again');
    released = 2;
    await waitUntil(() => seen.at(-1) === 'second 30000', 'an answer in between');
    // React may show the deferred 30,001 rows before the 30,002: then one more computation runs.
    released = Number.POSITIVE_INFINITY;
    await waitUntil(() => seen.at(-1) === 'second 30002', 'the last');
    check(!seen.some((made) => made?.startsWith('first')), 'an older answer was shown');
  });
});
