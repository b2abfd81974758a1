import type { ScatterPoints } from 'tiding/model';
import { chartTexts } from '../../../text/charts.ts';
import { formatInteger, formatTick } from '../../numbers.ts';
import { resultText } from '../../text.ts';
import { placeText, pointCount } from './option.ts';

const mostRows = 200;

/** The points, for those who read instead of look. */
export function ScatterTable({ points, title }: { points: ScatterPoints; title: string }) {
  const { x, y, groups, counted, sized } = points;
  const size = counted || sized;
  const rows = [];
  for (const { name, places, sizes } of groups) {
    for (let point = 0; point < sizes.length && rows.length < mostRows; point++) {
      rows.push([
        name,
        x.name && placeText(x, places[2 * point]!),
        y.name && placeText(y, places[2 * point + 1]!),
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
    <div className="visually-hidden">
      <table>
        <caption>{resultText.chart.data(title)}</caption>
        <thead>
          <tr>
            {head.map((name, at) => (
              <th key={at} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, at) =>
                at === 0 ? (
                  <th key={at} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={at}>{cell}</td>
                ),
              )}
            </tr>
          ))}
          {more > 0 && (
            <tr>
              <td colSpan={head.length}>{chartTexts.morePoints(formatInteger(more))}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
