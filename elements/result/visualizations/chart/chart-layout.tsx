import type { CSSProperties, ReactNode } from 'react';
import type { LegendPlace } from './axis-settings.ts';
import { chartTexts } from './texts.ts';

interface ChartLayoutProps {
  busy: boolean;
  /** Colours of series, as CSS properties. */
  colors?: Readonly<Record<string, string>>;
  /** The settings; they are beside the chart if there is room, and below it otherwise. */
  panel: ReactNode;
  children: ReactNode;
}

/** A chart with its settings. */
export function ChartLayout({ busy, colors, panel, children }: ChartLayoutProps) {
  return (
    <div
      className={panel ? 'chart-outer with-panel' : 'chart-outer'}
      aria-busy={busy}
      style={colors as CSSProperties | undefined}
    >
      <div className="chart-main">{children}</div>
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
            <p className="chart-panel-head" aria-hidden="true">
              {chartTexts.panel[id]}
            </p>
            {groups[id]}
          </section>
        ) : null,
      )}
    </div>
  );
}

/** A drawing with its legend at its place. */
export function ChartDrawing({
  place,
  legend,
  children,
}: {
  place: LegendPlace;
  legend: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={place === 'right' ? 'chart-drawing beside' : 'chart-drawing'}>
      {place !== 'bottom' && legend}
      {children}
      {place === 'bottom' && legend}
    </div>
  );
}

/** Title and subtitle above a chart. */
export function ChartHeading({ title, subtitle }: { title: string; subtitle: string }) {
  if (title === '' && subtitle === '') return null;
  return (
    <div className="chart-heading">
      {title && <p className="chart-title">{title}</p>}
      {subtitle && <p className="chart-subtitle">{subtitle}</p>}
    </div>
  );
}
