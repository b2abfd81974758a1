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
function mixed(color: string, into: string, share: number): string {
  const [one, other] = [channels(color), channels(into)];
  const mix = one.map((value, at) => Math.round(value * share + (other[at] ?? 0) * (1 - share)));
  return `rgb(${mix.join(', ')})`;
}

/**
 * Resolves the theme's colour tokens at an element. The computed colour of a probe is used because
 * a custom property's own value is unresolved text.
 */
export function resolvePalette(element: Element): ChartPalette {
  const probe = element.ownerDocument.createElement('span');
  probe.style.display = 'none';
  element.append(probe);
  const style = getComputedStyle(probe);
  const color = (name: string): string => {
    probe.style.color = `var(--_${name})`;
    return style.color;
  };
  const base = Array.from({ length: BASE_COUNT }, (_, at) => color(`chart-${at + 1}`));
  const palette: ChartPalette = {
    series: [
      ...base,
      ...mixes.flatMap(({ count, into, share }) =>
        base.slice(0, count).map((one) => mixed(one, color(into), share)),
      ),
    ],
    mono: color('chart-mono'),
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
    fontFamily: style.fontFamily,
  };
  probe.remove();
  return palette;
}

/** Returns the colour of series `at` in a chart with `count` series. */
export function seriesColor(palette: ChartPalette, at: number, count: number): string {
  return count === 1 ? palette.mono : (palette.series[at] ?? palette.other);
}

/** Returns the same colour in CSS, for elements styled with CSS. */
export function seriesToken(at: number, count: number): string {
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
