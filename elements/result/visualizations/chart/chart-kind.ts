/** How a chart type draws a pivot. */
import type {
  ColumnType,
  Pivot,
  PivotConfig,
  PivotOptions,
  TableColumn,
} from '@tiding/client/model';
import type { EChartsCoreOption } from 'echarts/core';
import type { FunctionComponent, ReactNode } from 'react';
import type { resultText } from '../../texts.ts';
import type { ViewSetting } from './axes.ts';
import type { ArrangedPivot, SortOrder } from './axis-settings.ts';
import type { LegendEntry } from './chart-parts.tsx';
import type { ChartPointing, ChartSpot } from './chart-pointing.ts';
import type { TipText } from './chart-tip.tsx';
import type { ChartPalette } from './palette.ts';

/** A pivot prepared for drawing by one chart type. */
export interface ChartDrawing {
  readonly entries: readonly LegendEntry[];
  /** Height in px that the drawing needs in a chart of a width. */
  readonly leastHeight?: (width: number) => number;
  /** Whether names are drawn beside the lines or slices if there is enough space. */
  readonly named?: boolean;
  readonly option: (palette: ChartPalette, shown: DrawingState) => EChartsCoreOption;
  readonly pointing: (hidden: ReadonlySet<string>) => ChartPointing;
  readonly tip: (spot: ChartSpot, hidden: ReadonlySet<string>) => TipText | null;
  /** Maps a drawn element to its series and point in the pivot. */
  readonly origin?: (spot: ChartSpot) => ChartSpot | null;
  readonly format?: (key: string | number) => string;
  /** Notes about data that is not drawn. */
  readonly notes?: readonly string[];
}

/** Parts of the drawing that depend on user interaction. */
export interface DrawingState {
  readonly hidden: ReadonlySet<string>;
  /** The selected element, which is highlighted. */
  readonly picked: ChartSpot | null;
  /** Whether names are drawn at the ends of lines. */
  readonly ends: boolean;
  /** Width of the chart in px, if it is known. */
  readonly width?: number;
}

const ofPoints = ['grain', 'running', 'labels', 'trend', 'facets'] as const;
const ofAxes = ['xLabels', 'xTitle', 'yTitle', 'numbers', 'lines', 'log'] as const;
/** Settings of charts of series along an axis. */
export const seriesOptions = [...ofPoints, ...ofAxes] as const;

/** A setting that some charts share. */
export type SharedOption = 'sort' | 'top' | (typeof seriesOptions)[number];

/** How the categories of a chart are chosen. */
export interface CategoryChoice {
  readonly sort: SortOrder;
  /** Number of categories to keep; by default as many as fit. */
  readonly top: number | undefined;
  /** Whether the others are combined. */
  readonly others: boolean;
}

/** Props of a drawing that is not made by ECharts. */
export interface ChartBodyProps {
  readonly pivot: Pivot;
  readonly setting: ViewSetting;
}

/** A chart type that draws pivots. */
export interface ChartKind {
  /** Id of the view. */
  readonly id: keyof typeof resultText.views;
  readonly pivot: PivotOptions;
  /** Number of columns that are drawn without saved fields. */
  readonly measures: number;
  /** The shared settings that it has, besides title, legend and colours. */
  readonly offers: readonly SharedOption[];
  /** Whether all measures share one value axis. Default: true. */
  readonly isOneAxis?: boolean;
  /** Derives what is computed from the fields that users chose, or from the default ones. */
  readonly config?: (
    chosen: PivotConfig,
    columns: readonly TableColumn[],
    types: readonly ColumnType[],
    isDefault: boolean,
  ) => PivotConfig;
  /** Options of the pivot that depend on the settings. */
  readonly options?: (setting: ViewSetting) => PivotOptions;
  /** Draws the pivot instead of ECharts. */
  readonly Body?: FunctionComponent<ChartBodyProps>;
  /** Fits the categories in the width of the chart, which is 0 if it is unknown. */
  readonly fit?: (
    arranged: ArrangedPivot,
    config: PivotConfig,
    choice: CategoryChoice,
    width: number,
  ) => ArrangedPivot;
  /** Draws with ECharts. */
  readonly draw?: (pivot: Pivot, setting: ViewSetting) => ChartDrawing;
  /** Renders the controls of the type's own settings. */
  readonly settings?: (
    setting: ViewSetting,
    save: (patch: ViewSetting, pause?: number) => void,
  ) => ReactNode;
}

/** Delay in ms before storing settings that users try out in quick succession. */
export const SETTING_STORE_DELAY_MS = 500;
