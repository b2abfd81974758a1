import { PivotChart } from '../chart/pivot-chart.tsx';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { boxPlot } from './kind.ts';

/** Quartiles of the values of each key. */
export default function BoxPlotView(props: BuiltInVisualizationProps) {
  return <PivotChart {...props} kind={boxPlot} />;
}
