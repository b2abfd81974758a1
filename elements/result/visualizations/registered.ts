/**
 * Views that host pages register. Apart from the built-in ones, so that a page can register one
 * before any table is loaded.
 */
import type { Visualization } from './contract.ts';

const early: Visualization[] = [];
let add = (view: Visualization): void => void early.push(view);

/**
 * Adds a view for tables, or replaces the view with the same id. Tables already on the page offer
 * it immediately.
 *
 * `load` is called when the view is first shown or its button is hovered or focused. It must
 * resolve to a module whose `default` export is a React component that takes
 * {@link VisualizationProps}.
 *
 * @example
 * registerVisualization({
 *   id: 'heatmap',
 *   label: 'Heatmap',
 *   icon: HeatmapIcon,
 *   option: 'none',
 *   accepts: (table) => table.columns.length > 1,
 *   load: () => import('./heatmap.tsx'),
 * });
 */
export function registerVisualization(view: Visualization): void {
  add(view);
}

/** Calls `listener` with each registered view, past and future. */
export function onRegistration(listener: (view: Visualization) => void): void {
  add = listener;
  for (const view of early.splice(0)) listener(view);
}
