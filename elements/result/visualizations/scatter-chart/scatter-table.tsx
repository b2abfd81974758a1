import type { ScatterPoints } from '@tiding/client/model';
import { formatInteger, formatTick } from '../../parts/numbers.ts';
import { HiddenTable } from '../chart/hidden-table.tsx';
import { chartTexts } from '../chart/texts.ts';
import { coordinateText, pointCount } from './option.ts';

const mostRows = 200;

/** Visually hidden table of the points. */
export function ScatterTable({ points, title }: { points: ScatterPoints; title: string }) {
  const { x, y, groups, counted, sized } = points;
  const size = counted || sized;
  const rows = [];
  for (const { name, coordinates, sizes } of groups) {
    for (let point = 0; point < sizes.length && rows.length < mostRows; point++) {
      rows.push([
        name,
        x.name && coordinateText(x, coordinates[2 * point]!),
        y.name && coordinateText(y, coordinates[2 * point + 1]!),
        ...(size ? [formatTick(sizes[point]!)] : []),
      ]);
    }
  }
  const more = pointCount(points) - rows.length;
  const head = [
    chartTexts.axes.group,
    x.name || chartTexts.axes.xAxis,
    y.name || chartTexts.axes.yAxis,
    ...(size ? [chartTexts.axes.size] : []),
  ];
  return (
    <HiddenTable
      title={title}
      head={head}
      rows={rows}
      more={more > 0 ? [chartTexts.morePoints(formatInteger(more))] : []}
    />
  );
}
