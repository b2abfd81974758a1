/** Widgets of this family, and the tags that people place for them. */
import type { ElementSpec } from '../../runtime/define-element.ts';
import type { WidgetViews } from '../contract.ts';
import { widgetElement } from '../widget-element.ts';

export const clustersWidgets = {
  cluster: () => import('./cluster.tsx').then(({ cluster }) => cluster),
} satisfies Partial<WidgetViews>;

export const clustersElements: readonly ElementSpec[] = [
  widgetElement(
    'tiding-cluster',
    'cluster',
    'A cluster: state, health, machines, history, schedules and subscriptions.',
  ),
];
