import {
  cleanScatter,
  missingColumns,
  type ScatterConfig,
  type ScatterPoints,
  scatterPointDetails,
  scatterPoints,
  type TypedRows,
} from '@tiding/client/model';
import { ScatterChart } from 'echarts/charts';
import { use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useCallback, useMemo, useState } from 'react';
import { useStableValue } from '../../../runtime/hooks.ts';
import { chartTexts } from '../../../text/results/charts.ts';
import { resultText } from '../../../text/results/result.ts';
import { Notice } from '../../parts/notice.tsx';
import { formatTick } from '../../parts/numbers.ts';
import { Skeleton } from '../../parts/skeleton.tsx';
import type { StoredColumn } from '../../view-settings.ts';
import { Legend, legendEntries } from '../chart/chart-parts.tsx';
import type { ChartSpot } from '../chart/chart-pointing.ts';
import type { TipText } from '../chart/chart-tip.tsx';
import { EChart } from '../chart/echart.tsx';
import type { ChartPalette } from '../chart/palette.ts';
import { useChartComputation } from '../chart/use-chart-computation.ts';
import { useHidden } from '../chart/use-hidden.ts';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { ScatterFields } from '../fields/scatter-fields.tsx';
import { useChartColumns } from '../use-chart-columns.ts';
import { useSampledRows } from '../use-remote-chart.ts';
import { cappedPoints, scatterNotes } from './capped-points.ts';
import { CANVAS_FROM_POINTS, coordinateText, pointCount, scatterOption } from './option.ts';
import { scatterPointing } from './pointing.ts';
import { ScatterTable } from './scatter-table.tsx';

use([ScatterChart, CanvasRenderer]);

const id = 'scatterChart';
/** Scatter chart of a table's rows. */
export default function ScatterView({
  source: all,
  graph,
  onGraph,
  title,
  optionOpen,
  height,
  fill,
  onSelect,
  onPicture,
}: BuiltInVisualizationProps) {
  const stored = graph.setting[id];
  const wells = [stored?.['xAxis'], stored?.['yAxis'], stored?.['group'], stored?.['size']];
  // The objects of the fields may be new without a change.
  const setting = useStableValue(stored, [JSON.stringify(wells)]);
  const { columns, types } = useChartColumns(all);
  const config = useMemo(() => cleanScatter(setting, columns, types), [setting, columns, types]);
  const missing = missingColumns(wells.filter(isColumn), columns);
  const sampled = useSampledRows(all, indexesOf(config));
  const work = useMemo(
    () =>
      function* (rows: TypedRows) {
        return { points: cappedPoints(yield* scatterPoints(rows, config)), config };
      },
    [config],
  );
  const { shown, busy } = useChartComputation(sampled.rows, work);
  const points = shown?.value.points;
  const [hidden, toggle] = useHidden();
  const [choice, setChoice] = useState<{ of: ScatterPoints; spot: ChartSpot } | null>(null);
  const picked = choice && choice.of === points ? choice.spot : null;
  const option = useCallback(
    (palette: ChartPalette) => scatterOption(points!, { hidden, picked, ends: false }, palette),
    [points, hidden, picked],
  );
  const pointing = useMemo(() => points && scatterPointing(points, hidden), [points, hidden]);
  const pick = (spot: ChartSpot | null): void => {
    const place =
      spot && shown
        ? scatterPointDetails(
            shown.source,
            shown.value.config,
            shown.value.points,
            spot.series,
            spot.point,
          )
        : undefined;
    setChoice(place && spot ? { of: shown!.value.points, spot } : null);
    onSelect(place ?? null);
  };
  const setConfig = (next: ScatterConfig): void =>
    onGraph({ setting: { ...graph.setting, [id]: { ...setting, ...next } } });
  const count = points ? pointCount(points) : 0;
  const entries = points ? legendEntries(points.groups.map(({ name }) => name)) : [];
  return (
    <div className="chart-outer" aria-busy={busy || sampled.busy}>
      {optionOpen && (
        <ScatterFields
          columns={columns}
          config={config}
          onConfig={setConfig}
          sizeAllowed={points?.sizeAllowed !== false}
        />
      )}
      {missing.length > 0 && (
        <Notice>{chartTexts.missing(missing.join(', '), missing.length === 1)}</Notice>
      )}
      {!points || !pointing || (count === 0 && sampled.busy) ? (
        <Skeleton height={height} />
      ) : count === 0 ? (
        <div className="chart-empty" style={fill ? undefined : { minHeight: 120 }}>
          <p>
            {config.xAxis || config.yAxis ? resultText.chart.noRows : resultText.chart.noValues}
          </p>
          {!config.xAxis && !config.yAxis && <p className="secondary-text">{chartTexts.noAxis}</p>}
        </div>
      ) : (
        <div className="chart-body" style={fill ? undefined : { height }}>
          <Legend entries={entries} hidden={hidden} onToggle={toggle} quiet={false} />
          <EChart
            option={option}
            of={points}
            canvas={count >= CANVAS_FROM_POINTS}
            label={chartTexts.scatterSummary(
              resultText.views.scatterChart,
              points.groups.length > 8
                ? resultText.chart.seriesCount(points.groups.length)
                : points.groups.map(({ name }) => name).join(', '),
              resultText.chart.pointCount(count),
            )}
            pointing={pointing}
            tip={(spot) => tipOf(points, spot)}
            onPick={pick}
            picture={{
              title,
              legend: entries.length < 2 ? [] : entries.filter(({ name }) => !hidden.has(name)),
            }}
            onPicture={onPicture}
          />
          {scatterNotes(points, all.remote?.total).map((note) => (
            <p key={note} className="chart-more">
              {note}
            </p>
          ))}
          <ScatterTable points={points} title={title} />
        </div>
      )}
    </div>
  );
}

/** Indexes of the columns of a configuration. */
const indexesOf = ({ xAxis, yAxis, group, size }: ScatterConfig): number[] =>
  [xAxis, yAxis, group, size].flatMap((column) => (column ? [column.index] : []));

function isColumn(value: unknown): value is StoredColumn {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'index' in value
  );
}

function tipOf(
  { x, y, groups, counted, sized }: ScatterPoints,
  { series, point }: ChartSpot,
): TipText | null {
  const group = groups[series];
  if (!group) return null;
  const coordinates = [
    x.name && coordinateText(x, group.coordinates[2 * point]!),
    y.name && coordinateText(y, group.coordinates[2 * point + 1]!),
  ].filter((part) => part !== '');
  const size = counted || sized ? ` · ${formatTick(group.sizes[point]!)}` : '';
  return {
    head: groups.length > 1 ? group.name : '',
    lines: [
      {
        at: series,
        count: groups.length,
        name: [x.name, y.name].filter((part) => part !== '').join(', '),
        value: `${coordinates.join(', ')}${size}`,
      },
    ],
  };
}
