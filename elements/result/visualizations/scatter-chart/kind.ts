import { chartTexts } from '../chart/texts.ts';
import { scatterOption } from './option.ts';
import type { PointKind } from './point-kind.ts';

/** Points on two axes. */
export const scatterKind: PointKind = {
  id: 'scatterChart',
  offers: ['xTitle', 'trend'],
  place: { xAxisIndex: 0, yAxisIndex: 0 },
  texts: chartTexts,
  draw: scatterOption,
};
