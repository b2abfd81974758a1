import { styleInside } from '../../parts/style-inside.ts';

/** Resolved chart colours of the current theme. */
export interface ChartPalette {
  /** Colours of series 1–20. */
  readonly series: readonly string[];
  /** Colour of a chart with a single series. */
  readonly mono: string;
  /** Colour of all further series. */
  readonly other: string;
  readonly null: string;
  readonly grid: string;
  readonly axis: string;
  readonly label: string;
  readonly text: string;
  readonly surface: string;
  readonly raised: string;
  readonly hover: string;
  readonly border: string;
  readonly fontFamily: string;
  /** Mixes two colours, if they are not resolved. */
  readonly mix?: typeof mixed;
}

/** Number of colours of the theme. Further series get mixtures of them. */
const BASE_COUNT = 8;
/** Darker mixtures (lighter in dark mode) for series 9–16, and paler ones for series 17–20. */
const mixes = [
  { count: 8, into: 'text', share: 0.6 },
  { count: 4, into: 'surface', share: 0.55 },
] as const;

const channels = (color: string): number[] =>
  (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);

/** Mixes two resolved colours as CSS's `color-mix(in srgb, …)` does. */
export function mixed(color: string, into: string, share: number): string {
  const [one, other] = [channels(color), channels(into)];
  const mix = one.map((value, at) => Math.round(value * share + (other[at] ?? 0) * (1 - share)));
  return `rgb(${mix.join(', ')})`;
}

/** The colour of charts with one series, mixed with the surface: 1 is all of it. */
export const tint = ({ mono, surface, mix = mixed }: ChartPalette, share: number): string =>
  mix(mono, surface, share);

/**
 * The colour of text on a fill: the theme's text or surface, whichever differs more from it. The
 * fill is a tint of this share, in case colours are not resolved.
 */
export function textOn(fill: string, { text, surface, mix }: ChartPalette, share = 1): string {
  if (mix) return share > 0.75 ? surface : text;
  const [own, ...both] = [fill, text, surface].map(luminance);
  const ratio = (other: number): number =>
    (Math.max(own!, other) + 0.05) / (Math.min(own!, other) + 0.05);
  return ratio(both[0]!) >= ratio(both[1]!) ? text : surface;
}

/** Relative luminance of a resolved colour, as WCAG defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const part = channel / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Resolves the theme's colour tokens at an element. */
export function resolvePalette(element: Element): ChartPalette {
  const color = (name: string): string => styleInside(element, { color: `var(--_${name})` }).color;
  const base = Array.from({ length: BASE_COUNT }, (_, at) => color(`chart-${at + 1}`));
  const chosen = (at: number, theme: string): string =>
    styleInside(element, { color: `var(--_series-${at}, ${theme})` }).color;
  return {
    series: [
      ...base,
      ...mixes.flatMap(({ count, into, share }) =>
        base.slice(0, count).map((one) => mixed(one, color(into), share)),
      ),
    ].map((theme, at) => chosen(at, theme)),
    mono: chosen(0, color('chart-mono')),
    other: color('chart-other'),
    null: color('chart-null'),
    grid: color('chart-grid'),
    axis: color('chart-axis'),
    label: color('chart-label'),
    text: color('text'),
    surface: color('surface'),
    raised: color('surface-raised'),
    hover: color('surface-hover'),
    border: color('border-strong'),
    fontFamily: styleInside(element, {}).fontFamily,
  };
}

/** Returns the colour of series `at` in a chart with `count` series. */
export function seriesColor(palette: ChartPalette, at: number, count: number): string {
  return count === 1 ? palette.mono : (palette.series[at] ?? palette.other);
}

/** Returns the same colour in CSS, for elements styled with CSS; inside {@link chosenColors}. */
export const seriesToken = (at: number, count: number): string =>
  `var(--_series-${at}, ${themeToken(at, count)})`;

/** The theme's colour in CSS of a series for which users chose none. */
export function themeToken(at: number, count: number): string {
  if (count === 1) return 'var(--_chart-mono)';
  let from = BASE_COUNT;
  if (at < from) return `var(--_chart-${at + 1})`;
  for (const { count: size, into, share } of mixes) {
    if (at < from + size)
      return `color-mix(in srgb, var(--_chart-${at - from + 1}) ${share * 100}%, var(--_${into}))`;
    from += size;
  }
  return 'var(--_chart-other)';
}

/** CSS properties that give series the colours that users chose, by the number of the series. */
export const chosenColors = (
  entries: readonly { readonly name: string; readonly at: number }[],
  colors: Readonly<Record<string, number>>,
): Record<string, string> =>
  Object.fromEntries(
    entries.flatMap(({ name, at }) =>
      colors[name] === undefined ? [] : [[`--_series-${at}`, `var(--_chart-${colors[name] + 1})`]],
    ),
  );
