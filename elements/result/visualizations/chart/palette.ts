/** The chart colours of the theme in force, resolved. */
export interface Palette {
  /** Series 1–8. */
  readonly series: readonly string[];
  /** A single series. */
  readonly mono: string;
  /** The ninth series and all after it. */
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

/** Resolves tokens at an element: the browser computes a probe's colour, where the property itself is raw text. */
export function resolvePalette(element: Element): Palette {
  const probe = element.ownerDocument.createElement('span');
  probe.style.display = 'none';
  element.append(probe);
  const style = getComputedStyle(probe);
  const color = (name: string): string => {
    probe.style.color = `var(--_${name})`;
    return style.color;
  };
  const palette: Palette = {
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

/** Colour of a series among so many. */
export function seriesColor(palette: Palette, at: number, count: number): string {
  return count === 1 ? palette.mono : (palette.series[at] ?? palette.other);
}

/** The same colour as a token, for what CSS draws. */
export function seriesToken(at: number, count: number): string {
  return count === 1
    ? 'var(--_chart-mono)'
    : at < 8
      ? `var(--_chart-${at + 1})`
      : 'var(--_chart-other)';
}
