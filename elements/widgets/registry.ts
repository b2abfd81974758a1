/** Every widget by name; a family adds its own in its index. */
import type { WidgetData, WidgetId } from 'tiding/widgets';
import { lazily, type Lazy } from '../runtime/lazy.tsx';
import { catalogueWidgets } from './catalogue/index.ts';
import { clustersWidgets } from './clusters/index.ts';
import type { WidgetModule, WidgetViews } from './contract.ts';
import { jobsWidgets } from './jobs/index.ts';
import { profilesWidgets } from './profiles/index.ts';
import { securityWidgets } from './security/index.ts';
import { validationWidgets } from './validation/index.ts';

const views: Partial<WidgetViews> = {
  ...jobsWidgets,
  ...securityWidgets,
  ...profilesWidgets,
  ...clustersWidgets,
  ...validationWidgets,
  ...catalogueWidgets,
};
const codes = new Map<WidgetId, Lazy<WidgetModule<WidgetData>>>();

/** Those that can be shown. */
export const shownWidgets = Object.keys(views) as readonly WidgetId[];

/** The code of a widget; loading rejects where the network is away. */
export function widgetCode(id: WidgetId): Lazy<WidgetModule<WidgetData>> {
  const known = codes.get(id);
  if (known) return known;
  const code = lazily(async () => {
    const load = views[id];
    if (!load) throw new Error(`There is no view of ${id}`);
    // Which payload goes with which view is held together by the table's type.
    return (await load()) as unknown as WidgetModule<WidgetData>;
  });
  codes.set(id, code);
  return code;
}
