import { getMap } from 'echarts/core';
import { expect, it } from 'vitest';
import { coarseLand, loadDetailedLand } from './land.ts';

interface Countries {
  features: { name: string; geometry: { coordinates: [number, number][][][] } }[];
}

it.each([
  ['world', () => coarseLand, 177],
  ['country', loadDetailedLand, 241],
] as const)('outlines of maps of a %s never jump across the map', async (_, load, count) => {
  const { features } = getMap(await load())!.geoJSON as unknown as Countries;
  expect(features).toHaveLength(count);
  for (const { geometry } of features)
    for (const ring of geometry.coordinates.flat()) {
      expect(ring.every(([x, y]) => Math.abs(x) <= 180 && Math.abs(y) <= 90)).toBe(true);
      const steps = ring.slice(1).map(([x, y], at) => (y === -90 ? 0 : x - ring[at]![0]));
      expect(Math.max(...steps.map(Math.abs))).toBeLessThan(90);
    }
});
