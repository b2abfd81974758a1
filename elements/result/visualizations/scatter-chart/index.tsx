import { ScatterChart } from 'echarts/charts';
import { use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useCallback, useMemo, useState } from 'react';
import {
  cleanScatter,
  missingColumns,
  scatterPlace,
  scatterPoints,
  sizeAllowed,
  tableSource,
  type ScatterConfig,
  type ScatterPoints,
} from 'tiding/model';
import { chartTexts } from '../../../text/charts.ts';
import type { GraphColumn } from '../../graph.ts';
import { Notice } from '../../notice.tsx';
import { formatInteger, formatTick } from '../../numbers.ts';
import { Skeleton } from '../../skeleton.tsx';
import { resultText } from '../../text.ts';
import { entriesOf, Legend } from '../chart/chart-parts.tsx';
import { useHidden } from '../chart/use-hidden.ts';
import type { TipText } from '../chart/chart-tip.tsx';
import { EChart } from '../chart/echart.tsx';
import type { Palette } from '../chart/palette.ts';
import type { Spot } from '../chart/pointing.ts';
import { chartWork, useAggregate, type Work } from '../chart/use-aggregate.ts';
import type { OwnVisualizationProps } from '../contract.ts';
import { ScatterFields } from '../fields/scatter-fields.tsx';
import { canvasFrom, placeText, pointCount, scatterOption } from './option.ts';
import { scatterPointing } from './pointing.ts';
import { ScatterTable } from './scatter-table.tsx';

use([ScatterChart, CanvasRenderer]);

const id = 'scatterChart';
/** Placing points is light: only beyond this it is done in the background. */
const small = 150_000;
/** More are no groups any more, and no legend. */
const mostGroups = 400;

/** Points with the groups that are drawn as one. */
interface CappedPoints extends ScatterPoints {
  /** How many groups that are; 0 for none. */
  readonly folded: number;
}

interface ScatterWork extends Work<CappedPoints> {
  readonly config: ScatterConfig;
}

/** The rows of a table as points. */
export default function ScatterView({
  table,
  graph,
  onGraph,
  title,
  optionOpen,
  height,
  fill,
  onSelect,
  onPicture,
}: OwnVisualizationProps) {
  const setting = graph.setting[id];
  const wells = [setting?.['xAxis'], setting?.['yAxis'], setting?.['group'], setting?.['size']];
  const wellText = JSON.stringify(wells);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the text stands for the wells
  const config = useMemo(() => cleanScatter(setting, table.columns), [wellText, table.columns]);
  const missing = missingColumns(wells.filter(isColumn), table.columns);
  const work = useMemo<ScatterWork>(
    () => ({
      config,
      indexes: [config.xAxis, config.yAxis, config.group, config.size].flatMap((column) =>
        column ? [column.index] : [],
      ),
      here: (source) => capped(scatterPoints(source, config)),
      away: async (columns, length, transfer) =>
        capped(await chartWork.call('scatter', { columns, length, config }, transfer)),
    }),
    [config],
  );
  const { shown, busy } = useAggregate<CappedPoints, ScatterWork>(table, work, small);
  const points = shown?.made;
  const [hidden, toggle] = useHidden();
  const [choice, setChoice] = useState<{ of: ScatterPoints; spot: Spot } | null>(null);
  const picked = choice && choice.of === points ? choice.spot : null;
  const option = useCallback(
    (palette: Palette) => scatterOption(points!, { hidden, picked, ends: false }, palette),
    [points, hidden, picked],
  );
  const pointing = useMemo(() => points && scatterPointing(points, hidden), [points, hidden]);
  const allowed = useMemo(
    () =>
      !optionOpen ||
      (table.rows.length > small
        ? points?.sized || config.size === null
        : sizeAllowed(tableSource(table), config)),
    [optionOpen, table, config, points],
  );

  const pick = (spot: Spot | null): void => {
    const place =
      spot && shown
        ? scatterPlace(
            tableSource(shown.table),
            shown.work.config,
            shown.made,
            spot.series,
            spot.point,
          )
        : undefined;
    setChoice(place && spot ? { of: shown!.made, spot } : null);
    onSelect(place ?? null);
  };
  const setConfig = (next: ScatterConfig): void =>
    onGraph({ setting: { ...graph.setting, [id]: { ...setting, ...next } } });
  const count = points ? pointCount(points) : 0;
  const entries = points ? entriesOf(points.groups.map(({ name }) => name)) : [];
  return (
    <div className="chart-outer" aria-busy={busy}>
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
      {!points || !pointing ? (
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
            canvas={count >= canvasFrom}
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
          {points.left > 0 && (
            <p className="chart-more">
              {chartTexts.noPlace(formatInteger(points.left), points.left === 1)}
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

function isColumn(value: unknown): value is GraphColumn {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'index' in value
  );
}

/** Groups beyond those that can be told apart become one, of the gray of all others. */
function capped(points: ScatterPoints): CappedPoints {
  const { groups } = points;
  if (groups.length <= mostGroups) return { ...points, folded: 0 };
  const rest = groups.slice(mostGroups - 1);
  const length = rest.reduce((sum, { sizes }) => sum + sizes.length, 0);
  const others = {
    name: chartTexts.others(formatInteger(rest.length)),
    cell: null,
    places: new Float64Array(2 * length),
    sizes: new Float64Array(length),
    rows: new Uint32Array(length),
  };
  let at = 0;
  for (const { places, sizes, rows } of rest) {
    others.places.set(places, 2 * at);
    others.sizes.set(sizes, at);
    others.rows.set(rows, at);
    at += sizes.length;
  }
  return { ...points, groups: [...groups.slice(0, mostGroups - 1), others], folded: rest.length };
}

function tipOf(
  { x, y, groups, counted, sized }: ScatterPoints,
  { series, point }: Spot,
): TipText | null {
  const group = groups[series];
  if (!group) return null;
  const places = [
    x.name && placeText(x, group.places[2 * point]!),
    y.name && placeText(y, group.places[2 * point + 1]!),
  ].filter((part) => part !== '');
  const size = counted || sized ? ` · ${formatTick(group.sizes[point]!)}` : '';
  return {
    head: groups.length > 1 ? group.name : '',
    lines: [
      {
        at: series,
        count: groups.length,
        name: [x.name, y.name].filter((part) => part !== '').join(', '),
        value: `${places.join(', ')}${size}`,
      },
    ],
  };
}
