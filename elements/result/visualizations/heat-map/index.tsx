import { PivotChart } from '../chart/pivot-chart.tsx';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { heatMap } from './kind.ts';

/** Values of two keys as colours. */
export default function HeatMapView(props: BuiltInVisualizationProps) {
  return <PivotChart {...props} kind={heatMap} />;
}
