import type { BuiltInVisualizationProps } from '../contract.ts';
import { scatterKind } from './kind.ts';
import { PointsView } from './points-view.tsx';

/** Scatter chart of a table's rows. */
export default function ScatterView(props: BuiltInVisualizationProps) {
  return <PointsView {...props} kind={scatterKind} />;
}
