import { useMemo } from 'react';
import { parseTable, pivot, type PivotConfig, type TableData } from 'tiding/model';
import { check, mount, same, until, type Mounted } from './test-kit.tsx';
import { useAggregate, type Work } from './visualizations/chart/use-aggregate.ts';
import { usePivot } from './visualizations/chart/use-pivot.ts';

const column = (name: string, index: number, aggr = 'sum') => ({ name, index, aggr });
const rows = (count: number): TableData =>
  parseTable(
    `k\tv\n${Array.from({ length: count }, (_, at) => `k${at % 3}\t${(at % 7) + 1}`).join('\n')}`,
  );
const options = {};

describe('aggregation in the background', () => {
  let shown: Mounted;
  afterEach(() => shown.remove());

  it('gives the same pivot as at once, after the picture before', async () => {
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
    await until(() => seen.at(-1) === `sum ${values('sum')} false`, 'the sums');
    same(seen[0], 'none true', 'the first picture is made off this thread');
    shown.render(<Probe table={many} aggr="max" />);
    await until(() => seen.at(-1) === `max ${values('max')} false`, 'the largest');
    check(seen.includes(`sum ${values('sum')} true`), 'the picture before does not stay');
    const few = rows(9);
    shown.render(<Probe table={few} aggr="max" />);
    await until(() => seen.at(-1) === `max ${values('max', few)} false`, 'a small table');
    check(!seen.some((one) => one === `max ${values('max', few)} true`), 'a small table waits');
  });

  it('never shows an older answer over a newer, and finishes one while rows come', async () => {
    const answers: { name: string; length: number; resolve: (made: string) => void }[] = [];
    const workOf = (name: string): Work<string> => ({
      indexes: [0],
      here: () => 'here',
      away: (_, length) =>
        new Promise((resolve) =>
          answers.push({ name, length, resolve: () => resolve(`${name} ${length}`) }),
        ),
    });
    const seen: (string | null)[] = [];
    function Probe({ table, work }: { table: TableData; work: Work<string> }) {
      seen.push(useAggregate<string, Work<string>>(table, work, 0).shown?.made ?? null);
      return null;
    }
    const table = rows(5);
    const [first, second] = [workOf('first'), workOf('second')];
    shown = mount(<Probe table={table} work={first} />, []);
    await until(() => answers.length === 1, 'asked');
    shown.render(<Probe table={table} work={second} />);
    await until(() => answers.length === 2, 'asked for something else');
    answers[1]!.resolve('');
    await until(() => seen.at(-1) === 'second 5', 'the newer answer');
    answers[0]!.resolve('');
    // The same list, grown, as a stream has it.
    (table.rows as unknown as unknown[]).push(['k', 1]);
    shown.render(<Probe table={{ ...table }} work={second} />);
    await until(() => answers.length === 3, 'asked again');
    (table.rows as unknown as unknown[]).push(['k', 1]);
    shown.render(<Probe table={{ ...table }} work={second} />);
    answers[2]!.resolve('');
    await until(() => seen.at(-1) === 'second 6' && answers.length === 4, 'an answer between');
    answers[3]!.resolve('');
    await until(() => seen.at(-1) === 'second 7', 'the last');
    check(!seen.some((made) => made?.startsWith('first')), 'an older answer was shown');
  });
});
