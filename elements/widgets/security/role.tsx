import type { WidgetData } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import { widgetTexts } from '../../text/widgets/index.ts';
import { securityTexts } from '../../text/widgets/security.ts';
import type { WidgetModule } from '../contract.ts';
import { WidgetHead, WidgetPart } from '../parts.tsx';
import { counted, titled } from '../sentences.ts';
import { NamesPart } from './names.tsx';
import { PermissionTable } from './permission-table.tsx';

const t = securityTexts;

/** Module of the `role` widget: its users and permissions. */
export const role: WidgetModule<WidgetData<'role'>> = {
  describe: ({ role: of, users, permissions }) =>
    fill(t.roleSummary, {
      what: titled('role', of?.name),
      users: counted(users.length, t.counts.users),
      permissions: counted(permissions.length, t.counts.permissions),
    }),
  View: ({ data: { role: of, users, permissions } }) => (
    <>
      <WidgetHead title={of?.name || widgetTexts.names['role']} about={of?.description} />
      <NamesPart
        title={t.users}
        widget="user"
        of={users.map(({ userName }) => ({ name: userName }))}
      />
      <WidgetPart title={t.permissions} count={permissions.length}>
        <PermissionTable permissions={permissions} />
      </WidgetPart>
    </>
  ),
};
