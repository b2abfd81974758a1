import { PivotChart } from '../chart/pivot-chart.tsx';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { histogram } from './kind.tsx';

/** Histogram of a column of numbers. */
export default function HistogramView(props: BuiltInVisualizationProps) {
  return <PivotChart {...props} kind={histogram} />;
}
