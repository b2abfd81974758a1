import { PivotChart } from '../chart/pivot-chart.tsx';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { comboChart } from './kind.ts';

/** Bars and lines with two y axes. */
export default function ComboView(props: BuiltInVisualizationProps) {
  return <PivotChart {...props} kind={comboChart} />;
}
