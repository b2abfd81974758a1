import { type EChartsCoreOption, init, use } from 'echarts/core';
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers';
import { replaceInnerHtmlSetter } from './inner-html-setter.ts';
import { type ChartPalette, seriesColor } from './palette.ts';
import { chartTexts } from './texts.ts';
import { still } from './zoom.ts';

use([CanvasRenderer, SVGRenderer]);

/** A chart to save as an image. */
export interface ChartImage {
  readonly option: EChartsCoreOption;
  readonly palette: ChartPalette;
  /** Size of the chart on the page, in CSS px. */
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly subtitle?: string;
  readonly legend: readonly {
    readonly name: string;
    readonly at: number;
    readonly count: number;
  }[];
}

/** Image pixels per CSS pixel. */
const scale = 2;
const padding = 16;
const lineHeight = 20;
const key = 10;
const font = { title: '600 15px', text: '400 12px' } as const;
/** Maximum number of names in the legend; the table view has them all. */
const mostNames = 60;

/** A text or a coloured square, in image coordinates. */
type Piece = {
  readonly x: number;
  readonly y: number;
  readonly color: string;
  readonly text?: string;
  readonly font?: string;
};

/** Lays out title and legend above the chart, wrapped to its width. */
function head({ title, subtitle = '', legend, palette, width }: ChartImage): {
  pieces: Piece[];
  height: number;
} {
  const context = document.createElement('canvas').getContext('2d')!;
  const pieces: Piece[] = [];
  let y = padding;
  if (title !== '') {
    pieces.push({ x: padding, y: y + 13, color: palette.text, text: title, font: font.title });
    y += 26;
  }
  if (subtitle !== '') {
    pieces.push({ x: padding, y: y + 10, color: palette.label, text: subtitle, font: font.text });
    y += 20;
  }
  context.font = `${font.text} ${palette.fontFamily}`;
  let x = padding;
  for (const { name, at, count } of legend.slice(0, mostNames)) {
    const wide = key + 6 + context.measureText(name).width;
    if (x > padding && x + wide > padding + width) [x, y] = [padding, y + lineHeight];
    pieces.push(
      { x, y: y + 3, color: seriesColor(palette, at, count) },
      { x: x + key + 6, y: y + 12, color: palette.label, text: name, font: font.text },
    );
    x += wide + 14;
  }
  return { pieces, height: y + (legend.length > 0 ? lineHeight + 4 : 0) };
}

/** Renders a chart as PNG at twice its size, or as SVG text, on the theme's surface colour. */
export async function drawChartImage(
  picture: ChartImage,
  format: 'png' | 'svg',
): Promise<string | Uint8Array<ArrayBuffer>> {
  return format === 'svg' ? svg(picture) : png(picture);
}

async function png(picture: ChartImage): Promise<Uint8Array<ArrayBuffer>> {
  const { option, palette, width, height } = picture;
  const { pieces, height: above } = head(picture);
  const drawing = document.createElement('canvas');
  replaceInnerHtmlSetter(drawing);
  const chart = init(drawing, null, { renderer: 'canvas', width, height, devicePixelRatio: scale });
  chart.setOption(still(option));
  chart.getZr().flush();
  const whole = document.createElement('canvas');
  whole.width = (width + 2 * padding) * scale;
  whole.height = (height + above + padding) * scale;
  const context = whole.getContext('2d')!;
  context.scale(scale, scale);
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, whole.width, whole.height);
  context.drawImage(drawing, padding, above, width, height);
  for (const { x, y, color, text, font: face } of pieces) {
    context.fillStyle = color;
    if (text === undefined) {
      context.fillRect(x, y, key, key);
      continue;
    }
    context.font = `${face} ${palette.fontFamily}`;
    context.fillText(text, x, y);
  }
  chart.dispose();
  const blob = await new Promise<Blob | null>((done) => whole.toBlob(done, 'image/png'));
  if (!blob) throw new Error(chartTexts.pictureFailed);
  return new Uint8Array(await blob.arrayBuffer());
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function svg(picture: ChartImage): string {
  const { option, palette, width, height } = picture;
  const { pieces, height: above } = head(picture);
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  chart.setOption(still(option));
  // ECharts' public method adds hover styles, which an image doesn't need.
  const { painter } = chart.getZr() as unknown as {
    painter: { renderToString(options: object): string };
  };
  const inner = painter
    .renderToString({ useViewBox: true, cssAnimation: false, cssEmphasis: false })
    .replace(/ ecmeta_\w+="[^"]*"/g, '')
    .replace('<svg ', `<svg x="${padding}" y="${above}" `);
  chart.dispose();
  const [wide, high] = [width + 2 * padding, height + above + padding];
  const drawn = pieces.map(({ x, y, color, text, font: face = '' }) => {
    const [weight, size] = face.split(' ');
    return text === undefined
      ? `<rect x="${x}" y="${y}" width="${key}" height="${key}" rx="2" fill="${color}"/>`
      : `<text x="${x}" y="${y}" fill="${color}" font-weight="${weight}" font-size="${size}" ` +
          `font-family="${escaped(palette.fontFamily)}">${escaped(text)}</text>`;
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" ` +
    `viewBox="0 0 ${wide} ${high}">\n` +
    `<rect width="${wide}" height="${high}" fill="${palette.surface}"/>\n` +
    `${drawn.join('\n')}\n${inner}\n</svg>\n`
  );
}
