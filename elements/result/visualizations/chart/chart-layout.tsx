import type { ComponentProps, CSSProperties, ReactNode } from 'react';
import { Notice } from '../../parts/notice.tsx';
import type { AxisSettings } from './axis-settings.ts';
import { Legend, type LegendProps } from './chart-parts.tsx';
import { EChart } from './echart.tsx';
import { chartTexts } from './texts.ts';

interface ChartLayoutProps {
  busy: boolean;
  /** Colours of series, as CSS properties. */
  colors?: Readonly<Record<string, string>>;
  /** The settings; they are beside the chart if there is room, and below it otherwise. */
  panel: ReactNode;
  /** Names of chosen columns that the table no longer has. */
  missing: readonly string[];
  children: ReactNode;
}

/** A chart with its settings. */
export function ChartLayout({ busy, colors, panel, missing, children }: ChartLayoutProps) {
  return (
    <div
      className={panel ? 'chart-outer with-panel' : 'chart-outer'}
      aria-busy={busy}
      style={colors as CSSProperties | undefined}
    >
      <div className="chart-main">
        {missing.length > 0 && (
          <Notice>{chartTexts.missing(missing.join(', '), missing.length === 1)}</Notice>
        )}
        {children}
      </div>
      {panel}
    </div>
  );
}

interface ChartPanelProps {
  /** The fields of the chart, and its settings of the data. */
  data: ReactNode;
  look: ReactNode;
  axes?: ReactNode;
  /** Height of the chart in px; undefined if it fills the window. */
  height: number | undefined;
}

/** The panel is at least as high, in px. */
const MIN_PANEL_HEIGHT_PX = 340;

/** The settings of a chart in three groups. */
export function ChartPanel({ data, look, axes, height }: ChartPanelProps) {
  const groups = { data, look, axes };
  return (
    <div
      className="chart-panel"
      role="group"
      aria-label={chartTexts.panel.label}
      style={
        height === undefined ? undefined : { maxHeight: Math.max(height, MIN_PANEL_HEIGHT_PX) }
      }
    >
      {(['data', 'look', 'axes'] as const).map((id) =>
        groups[id] ? (
          <section key={id} aria-label={chartTexts.panel[id]}>
            <p className="chart-panel-head small-text" aria-hidden="true">
              {chartTexts.panel[id]}
            </p>
            {groups[id]}
          </section>
        ) : null,
      )}
    </div>
  );
}

interface ChartDrawingProps
  extends Omit<LegendProps, 'onToggle'>,
    Omit<ComponentProps<typeof EChart>, 'picture'> {
  settings: AxisSettings;
  /** Title of the paragraph, for a chart without one. */
  title: string;
  toggle: LegendProps['onToggle'];
  /** Whether the chart shows the names itself. */
  isNamed?: boolean;
}

/** A drawing with its legend at its place. */
export function ChartDrawing({
  settings: { legend: place, title: heading, subtitle },
  title,
  entries,
  hidden,
  toggle,
  quiet,
  isNamed = false,
  ...chart
}: ChartDrawingProps) {
  const legend = <Legend {...{ entries, hidden, quiet }} onToggle={toggle} />;
  const pictured =
    isNamed || entries.length < 2 ? [] : entries.filter(({ name }) => !hidden.has(name));
  return (
    <div className={place === 'right' ? 'chart-drawing beside' : 'chart-drawing'}>
      {place !== 'bottom' && legend}
      <EChart {...chart} picture={{ title: heading || title, subtitle, legend: pictured }} />
      {place === 'bottom' && legend}
    </div>
  );
}
