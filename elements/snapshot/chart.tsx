/** Charts as SVG in markup, drawn with the options of the charts in pages. */
import {
  cleanPivot,
  cleanScatter,
  pivot as pivotOf,
  runNow,
  scatterPoints,
  type TypedRows,
  toColumns,
  unusedMeasures,
} from '@tiding/client/model';
import { ScatterChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { type EChartsCoreOption, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { ReactNode } from 'react';
import { resultText } from '../result/texts.ts';
import bigNumber from '../result/visualizations/big-number/kind.tsx';
import boxPlot from '../result/visualizations/box-plot/kind.ts';
import { axisSettings, COLOR_COUNT } from '../result/visualizations/chart/axis-settings.ts';
import type { ChartKind } from '../result/visualizations/chart/chart-kind.ts';
import {
  ChartHeading,
  ChartNotes,
  ChartTable,
  chartSummary,
  type LegendEntry,
  legendEntries,
  omittedNotes,
  seriesNames,
} from '../result/visualizations/chart/chart-parts.tsx';
import { type ChartPalette, themeToken } from '../result/visualizations/chart/palette.ts';
import { pivotNotes } from '../result/visualizations/chart/pivot-notes.ts';
import { preparedPivot } from '../result/visualizations/chart/prepared-pivot.ts';
import { chartTexts } from '../result/visualizations/chart/texts.ts';
import comboChart from '../result/visualizations/combo-chart/kind.ts';
import funnel from '../result/visualizations/funnel/kind.ts';
import gantt from '../result/visualizations/gantt/kind.ts';
import heatMap from '../result/visualizations/heat-map/kind.ts';
import histogram from '../result/visualizations/histogram/kind.tsx';
import lineChart from '../result/visualizations/line-chart/kind.tsx';
import { mapKind } from '../result/visualizations/map/kind.ts';
import barChart from '../result/visualizations/multi-bar-chart/kind.tsx';
import pieChart from '../result/visualizations/pie-chart/kind.tsx';
import {
  cappedPoints,
  scatterNotes,
} from '../result/visualizations/scatter-chart/capped-points.ts';
import { scatterKind } from '../result/visualizations/scatter-chart/kind.ts';
import { pointCount, scatterTrends } from '../result/visualizations/scatter-chart/option.ts';
import type { PointKind } from '../result/visualizations/scatter-chart/point-kind.ts';
import { ScatterTable } from '../result/visualizations/scatter-chart/scatter-table.tsx';
import areaChart from '../result/visualizations/stacked-area-chart/kind.tsx';
import { naturalType } from '../result/visualizations/table/layout/cell-formats.ts';
import type { ChartProps, DrawChart } from './table.tsx';

// Each chart type adds what it needs besides, but the scatter chart does so with its view.
use([GridComponent, ScatterChart, SVGRenderer]);

const kinds: readonly ChartKind[] = [
  barChart,
  lineChart,
  areaChart,
  pieChart,
  histogram,
  comboChart,
  heatMap,
  boxPlot,
  bigNumber,
  funnel,
  gantt,
];
const pointKinds = [scatterKind, mapKind()];
/** Above it, a scatter chart would be larger than its table. */
const MAX_POINTS = 2_000;
/** Height of the legend and padding around a drawing, in px. */
const LEGEND_HEIGHT_PX = 22;
const PADDING_PX = 16;

/**
 * Colours that stand for tokens while a chart is drawn: ECharts takes no custom properties, and the
 * theme of the reader is not known.
 */
const tokens: string[] = [];
const FIRST_TOKEN = 0x1c00;
const colourOf = (css: string): string => {
  const known = tokens.indexOf(css);
  const at = known < 0 ? tokens.push(css) - 1 : known;
  return `#0d${(FIRST_TOKEN + at).toString(16)}`;
};
const cssOf = (digits: string): string | undefined =>
  tokens[Number.parseInt(digits, 16) - FIRST_TOKEN];
const token = (name: string): string => colourOf(`var(--_${name})`);
const palette: ChartPalette = {
  series: Array.from({ length: 20 }, (_, at) => colourOf(themeToken(at, 20))),
  mono: token('chart-mono'),
  other: token('chart-other'),
  null: token('chart-null'),
  grid: token('chart-grid'),
  axis: token('chart-axis'),
  label: token('chart-label'),
  text: token('text'),
  surface: token('surface'),
  raised: token('surface-raised'),
  hover: token('surface-hover'),
  border: token('border-strong'),
  fontFamily: 'sans-serif',
  // In whole percent, so that there are few colours.
  mix: (color, into, share) =>
    colourOf(
      `color-mix(in srgb, ${cssOf(color.slice(3))} ${Math.round(share * 100)}%, ` +
        `${cssOf(into.slice(3))})`,
    ),
};

/** The palette with the colours that users chose for series. */
function recoloured(
  entries: readonly LegendEntry[],
  colors: Readonly<Record<string, number>>,
): ChartPalette {
  const chosen = new Map(
    entries.flatMap(({ name, at }) => {
      const color = colors[name] === undefined ? undefined : palette.series[colors[name]];
      return color === undefined ? [] : [[at, color] as const];
    }),
  );
  return {
    ...palette,
    mono: chosen.get(0) ?? palette.mono,
    series: palette.series.map((color, at) => chosen.get(at) ?? color),
  };
}

/** The entries of a legend with the colours that users chose. */
const recolouredEntries = (
  entries: readonly LegendEntry[],
  colors: Readonly<Record<string, number>>,
): LegendEntry[] =>
  entries.map((entry) => {
    const color = colors[entry.name];
    return color === undefined ? entry : { ...entry, at: color, count: COLOR_COUNT };
  });

/** Draws a chart. Texts in the result are escaped. */
function draw(option: EChartsCoreOption, width: number, height: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  chart.setOption({ ...option, animation: false });
  // ECharts' public method adds hover styles, which need a script.
  const { painter } = chart.getZr() as unknown as {
    painter: { renderToString(options: object): string };
  };
  const svg = painter.renderToString({
    useViewBox: true,
    cssAnimation: false,
    cssEmphasis: false,
  });
  chart.dispose();
  return (
    svg
      .replace(/ ecmeta_\w+="[^"]*"/g, '')
      .replace(/#0d([\da-f]{4})/g, (all, digits: string) => cssOf(digits) ?? all)
      // A strict policy of the page blocks style attributes.
      .replace(/ style="([^"]*)"/g, (_, style: string) =>
        [...style.matchAll(/(font-(?:size|weight)):([^;"]+)/g)]
          .map(([, name, value]) => ` ${name}="${value}"`)
          .join(''),
      )
  );
}

/** A chart of a table, or `null` if the view is no chart or has nothing to draw. */
export const drawChart: DrawChart = (props) => {
  const kind = kinds.find(({ id }) => id === props.graph.mode);
  if (kind) return pivotChart(kind, props);
  const points = pointKinds.find(({ id }) => id === props.graph.mode);
  return points ? pointChart(points, props) : null;
};

/** Columns of typed rows, and their types, as settings of charts name them. */
const columnsOf = ({ columns }: TypedRows) => ({
  columns: toColumns(columns.map(({ name }) => name)),
  types: columns.map(naturalType),
});

function pivotChart(kind: ChartKind, { source, graph, title, width }: ChartProps): ReactNode {
  const { keys, groups, values, height } = graph;
  const { columns, types } = columnsOf(source);
  const chosen = cleanPivot({ keys, groups, values }, columns, types, kind.measures);
  const isDefault = !keys && !groups && !values;
  const config = kind.config?.(chosen, columns, types, isDefault) ?? chosen;
  const setting = graph.setting[kind.id] ?? {};
  const shared = axisSettings(setting);
  const options = {
    ...kind.pivot,
    ...kind.options?.(setting),
    grain: kind.offers.includes('grain') ? shared.grain : undefined,
    measure: chartTexts.measure,
  };
  const found = runNow(pivotOf(source, config, options));
  const { pivot, note } = preparedPivot(kind, found, config, setting, width);
  const drawing = kind.draw?.(pivot, setting);
  const { Body } = kind;
  if (pivot.series.length === 0 || !(drawing || Body)) return null;
  const shown = { hidden: new Set<string>(), picked: null, ends: false, width };
  return (
    <ChartBox
      entries={recolouredEntries(drawing?.entries ?? [], shared.colors)}
      heading={shared}
      label={chartSummary(kind.id, pivot, shared.title)}
      notes={[
        ...(note === undefined ? [] : [note]),
        ...(drawing?.notes ?? []),
        ...(drawing?.origin ? [] : omittedNotes(pivot.omitted)),
        ...pivotNotes(
          found,
          config,
          source.columns,
          isDefault ? unusedMeasures(chosen, columns, types) : [],
          kind,
        ),
      ]}
      option={drawing?.option(recoloured(drawing.entries, shared.colors), shown)}
      body={Body && <Body pivot={pivot} setting={setting} />}
      {...{ width, height }}
    >
      <ChartTable pivot={pivot} title={title} format={drawing?.format} />
    </ChartBox>
  );
}

function pointChart(kind: PointKind, { source, graph, title, width }: ChartProps): ReactNode {
  const { columns, types } = columnsOf(source);
  const setting = graph.setting[kind.id] ?? {};
  const shared = axisSettings(setting);
  const config = cleanScatter(graph.setting[kind.id], columns, types);
  const capped = cappedPoints(runNow(scatterPoints(source, config)));
  const points = kind.fit?.(capped) ?? capped;
  const count = pointCount(points);
  if (count === 0 || count > MAX_POINTS) return null;
  const entries = legendEntries(points.groups.map(({ name }) => name));
  const state = { hidden: new Set<string>(), picked: null, ends: false };
  const trends = shared.trend ? scatterTrends(points) : [];
  return (
    <ChartBox
      entries={recolouredEntries(entries, shared.colors)}
      heading={shared}
      label={chartTexts.scatterSummary(
        resultText.views[kind.id],
        seriesNames(points.groups),
        resultText.chart.pointCount(count),
      )}
      notes={scatterNotes(points, kind.texts.noPlace)}
      option={kind.draw(points, state, recoloured(entries, shared.colors), trends)}
      width={width}
      height={graph.height}
    >
      <ScatterTable points={points} title={shared.title || title} />
    </ChartBox>
  );
}

function ChartBox({
  entries,
  heading,
  label,
  notes,
  option,
  body,
  width,
  height,
  children,
}: {
  entries: readonly LegendEntry[];
  heading?: Parameters<typeof ChartHeading>[0];
  label: string;
  notes: readonly string[];
  /** What ECharts draws. */
  option: EChartsCoreOption | undefined;
  /** A drawing that is not made by ECharts. */
  body?: ReactNode;
  width: number;
  height: number;
  children: ReactNode;
}) {
  const legend = entries.length < 2 ? 0 : LEGEND_HEIGHT_PX;
  return (
    <div className="chart-outer">
      <div className={`chart-body height-${height}`}>
        {heading && <ChartHeading title={heading.title} subtitle={heading.subtitle} />}
        {legend > 0 && (
          <ul className="chart-legend small-text secondary-text" aria-label={chartTexts.legend}>
            {entries.map(({ name, at, count }) => (
              <li key={at} className="snapshot-key">
                <svg className="chart-key" viewBox="0 0 10 10" aria-hidden="true">
                  <rect width="10" height="10" rx="2" fill={themeToken(at, count)} />
                </svg>
                {name}
              </li>
            ))}
          </ul>
        )}
        {body}
        {option && (
          <div className="chart-frame">
            <div
              className="chart-box"
              role="img"
              aria-label={label}
              // biome-ignore lint/security/noDangerouslySetInnerHtml: ECharts escapes all texts
              dangerouslySetInnerHTML={{
                __html: draw(option, width, Math.max(60, height - legend - PADDING_PX)),
              }}
            />
          </div>
        )}
        <ChartNotes notes={notes} />
        {children}
      </div>
    </div>
  );
}
