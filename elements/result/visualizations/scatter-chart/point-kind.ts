import type { Trend } from '@tiding/client/model';
import type { EChartsCoreOption } from 'echarts/core';
import type { ChartKind, DrawingState } from '../chart/chart-kind.ts';
import type { ChartPalette } from '../chart/palette.ts';
import type { chartTexts } from '../chart/texts.ts';
import type { CappedPoints } from './capped-points.ts';

/** A chart type that draws rows as points. */
export interface PointKind {
  /** Id of the view. */
  readonly id: ChartKind['id'];
  readonly offers: ChartKind['offers'];
  /** Where ECharts places the points. */
  readonly place: object;
  /** Whether it can be moved and zoomed. */
  readonly isMovable?: boolean;
  readonly texts: Pick<typeof chartTexts, 'axes' | 'axisHints' | 'setAs' | 'noAxis' | 'noPlace'> & {
    readonly hint?: string;
  };
  /** Leaves out points that can't be drawn, and counts their rows as skipped. */
  readonly fit?: (points: CappedPoints) => CappedPoints;
  readonly draw: (
    points: CappedPoints,
    state: DrawingState,
    palette: ChartPalette,
    trends?: readonly (Trend | undefined)[],
  ) => EChartsCoreOption;
}
