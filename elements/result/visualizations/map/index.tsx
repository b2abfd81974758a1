import { useMemo, useState } from 'react';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { PointsView } from '../scatter-chart/points-view.tsx';
import { mapKind, needsDetail } from './kind.ts';
import { coarseLand, loadDetailedLand } from './land.ts';

/** Map of the rows of a table, by longitude and latitude. */
export default function MapView(props: BuiltInVisualizationProps) {
  const [land, setLand] = useState(coarseLand);
  const kind = useMemo(() => mapKind(land), [land]);
  return (
    <PointsView
      {...props}
      kind={kind}
      onPoints={(points) => {
        // The outlines for the whole world stay if these can't be loaded.
        if (needsDetail(points)) void loadDetailedLand().then(setLand, () => undefined);
      }}
    />
  );
}
