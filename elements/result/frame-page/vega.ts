import embed, { type VisualizationSpec } from 'vega-embed';
import { startChartPage } from './chart-page.ts';

// The frame has no network and allows no downloads, so that the menu would not work.
startChartPage((description, box, isDark) =>
  embed(box, description as unknown as VisualizationSpec, {
    actions: false,
    renderer: 'svg',
    ...(isDark ? { theme: 'dark' } : {}),
    config: { background: 'transparent' },
  }),
);
