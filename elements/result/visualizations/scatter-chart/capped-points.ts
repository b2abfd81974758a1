import type { ScatterPoints } from '@tiding/client/model';
import { formatInteger } from '../../parts/numbers.ts';
import { chartTexts } from '../chart/texts.ts';

/** Maximum number of groups; the rest is merged into one. */
const mostGroups = 400;

/** Points after small groups were merged. */
export interface CappedPoints extends ScatterPoints {
  /** Number of merged groups; 0 if none. */
  readonly folded: number;
}

/** Merges all groups beyond the limit into one, drawn in the colour for other series. */
export function cappedPoints(points: ScatterPoints): CappedPoints {
  const { groups } = points;
  if (groups.length <= mostGroups) return { ...points, folded: 0 };
  const rest = groups.slice(mostGroups - 1);
  const length = rest.reduce((sum, { sizes }) => sum + sizes.length, 0);
  const others = {
    name: chartTexts.others(formatInteger(rest.length)),
    cell: null,
    coordinates: new Float64Array(2 * length),
    sizes: new Float64Array(length),
    rows: new Uint32Array(length),
  };
  let at = 0;
  for (const { coordinates, sizes, rows } of rest) {
    others.coordinates.set(coordinates, 2 * at);
    others.sizes.set(sizes, at);
    others.rows.set(rows, at);
    at += sizes.length;
  }
  return { ...points, groups: [...groups.slice(0, mostGroups - 1), others], folded: rest.length };
}

/** Notes about rows that are not drawn as points of their own. */
export function scatterNotes(
  { sampledRows, rows, skippedRows, folded }: CappedPoints,
  noPlace: (count: string, one: boolean) => string = chartTexts.noPlace,
  total = rows,
): string[] {
  return [
    ...(sampledRows < total
      ? [chartTexts.sample(formatInteger(sampledRows), formatInteger(total))]
      : []),
    ...(skippedRows > 0 ? [noPlace(formatInteger(skippedRows), skippedRows === 1)] : []),
    ...(folded > 0 ? [chartTexts.folded.groups(formatInteger(folded))] : []),
  ];
}
