import { PivotChart } from '../chart/pivot-chart.tsx';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { barChart } from './kind.tsx';

/** Bar chart of a pivot, grouped or stacked. */
export default function BarView(props: BuiltInVisualizationProps) {
  return <PivotChart {...props} kind={barChart} />;
}
