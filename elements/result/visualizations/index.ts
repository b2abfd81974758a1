import {
  ChartArea,
  ChartCandlestick,
  ChartColumn,
  ChartColumnBig,
  ChartLine,
  ChartNoAxesCombined,
  ChartPie,
  ChartScatter,
  Hash,
  LayoutGrid,
  Table,
  Waypoints,
} from 'lucide-react';
import { createViewStore, useViewStore } from '../../runtime/store.ts';
import { resultText } from '../texts.ts';
import { chartTexts } from './chart/texts.ts';
import type { BuiltInVisualization, Visualization } from './contract.ts';
import { guardedIcon } from './guarded-icon.tsx';
import { isNetwork, networkSummary } from './network/network-table.ts';
import { networkTexts } from './network/texts.ts';
import { onRegistration } from './registered.ts';

const { views } = resultText;
const hasColumns: Visualization['accepts'] = (table) => table.columns.length > 0;

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
  {
    id: 'multiBarChart',
    get label() {
      return views.multiBarChart;
    },
    icon: ChartColumn,
    option: 'fields',
    accepts: hasColumns,
    load: () => import('./multi-bar-chart/index.tsx'),
  },
  {
    id: 'pieChart',
    get label() {
      return views.pieChart;
    },
    icon: ChartPie,
    option: 'fields',
    accepts: hasColumns,
    load: () => import('./pie-chart/index.tsx'),
  },
  {
    id: 'stackedAreaChart',
    get label() {
      return views.stackedAreaChart;
    },
    icon: ChartArea,
    option: 'fields',
    accepts: hasColumns,
    load: () => import('./stacked-area-chart/index.tsx'),
  },
  {
    id: 'lineChart',
    get label() {
      return views.lineChart;
    },
    icon: ChartLine,
    option: 'fields',
    accepts: hasColumns,
    load: () => import('./line-chart/index.tsx'),
  },
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
  ...(
    [
      ['histogram', ChartColumnBig, () => import('./histogram/index.tsx')],
      ['comboChart', ChartNoAxesCombined, () => import('./combo-chart/index.tsx')],
      ['heatMap', LayoutGrid, () => import('./heat-map/index.tsx')],
      ['boxPlot', ChartCandlestick, () => import('./box-plot/index.tsx')],
      ['bigNumber', Hash, () => import('./big-number/index.tsx')],
    ] as const
  ).map(
    ([id, icon, load]): BuiltInVisualization => ({
      id,
      get label() {
        return chartTexts.views[id];
      },
      icon,
      option: 'fields',
      isInMenu: true,
      accepts: hasColumns,
      load,
    }),
  ),
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
