import { PivotChart } from '../chart/pivot-chart.tsx';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { bigNumber } from './kind.tsx';

/** The last value of a measure and its change. */
export default function BigNumberView(props: BuiltInVisualizationProps) {
  return <PivotChart {...props} kind={bigNumber} />;
}
