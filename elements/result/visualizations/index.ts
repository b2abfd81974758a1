import {
  ChartArea,
  ChartColumn,
  ChartLine,
  ChartPie,
  ChartScatter,
  Table,
  Waypoints,
} from 'lucide-react';
import { networkText } from '../../text/network.ts';
import { createStore, useStore } from '../../runtime/store.ts';
import { resultText } from '../text.ts';
import type { Visualization } from './contract.ts';
import { ownIcon } from './own-icon.tsx';
import { isNetwork, summaryOf } from './network/data.ts';

const { views } = resultText;
const hasColumns: Visualization['accepts'] = (table) => table.columns.length > 0;

/** The views of a table, in the order of their buttons; a new view is its folder and a line here. */
export const visualizations: Visualization[] = [
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
  {
    id: 'network',
    get label() {
      return networkText.view;
    },
    icon: Waypoints,
    option: 'settings',
    accepts: isNetwork,
    summary: (table) => (isNetwork(table) ? summaryOf(table) : undefined),
    load: () => import('./network/index.tsx'),
  },
];

/** Counts registrations: tables that are shown already offer a view that comes later. */
const registered = createStore({ count: 0 });

/**
 * Adds a view of tables, or replaces the one of the same id; tables that are shown offer it at once. `load` is called when it is
 * first shown or its button pointed at, and resolves to a module whose `default` is a React component that takes {@link VisualizationProps}.
 */
export function registerVisualization(view: Visualization): void {
  const at = visualizations.findIndex(({ id }) => id === view.id);
  // Its label may be another one later.
  const own = Object.create(view, {
    icon: { value: ownIcon(view.icon), enumerable: true },
  }) as Visualization;
  if (at < 0) visualizations.push(own);
  else visualizations[at] = own;
  registered.set({ count: registered.get().count + 1 });
}

/** The views, own and registered; renders again when one is registered. */
export function useVisualizations(): readonly Visualization[] {
  useStore(registered, ({ count }) => count);
  return visualizations;
}
