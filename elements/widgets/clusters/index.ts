/** Widgets of clusters, and the tags for them. */
import type { ElementSpec } from '../../runtime/define-element.ts';
import { widgetElement } from '../widget-element.ts';

export const clustersElements: readonly ElementSpec[] = [
  widgetElement(
    'tiding-cluster',
    'cluster',
    'A cluster: state, health, instances, history, schedules and subscriptions.',
  ),
];
