import {
  cleanScatter,
  isJsonObject,
  missingColumns,
  type ScatterConfig,
  type ScatterPoints,
  scatterPointDetails,
  scatterPoints,
  type TypedRows,
} from '@tiding/client/model';
import { ScatterChart } from 'echarts/charts';
import { MarkLineComponent } from 'echarts/components';
import { use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { type TouchEvent, useCallback, useEffect, useMemo, useState, type WheelEvent } from 'react';
import { useEvent, useStableValue } from '../../../runtime/hooks.ts';
import { formatTick } from '../../parts/numbers.ts';
import { Skeleton } from '../../parts/skeleton.tsx';
import { resultText } from '../../texts.ts';
import type { StoredColumn } from '../../view-settings.ts';
import { axisSettings } from '../chart/axis-settings.ts';
import { ChartDrawing, ChartLayout, ChartPanel } from '../chart/chart-layout.tsx';
import { ChartHeading, ChartNotes, legendEntries, seriesNames } from '../chart/chart-parts.tsx';
import type { ChartSpot } from '../chart/chart-pointing.ts';
import type { TipText } from '../chart/chart-tip.tsx';
import { trendNotes } from '../chart/marks.ts';
import { type ChartPalette, chosenColors } from '../chart/palette.ts';
import { chartTexts } from '../chart/texts.ts';
import { useChartComputation } from '../chart/use-chart-computation.ts';
import { useHidden } from '../chart/use-hidden.ts';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { LookControls } from '../fields/axis-controls.tsx';
import { ScatterFields } from '../fields/scatter-fields.tsx';
import { useChartColumns } from '../use-chart-columns.ts';
import { type CappedPoints, cappedPoints, scatterNotes } from './capped-points.ts';
import { CANVAS_FROM_POINTS, coordinateText, pointCount, scatterTrends, xOf } from './option.ts';
import type { PointKind } from './point-kind.ts';
import { scatterPointing } from './pointing.ts';
import { ScatterTable } from './scatter-table.tsx';
import { useSampledRows } from './use-sampled-rows.ts';

use([ScatterChart, MarkLineComponent, CanvasRenderer]);

interface PointsViewProps extends BuiltInVisualizationProps {
  kind: PointKind;
  /** Called with points that are drawn. */
  onPoints?: (points: CappedPoints) => void;
}

/** A table's rows as points. */
export function PointsView({
  kind,
  onPoints,
  source: all,
  graph,
  onGraph,
  title,
  optionOpen,
  height,
  fill,
  onSelect,
  onPicture,
}: PointsViewProps) {
  const { id, offers, texts } = kind;
  const stored = graph.setting[id];
  const wells = [stored?.['xAxis'], stored?.['yAxis'], stored?.['group'], stored?.['size']];
  // The objects may be new without a change.
  const setting = useStableValue(stored, [JSON.stringify(stored ?? {})]);
  const shared = useMemo(() => axisSettings(setting ?? {}), [setting]);
  const { columns, types } = useChartColumns(all);
  const config = useMemo(() => cleanScatter(setting, columns, types), [setting, columns, types]);
  const missing = missingColumns(wells.filter(isColumn), columns);
  const sampled = useSampledRows(all, indexesOf(config));
  const { fit } = kind;
  const work = useMemo(
    () =>
      function* (rows: TypedRows) {
        const capped = cappedPoints(yield* scatterPoints(rows, config));
        return { points: fit?.(capped) ?? capped, config };
      },
    [config, fit],
  );
  const { shown, busy } = useChartComputation(sampled.rows, work);
  const points = shown?.value.points;
  const tell = useEvent((drawn: CappedPoints) => onPoints?.(drawn));
  useEffect(() => {
    if (points && pointCount(points) > 0) tell(points);
  }, [points, tell]);
  const [hidden, toggle] = useHidden();
  const [choice, setChoice] = useState<{ of: ScatterPoints; spot: ChartSpot } | null>(null);
  const picked = choice && choice.of === points ? choice.spot : null;
  const trends = useMemo(
    () => (points && shared.trend ? scatterTrends(points) : []),
    [points, shared.trend],
  );
  const option = useCallback(
    (palette: ChartPalette) => kind.draw(points!, { hidden, picked, ends: false }, palette, trends),
    [kind, points, hidden, picked, trends],
  );
  const pointing = useMemo(
    () => points && scatterPointing(points, hidden, kind.place),
    [points, hidden, kind.place],
  );
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
  const save = (patch: object): void =>
    onGraph({ setting: { ...graph.setting, [id]: { ...setting, ...patch } } });
  const count = points ? pointCount(points) : 0;
  const entries = points ? legendEntries(points.groups.map(({ name }) => name)) : [];
  const panel = optionOpen && (
    <ChartPanel
      height={fill ? undefined : height}
      data={
        <ScatterFields
          columns={columns}
          config={config}
          onConfig={save}
          texts={texts}
          sizeAllowed={points?.sizeAllowed !== false}
        />
      }
      look={<LookControls {...{ setting: setting ?? {}, save, offers, entries }} />}
    />
  );
  const summary = points
    ? chartTexts.scatterSummary(
        resultText.views[id],
        seriesNames(points.groups),
        resultText.chart.pointCount(count),
      )
    : '';
  const notes = points
    ? [
        ...(texts.hint ? [texts.hint] : []),
        ...scatterNotes(points, texts.noPlace, all.remote?.total),
        ...trendNotes(
          trends,
          (at) => ({ ...points.groups[at]!, x: xOf(points.groups[at]!.coordinates) }),
          formatTick,
        ),
      ]
    : [];
  return (
    <ChartLayout
      {...{ panel, missing }}
      busy={busy || sampled.busy}
      colors={chosenColors(entries, shared.colors)}
    >
      {!points || !pointing || (count === 0 && sampled.busy) ? (
        <Skeleton height={height} />
      ) : count === 0 ? (
        <div className="chart-empty" style={fill ? undefined : { minHeight: 120 }}>
          <p>
            {config.xAxis || config.yAxis ? resultText.chart.noRows : resultText.chart.noValues}
          </p>
          {(fit || (!config.xAxis && !config.yAxis)) && (
            <p className="secondary-text">{texts.noAxis}</p>
          )}
        </div>
      ) : (
        <div
          className="chart-body"
          style={fill ? undefined : { height }}
          {...(kind.isMovable ? scrollPast : {})}
        >
          <ChartHeading title={shared.title} subtitle={shared.subtitle} />
          <ChartDrawing
            {...{ entries, hidden, toggle, title, option, pointing, onPicture }}
            settings={shared}
            quiet={shared.legend === 'none'}
            of={points}
            canvas={count >= CANVAS_FROM_POINTS}
            label={shared.title === '' ? summary : `${shared.title}. ${summary}`}
            tip={(spot) => tipOf(points, spot)}
            onPick={pick}
          />
          <ChartNotes notes={notes} />
          <ScatterTable points={points} title={shared.title || title} />
        </div>
      )}
    </ChartLayout>
  );
}

/** Lets the page scroll over a drawing that can be moved, unless Ctrl or two fingers are used. */
const scrollPast = {
  onWheelCapture(event: WheelEvent) {
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
  },
  onTouchMoveCapture(event: TouchEvent) {
    if (event.touches.length < 2) event.stopPropagation();
  },
};

/** Indexes of the columns of a configuration. */
const indexesOf = ({ xAxis, yAxis, group, size }: ScatterConfig): number[] =>
  [xAxis, yAxis, group, size].flatMap((column) => (column ? [column.index] : []));

const isColumn = (value: unknown): value is StoredColumn =>
  isJsonObject(value) && typeof value['name'] === 'string' && 'index' in value;

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
