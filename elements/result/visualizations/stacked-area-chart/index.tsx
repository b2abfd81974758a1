import { PivotChart } from '../chart/pivot-chart.tsx';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { areaChart } from './kind.tsx';

/** Stacked area chart of a pivot. */
export default function AreaView(props: BuiltInVisualizationProps) {
  return <PivotChart {...props} kind={areaChart} />;
}
