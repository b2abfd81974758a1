import { BarChart } from 'echarts/charts';
import { use } from 'echarts/core';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { cleanPivot, pivot as pivotOf, type Pivot, type PivotConfig } from 'tiding/model';
import { formatInteger } from '../../numbers.ts';
import { resultText } from '../../text.ts';
import { xLabelsOf } from '../chart/axes.ts';
import { ChartTable, chartSummary, Legend } from '../chart/chart-parts.tsx';
import { EChart } from '../chart/echart.tsx';
import type { Palette } from '../chart/palette.ts';
import type { VisualizationProps } from '../contract.ts';
import { Fields } from '../fields/fields.tsx';
import { barOption, barTip } from './option.ts';

use([BarChart]);

const id = 'multiBarChart';
const words = resultText.chart;
/** Bars beyond this are more than a window has columns of pixels, and more than SVG draws in time. */
const maxBars = 4000;

/** Grouped or stacked bars of a pivot. */
export default function BarView({ table, graph, onGraph, title, optionOpen, height, fill }: VisualizationProps) {
  const { keys, groups, values } = graph;
  const config = useMemo(() => cleanPivot({ keys, groups, values }, table.columns), [keys, groups, values, table.columns]);
  // While rows stream in, drawing waits for the page to be idle.
  const settled = useDeferredValue(table);
  const whole = useMemo(() => pivotOf(settled, config), [settled, config]);
  const pivot = useMemo(() => capped(whole), [whole]);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const setting = graph.setting[id];
  const stacked = setting?.['stacked'] === true;

  const option = useCallback(
    (palette: Palette) => {
      const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
      return barOption(pivot, { stacked, labels: xLabelsOf(setting ?? {}), still }, hidden, palette);
    },
    [pivot, stacked, setting, hidden],
  );
  const toggle = (name: string): void =>
    setHidden((old) => {
      const next = new Set(old);
      if (!next.delete(name)) next.add(name);
      return next;
    });
  const setPivot = (next: PivotConfig): void => onGraph({ keys: next.keys, groups: next.groups, values: next.values });
  const setStacked = (next: boolean): void => onGraph({ setting: { ...graph.setting, [id]: { ...setting, stacked: next } } });
  const empty = pivot.series.length === 0 ? (table.rows.length === 0 && config.values.length > 0 ? words.noRows : null) : undefined;
  return (
    <div className="chart-outer">
      {optionOpen && (
        <Fields columns={table.columns} pivot={config} onPivot={setPivot}>
          <div className="fields-extra">
            <span className="label">{words.layout}</span>
            <Choice stacked={stacked} onStacked={setStacked} />
          </div>
        </Fields>
      )}
      {empty !== undefined ? (
        <div className="chart-empty" style={fill ? undefined : { minHeight: 120 }}>
          <p>{empty ?? words.noValues}</p>
          {empty === null && <p className="secondary-text">{words.noValuesHint}</p>}
        </div>
      ) : (
        <div className="chart-body" style={fill ? undefined : { height }}>
          <Legend pivot={pivot} hidden={hidden} onToggle={toggle} />
          <EChart option={option} label={chartSummary(resultText.views.multiBarChart, pivot)} tip={(index) => barTip(pivot, hidden, index)} />
          {whole.x.length > pivot.x.length && <p className="chart-more">{words.more(formatInteger(whole.x.length - pivot.x.length))}</p>}
          <ChartTable pivot={pivot} title={title} />
        </div>
      )}
    </div>
  );
}

/** As many points as can be drawn, in their order. */
function capped(pivot: Pivot): Pivot {
  const points = Math.max(1, Math.floor(maxBars / Math.max(1, pivot.series.length)));
  if (pivot.x.length <= points) return pivot;
  return { x: pivot.x.slice(0, points), series: pivot.series.map(({ name, values }) => ({ name, values: values.slice(0, points) })) };
}

function Choice({ stacked, onStacked }: { stacked: boolean; onStacked: (stacked: boolean) => void }) {
  const options = [
    [false, words.grouped],
    [true, words.stacked],
  ] as const;
  return (
    <div
      className="segments"
      role="radiogroup"
      aria-label={words.layout}
      onKeyDown={(event) => {
        if (!/^Arrow/.test(event.key)) return;
        event.preventDefault();
        event.stopPropagation();
        onStacked(!stacked);
        event.currentTarget.querySelectorAll('button')[stacked ? 0 : 1]?.focus();
      }}
    >
      {options.map(([value, label]) => (
        <button key={label} type="button" role="radio" aria-checked={stacked === value} tabIndex={stacked === value ? 0 : -1} onClick={() => onStacked(value)}>
          {label}
        </button>
      ))}
    </div>
  );
}
