/** Resolved chart colours of the current theme. */
export interface ChartPalette {
  /** Colours of series 1–8. */
  readonly series: readonly string[];
  /** Colour of a chart with a single series. */
  readonly mono: string;
  /** Colour of the ninth and all further series. */
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
  const palette: ChartPalette = {
    series: [1, 2, 3, 4, 5, 6, 7, 8].map((number) => color(`chart-${number}`)),
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

/** Returns the same colour as a CSS token, for elements styled with CSS. */
export function seriesToken(at: number, count: number): string {
  return count === 1
    ? 'var(--_chart-mono)'
    : at < 8
      ? `var(--_chart-${at + 1})`
      : 'var(--_chart-other)';
}
