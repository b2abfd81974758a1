/** Widgets of clusters, and the tags for them. */
import { widgetElements } from '../widget-element.ts';

export const clustersElements = widgetElements({
  'tiding-cluster': 'A cluster: state, health, instances, history, schedules and subscriptions.',
});
