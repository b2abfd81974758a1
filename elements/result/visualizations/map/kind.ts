import { chartTexts } from '../chart/texts.ts';
import type { CappedPoints } from '../scatter-chart/capped-points.ts';
import { coordinateBounds, scatterOption } from '../scatter-chart/option.ts';
import type { PointKind } from '../scatter-chart/point-kind.ts';
import { coarseLand, type Land } from './land.ts';

/** Room around the points, as a share of their extent, and the least extent in degrees. */
const [ROOM, LEAST_DEGREES] = [0.1, 2];
/** Maps of fewer degrees have detailed outlines. */
const DETAILED_DEGREES = 50;
/** Greatest magnification by zooming. */
const MAX_ZOOM = 200;

/** The points that have a place on earth. */
function onEarth(points: CappedPoints): CappedPoints {
  const isPlace = [points.x, points.y].every(({ kind, name }) => kind === 'number' && name !== '');
  const groups = points.groups.flatMap((group) => {
    const kept = [...group.sizes.keys()].filter(
      (point) =>
        isPlace &&
        Math.abs(group.coordinates[2 * point]!) <= 180 &&
        Math.abs(group.coordinates[2 * point + 1]!) <= 90,
    );
    if (kept.length === group.sizes.length) return [group];
    return kept.length === 0
      ? []
      : [
          {
            ...group,
            coordinates: Float64Array.from(
              kept.flatMap((point) => [...group.coordinates.subarray(2 * point, 2 * point + 2)]),
            ),
            sizes: Float64Array.from(kept, (point) => group.sizes[point]!),
            rows: Uint32Array.from(kept, (point) => group.rows[point]!),
          },
        ];
  });
  const count = (of: CappedPoints['groups']): number =>
    of.reduce((sum, { sizes }) => sum + sizes.length, 0);
  return {
    ...points,
    groups,
    skippedRows: points.skippedRows + count(points.groups) - count(groups),
  };
}

/** West, east, south and north end of the map, in degrees. */
function endsOf({ groups }: CappedPoints) {
  const [west, east, south, north] = ([0, 1] as const).flatMap((axis) => {
    const [low, high] = coordinateBounds(groups, axis);
    const room = Math.max(ROOM * (high - low), (LEAST_DEGREES - (high - low)) / 2);
    const most = axis === 0 ? 180 : 90;
    return [Math.max(-most, low - room), Math.min(most, high + room)];
  });
  return { west: west!, east: east!, south: south!, north: north! };
}

/** Whether a map of the points needs detailed outlines. */
export function needsDetail(points: CappedPoints): boolean {
  const { west, east, south, north } = endsOf(points);
  return Math.max(east - west, north - south) < DETAILED_DEGREES;
}

/** Points over the outlines of countries. */
export const mapKind = (land: Land = coarseLand): PointKind => ({
  id: 'map',
  offers: [],
  place: { geoIndex: 0 },
  isMovable: true,
  texts: chartTexts.map,
  fit: onEarth,
  draw(points, state, palette) {
    const { grid, xAxis, yAxis, series, ...option } = scatterOption(points, state, palette);
    const { west, east, south, north } = endsOf(points);
    return {
      ...option,
      geo: {
        map: land,
        silent: true,
        roam: true,
        roamTrigger: 'global',
        scaleLimit: { min: 1, max: MAX_ZOOM },
        // A degree of longitude is shorter the further it is from the equator.
        preserveAspect: 'contain',
        aspectScale: Math.max(0.1, Math.cos(((south + north) / 360) * Math.PI)),
        boundingCoords: [
          [west, north],
          [east, south],
        ],
        left: 0,
        right: 0,
        top: 0,
        bottom: 0,
        itemStyle: { areaColor: palette.grid, borderColor: palette.surface, borderWidth: 0.8 },
        emphasis: { disabled: true },
        label: { show: false },
      },
      series: (series as object[]).map((each) => ({ ...each, coordinateSystem: 'geo' })),
    };
  },
});
