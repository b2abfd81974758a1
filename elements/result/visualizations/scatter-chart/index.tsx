import {
  cleanScatter,
  missingColumns,
  type ScatterConfig,
  type ScatterPoints,
  scatterPointDetails,
  scatterPoints,
  sizeAllowed,
  tableCellSource,
} from '@tiding/client/model';
import { ScatterChart } from 'echarts/charts';
import { use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useCallback, useMemo, useState } from 'react';
import { useStableValue } from '../../../runtime/hooks.ts';
import { chartTexts } from '../../../text/results/charts.ts';
import { resultText } from '../../../text/results/result.ts';
import { Notice } from '../../parts/notice.tsx';
import { formatInteger, formatTick } from '../../parts/numbers.ts';
import { Skeleton } from '../../parts/skeleton.tsx';
import type { StoredColumn } from '../../view-settings.ts';
import { Legend, legendEntries } from '../chart/chart-parts.tsx';
import type { ChartSpot } from '../chart/chart-pointing.ts';
import type { TipText } from '../chart/chart-tip.tsx';
import { EChart } from '../chart/echart.tsx';
import type { ChartPalette } from '../chart/palette.ts';
import {
  type ChartComputation,
  chartWorker,
  useChartComputation,
} from '../chart/use-chart-computation.ts';
import { useHidden } from '../chart/use-hidden.ts';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { ScatterFields } from '../fields/scatter-fields.tsx';
import { useSampledTable } from '../use-remote-chart.ts';
import { type CappedPoints, cappedPoints } from './capped-points.ts';
import { CANVAS_FROM_POINTS, coordinateText, pointCount, scatterOption } from './option.ts';
import { scatterPointing } from './pointing.ts';
import { ScatterTable } from './scatter-table.tsx';

use([ScatterChart, CanvasRenderer]);

const id = 'scatterChart';
/** Tables with more rows than this are processed in a worker. */
const small = 150_000;
interface ScatterWork extends ChartComputation<CappedPoints> {
  readonly config: ScatterConfig;
}

/** Scatter chart of a table's rows. */
export default function ScatterView({
  table: given,
  source,
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
  const config = useMemo(() => cleanScatter(setting, given.columns), [setting, given.columns]);
  const missing = missingColumns(wells.filter(isColumn), given.columns);
  const sampled = useSampledTable(given, source?.remote, indexesOf(config));
  const { table } = sampled;
  const work = useMemo<ScatterWork>(
    () => ({
      config,
      indexes: indexesOf(config),
      compute: (source) => cappedPoints(scatterPoints(source, config)),
      computeInWorker: async (columns, length, transfer) =>
        cappedPoints(await chartWorker.call('scatter', { columns, length, config }, transfer)),
    }),
    [config],
  );
  const { shown, busy } = useChartComputation<CappedPoints, ScatterWork>(table, work, small);
  const points = shown?.value;
  const [hidden, toggle] = useHidden();
  const [choice, setChoice] = useState<{ of: ScatterPoints; spot: ChartSpot } | null>(null);
  const picked = choice && choice.of === points ? choice.spot : null;
  const option = useCallback(
    (palette: ChartPalette) => scatterOption(points!, { hidden, picked, ends: false }, palette),
    [points, hidden, picked],
  );
  const pointing = useMemo(() => points && scatterPointing(points, hidden), [points, hidden]);
  const allowed = useMemo(
    () =>
      !optionOpen ||
      (table.rows.length > small
        ? points?.sized || config.size === null
        : sizeAllowed(tableCellSource(table), config)),
    [optionOpen, table, config, points],
  );

  const pick = (spot: ChartSpot | null): void => {
    const place =
      spot && shown
        ? scatterPointDetails(
            tableCellSource(shown.table),
            shown.work.config,
            shown.value,
            spot.series,
            spot.point,
          )
        : undefined;
    setChoice(place && spot ? { of: shown!.value, spot } : null);
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
          columns={table.columns}
          config={config}
          onConfig={setConfig}
          sizeAllowed={allowed === true}
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
          {sampled.note && <p className="chart-more">{sampled.note}</p>}
          {points.skippedRows > 0 && (
            <p className="chart-more">
              {chartTexts.noPlace(formatInteger(points.skippedRows), points.skippedRows === 1)}
            </p>
          )}
          {points.folded > 0 && (
            <p className="chart-more">{chartTexts.folded.groups(formatInteger(points.folded))}</p>
          )}
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
