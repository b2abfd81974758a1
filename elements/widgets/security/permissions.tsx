import type { Permission, WidgetData } from '@tiding/client/widgets';
import { formatInteger } from '../../result/parts/numbers.ts';
import { fill } from '../../text/fill.ts';
import { widgetTexts } from '../../text/widgets/index.ts';
import { securityTexts } from '../../text/widgets/security.ts';
import type { WidgetModule } from '../contract.ts';
import { WidgetHead } from '../parts.tsx';
import { counted, listed, sentences } from '../sentences.ts';
import { PermissionTable } from './permission-table.tsx';

const t = securityTexts;
/** Maximum number of types in the summary. */
const MAX_TYPES_IN_SUMMARY = 5;

/** Module of the `permissions` widget, in the given order. */
export const permissionsWidget: WidgetModule<WidgetData<'permissions'>> = {
  describe: ({ permissions: of }) =>
    sentences(
      fill(t.permissionsSummary, { permissions: counted(of.length, t.counts.permissions) }),
      of.length > 1 && byType(of),
    ),
  View: ({ data: { permissions: of } }) => (
    <>
      <WidgetHead
        title={widgetTexts.names['permissions']}
        about={counted(of.length, t.counts.permissions)}
      />
      <PermissionTable permissions={of} label={counted(of.length, t.counts.permissions)} />
    </>
  ),
};

function byType(of: readonly Permission[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { permissionType } of of)
    if (permissionType) counts.set(permissionType, (counts.get(permissionType) ?? 0) + 1);
  const most = [...counts].sort(([, a], [, b]) => b - a).slice(0, MAX_TYPES_IN_SUMMARY);
  return most.length > 0
    ? fill(t.permissionsByType, {
        types: listed(most.map(([type, n]) => fill(t.typeCount, { type, n: formatInteger(n) }))),
      })
    : undefined;
}
