import { lazy, type FunctionComponent, type LazyExoticComponent } from 'react';
import type { Visualization, OwnVisualizationProps } from '../../visualizations/contract.ts';

type Loaded = ReturnType<Visualization['load']>;
const views = new WeakMap<
  Visualization,
  LazyExoticComponent<FunctionComponent<OwnVisualizationProps>>
>();
const loads = new WeakMap<Visualization, Loaded>();

/** The code of a view, asked for once; again after it could not be had. */
function load(visualization: Visualization): Loaded {
  let loaded = loads.get(visualization);
  if (!loaded) {
    loads.set(visualization, (loaded = visualization.load()));
    loaded.catch(() => loads.delete(visualization));
  }
  return loaded;
}

/** Fetches the code of a view that is likely to be chosen next: a third of the wait for a first chart. */
export async function preloadView(visualization: Visualization): Promise<void> {
  try {
    await load(visualization);
  } catch {
    // Said when it is chosen.
  }
}

/** The component of a view; one per view, so that it is fetched once and keeps its state. */
export function viewOf(
  visualization: Visualization,
): LazyExoticComponent<FunctionComponent<OwnVisualizationProps>> {
  let view = views.get(visualization);
  if (!view) views.set(visualization, (view = lazy(() => load(visualization))));
  return view;
}
