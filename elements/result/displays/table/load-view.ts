import { lazy, type FunctionComponent, type LazyExoticComponent } from 'react';
import type { Visualization, OwnVisualizationProps } from '../../visualizations/contract.ts';

const views = new WeakMap<Visualization, LazyExoticComponent<FunctionComponent<OwnVisualizationProps>>>();

/** The component of a view; one per view, so that it is fetched once and keeps its state. */
export function viewOf(visualization: Visualization): LazyExoticComponent<FunctionComponent<OwnVisualizationProps>> {
  let view = views.get(visualization);
  if (!view) views.set(visualization, (view = lazy(visualization.load)));
  return view;
}
