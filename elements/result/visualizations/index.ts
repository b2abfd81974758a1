import {
  ChartArea,
  ChartCandlestick,
  ChartColumn,
  ChartColumnBig,
  ChartGantt,
  ChartLine,
  ChartNoAxesCombined,
  ChartPie,
  ChartScatter,
  Funnel,
  Hash,
  LayoutGrid,
  type LucideIcon,
  MapPinned,
  Table,
  Waypoints,
} from 'lucide-react';
import { createElement } from 'react';
import { createViewStore, useViewStore } from '../../runtime/store.ts';
import { resultText } from '../texts.ts';
import type { ChartKind } from './chart/chart-kind.ts';
import type { BuiltInVisualization, Visualization } from './contract.ts';
import { guardedIcon } from './guarded-icon.tsx';
import { isNetwork, networkSummary } from './network/network-table.ts';
import { networkTexts } from './network/texts.ts';
import { onRegistration } from './registered.ts';

const { views } = resultText;
const hasColumns: Visualization['accepts'] = (table) => table.columns.length > 0;

type PivotChartRow<Id> = readonly [
  id: Id,
  icon: LucideIcon,
  loadKind: () => Promise<{ readonly default: ChartKind }>,
];

/** Charts of pivots. What each draws is loaded together with what all of them share. */
const pivotCharts = <Id extends keyof typeof views>(
  isInMenu: boolean,
  rows: readonly PivotChartRow<Id>[],
): BuiltInVisualization[] =>
  rows.map(([id, icon, loadKind]) => ({
    id,
    get label() {
      return views[id];
    },
    icon,
    option: 'fields',
    isInMenu,
    accepts: hasColumns,
    async load() {
      const [{ PivotChart }, { default: kind }] = await Promise.all([
        import('./chart/pivot-chart.tsx'),
        loadKind(),
      ]);
      return { default: (props) => createElement(PivotChart, { ...props, kind }) };
    },
  }));

/**
 * Views of a table, in the order of their buttons. To add one, create its folder and list it here.
 */
export const visualizations: BuiltInVisualization[] = [
  {
    id: 'table',
    get label() {
      return views.table;
    },
    icon: Table,
    option: 'filter',
    accepts: () => true,
    load: () => import('./table/index.tsx'),
  },
  ...pivotCharts(false, [
    ['multiBarChart', ChartColumn, () => import('./multi-bar-chart/kind.tsx')],
    ['pieChart', ChartPie, () => import('./pie-chart/kind.tsx')],
    ['stackedAreaChart', ChartArea, () => import('./stacked-area-chart/kind.tsx')],
    ['lineChart', ChartLine, () => import('./line-chart/kind.tsx')],
  ]),
  {
    id: 'scatterChart',
    get label() {
      return views.scatterChart;
    },
    icon: ChartScatter,
    option: 'fields',
    accepts: hasColumns,
    load: () => import('./scatter-chart/index.tsx'),
  },
  ...pivotCharts(true, [
    ['histogram', ChartColumnBig, () => import('./histogram/kind.tsx')],
    ['comboChart', ChartNoAxesCombined, () => import('./combo-chart/kind.ts')],
    ['heatMap', LayoutGrid, () => import('./heat-map/kind.ts')],
    ['boxPlot', ChartCandlestick, () => import('./box-plot/kind.ts')],
    ['bigNumber', Hash, () => import('./big-number/kind.tsx')],
    ['funnel', Funnel, () => import('./funnel/kind.ts')],
    ['gantt', ChartGantt, () => import('./gantt/kind.ts')],
  ]),
  {
    id: 'map',
    get label() {
      return views.map;
    },
    icon: MapPinned,
    option: 'fields',
    isInMenu: true,
    accepts: hasColumns,
    load: () => import('./map/index.tsx'),
  },
  {
    id: 'network',
    get label() {
      return networkTexts.view;
    },
    icon: Waypoints,
    option: 'settings',
    accepts: isNetwork,
    summary: (table) => (isNetwork(table) ? networkSummary(table) : undefined),
    load: () => import('./network/index.tsx'),
  },
];

const builtIn: ReadonlySet<BuiltInVisualization> = new Set(visualizations);

/** Whether a view reads rows from its source, like all views that are not registered. */
export const isBuiltIn = (view: BuiltInVisualization): boolean => builtIn.has(view);

/**
 * Number of registrations; lets tables already on the page offer a view that is registered later.
 */
const registered = createViewStore({ count: 0 });

onRegistration((view) => {
  const at = visualizations.findIndex(({ id }) => id === view.id);
  // The view stays the prototype because its label may be a getter whose value changes.
  const own = Object.create(view, {
    icon: { value: guardedIcon(view.icon), enumerable: true },
  }) as Visualization;
  if (at < 0) visualizations.push(own);
  else visualizations[at] = own;
  registered.set({ count: registered.get().count + 1 });
});

/**
 * Returns the built-in and registered views; re-renders the component when a view is registered.
 */
export function useVisualizations(): readonly BuiltInVisualization[] {
  useViewStore(registered, ({ count }) => count);
  return visualizations;
}
