/** All widgets by name; each family adds its own in its index. */
import type { WidgetData, WidgetId } from '@tiding/client/widgets';
import { createLazyValue, type LazyValue } from '../runtime/lazy-code.tsx';

import { catalogueWidgets } from './catalogue/views.ts';
import { clustersWidgets } from './clusters/views.ts';
import type { WidgetModule, WidgetViews } from './contract.ts';
import { jobsWidgets } from './jobs/views.ts';
import { profilesWidgets } from './profiles/views.ts';
import { securityWidgets } from './security/views.ts';
import { validationWidgets } from './validation/views.ts';

const views: Partial<WidgetViews> = {
  ...jobsWidgets,
  ...securityWidgets,
  ...profilesWidgets,
  ...clustersWidgets,
  ...validationWidgets,
  ...catalogueWidgets,
};
const codes = new Map<WidgetId, LazyValue<WidgetModule<WidgetData>>>();

/** Ids of the widgets that can be shown. */
export const shownWidgets = Object.keys(views) as readonly WidgetId[];

/** Loads the code of a widget; rejects if the network is down. */
export function widgetCode(id: WidgetId): LazyValue<WidgetModule<WidgetData>> {
  const known = codes.get(id);
  if (known) return known;
  const code = createLazyValue(async () => {
    const load = views[id];
    if (!load) throw new Error(`The widget ${id} has no view.`);
    // The type of the table guarantees that payload and view match.
    return (await load()) as unknown as WidgetModule<WidgetData>;
  });
  codes.set(id, code);
  return code;
}
