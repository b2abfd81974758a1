import { PivotChart } from '../chart/pivot-chart.tsx';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { pieChart } from './kind.tsx';

/** Pie chart of a pivot. */
export default function PieView(props: BuiltInVisualizationProps) {
  return <PivotChart {...props} kind={pieChart} />;
}
