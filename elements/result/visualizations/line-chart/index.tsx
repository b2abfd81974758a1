import { PivotChart } from '../chart/pivot-chart.tsx';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { lineChart } from './kind.tsx';

/** Line chart of a pivot. */
export default function LineView(props: BuiltInVisualizationProps) {
  return <PivotChart {...props} kind={lineChart} />;
}
