/** Outlines of countries, of Natural Earth: in two steps of detail, as maps of ECharts. */
import { GeoComponent } from 'echarts/components';
import { registerMap, use } from 'echarts/core';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import coarse from 'world-atlas/countries-110m.json';

// Without it, no map can be registered.
use([GeoComponent]);

/** Name of a registered map. */
export type Land = 'countries-110m' | 'countries-50m';

/** An outline that crosses 180 degrees goes on beyond it, instead of jumping across a flat map. */
function unrolled(ring: readonly Position[]): Position[] {
  let turn = 0;
  const points = ring.map(([x = 0, y = 0], at) => {
    const step = x - (ring[at - 1]?.[0] ?? x);
    if (Math.abs(step) > 180) turn -= 360 * Math.sign(step);
    return [x + turn, y];
  });
  const [first, last] = [points[0]!, points.at(-1)!];
  // The outline of Antarctica goes around the pole.
  return turn === 0 ? points : [...points, [last[0]!, -90], [first[0]!, -90], first];
}

/** The part of a ring at one side of a meridian: east (1) or west (-1). */
const beside = (ring: readonly Position[], meridian: number, side: 1 | -1): Position[] =>
  ring.flatMap(([x = 0, y = 0], at) => {
    const [lastX = 0, lastY = 0] = ring.at(at - 1)!;
    const isInside = side * (x - meridian) >= 0;
    if (isInside === side * (lastX - meridian) >= 0) return isInside ? [[x, y]] : [];
    const crossing = [meridian, lastY + ((meridian - lastX) / (x - lastX)) * (y - lastY)];
    return isInside ? [crossing, [x, y]] : [crossing];
  });

/** Polygons for a flat map. What is beyond 180 degrees is drawn at the other side. */
const flat = ({ type, coordinates }: Polygon | MultiPolygon): Position[][][] =>
  (type === 'Polygon' ? [coordinates] : coordinates).flatMap((polygon) => {
    const rings = polygon.map(unrolled);
    const side = ([1, -1] as const).find((each) => rings[0]!.some(([x = 0]) => each * x > 180));
    if (!side) return [rings];
    const meridian = side * 180;
    const cut = (of: 1 | -1) =>
      rings.map((ring) => beside(ring, meridian, of)).filter((ring) => ring.length > 0);
    const beyond = cut(side).map((ring) => ring.map(([x = 0, y = 0]) => [x - 2 * meridian, y]));
    return [cut(side === 1 ? -1 : 1), beyond];
  });

function register(name: Land, data: unknown): Land {
  const topology = data as Topology;
  const { features } = feature(
    topology,
    topology.objects['countries'] as GeometryCollection<{ name: string }>,
  );
  const flatFeatures = features.map(({ geometry, ...country }) => ({
    ...country,
    geometry: {
      type: 'MultiPolygon',
      coordinates: flat(geometry as Polygon | MultiPolygon),
    },
  }));
  registerMap(name, { type: 'FeatureCollection', features: flatFeatures } as never);
  return name;
}

export const coarseLand = register('countries-110m', coarse);
let detailed: Promise<Land> | undefined;

/** Loads the outlines for maps of one country. */
export const loadDetailedLand = (): Promise<Land> =>
  (detailed ??= import('world-atlas/countries-50m.json').then(({ default: topology }) =>
    register('countries-50m', topology),
  ));
