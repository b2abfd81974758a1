import { fontSize } from '../chart/axes.ts';
import type { ChartPalette } from '../chart/palette.ts';

/** A line with a name at its end: its points with a value, in x order. */
interface NamedLine {
  readonly name: string;
  readonly color: string;
  readonly line: readonly (readonly [number, number])[];
}

/** Minimum vertical distance between names, in px. */
const apart = 14;
const leader = 20;
const mostRoom = 180;

let context: CanvasRenderingContext2D | null | undefined;

/** Returns the width in px that the names need beside the lines. */
export function roomForNames(names: readonly string[], palette: ChartPalette): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return mostRoom;
  context.font = `600 ${fontSize}px ${palette.fontFamily}`;
  return (
    leader +
    16 +
    Math.min(
      mostRoom,
      Math.ceil(Math.max(0, ...names.map((name) => context!.measureText(name).width))),
    )
  );
}

/** Moves heights apart as little as necessary, within bounds. The result is in input order. */
export function spread(heights: readonly number[], low: number, high: number): number[] {
  const order = heights.map((_, at) => at).sort((a, b) => heights[a]! - heights[b]!);
  // Neighbours that would overlap form a block, centred on the mean of their desired positions.
  const blocks: { from: number; wanted: number[] }[] = [];
  const start = ({ wanted }: { wanted: number[] }): number => {
    const middle = wanted.reduce((sum, height, at) => sum + height - at * apart, 0) / wanted.length;
    return Math.max(low, Math.min(high - (wanted.length - 1) * apart, middle));
  };
  for (const at of order) {
    let block = { from: 0, wanted: [heights[at]!] };
    block.from = start(block);
    for (
      let last = blocks.at(-1);
      last && last.from + last.wanted.length * apart > block.from;
      last = blocks.at(-1)
    ) {
      blocks.pop();
      block = { from: 0, wanted: [...last.wanted, ...block.wanted] };
      block.from = start(block);
    }
    blocks.push(block);
  }
  const placed = blocks.flatMap(({ from, wanted }) => wanted.map((_, at) => from + at * apart));
  const found: number[] = [];
  order.forEach((at, place) => (found[at] = placed[place]!));
  return found;
}

interface Coordinates {
  readonly coord: (place: readonly [number, number]) => [number, number];
}

interface Area {
  readonly coordSys: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
}

/**
 * Custom ECharts series that draws names at the ends of lines, with leader lines; it follows
 * resizing and zoom.
 */
export function endNames(lines: readonly NamedLine[], palette: ChartPalette): object {
  const all = lines.filter(({ line }) => line.length > 0);
  const renderItem = ({ coordSys }: Area, { coord }: Coordinates): object => {
    const right = coordSys.x + coordSys.width;
    const ends = all.flatMap(({ name, color, line }) => {
      const last = line.findLast((point) => coord(point)[0] <= right + 1);
      const [x, y] = last ? coord(last) : [0, 0];
      return x < coordSys.x ? [] : [{ name, color, x, y }];
    });
    const heights = spread(
      ends.map(({ y }) => y),
      coordSys.y + 4,
      coordSys.y + coordSys.height - 2,
    );
    const children = ends.flatMap(({ name, color, x, y }, at) => [
      {
        type: 'polyline',
        shape: {
          points: [
            [x + 2, y],
            [right + 7, y],
            [right + 12, heights[at]],
            [right + leader - 3, heights[at]],
          ],
        },
        style: { stroke: color, lineWidth: 1, fill: 'none' },
      },
      {
        type: 'text',
        x: right + leader,
        y: heights[at],
        style: {
          text: name,
          fill: palette.text,
          font: `600 ${fontSize}px ${palette.fontFamily}`,
          verticalAlign: 'middle',
          width: mostRoom + 12,
          overflow: 'truncate',
        },
      },
    ]);
    return { type: 'group', children };
  };
  return {
    id: 'names',
    type: 'custom',
    coordinateSystem: 'cartesian2d',
    silent: true,
    clip: false,
    animation: false,
    z: 4,
    data: all.length > 0 ? [all[0]!.line.at(-1)!] : [],
    renderItem,
  };
}
