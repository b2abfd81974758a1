import type { WidgetData } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import { widgetTexts } from '../../text/widgets/index.ts';
import { securityTexts } from '../../text/widgets/security.ts';
import type { WidgetModule } from '../contract.ts';
import { Facts, StateBadge, WidgetHead, WidgetPart } from '../parts.tsx';
import { counted, sentences, titled } from '../sentences.ts';
import { NamesPart } from './names.tsx';
import { PermissionTable } from './permission-table.tsx';

const t = securityTexts;

/** Module of the `user` widget: name, status, roles and permissions. */
export const user: WidgetModule<WidgetData<'user'>> = {
  describe: ({ user: of }) =>
    sentences(
      fill(t.userSummary, {
        what: titled('user', nameOf(of)),
        roles: counted(of?.roles.length ?? 0, t.counts.roles),
        permissions: counted(of?.permissions.length ?? 0, t.counts.permissions),
      }),
      of?.userStatus && fill(t.statusIs, { status: of.userStatus }),
      of?.serviceAccount && t.isServiceAccount,
    ),
  View: ({ data: { user: of } }) => (
    <>
      <WidgetHead
        title={nameOf(of) || widgetTexts.names['user']}
        badge={<StateBadge state={of?.userStatus} />}
      />
      <Facts
        of={[
          [t.userName, of?.userName],
          [
            t.account,
            of?.serviceAccount === undefined
              ? undefined
              : of.serviceAccount
                ? t.serviceAccount
                : t.person,
          ],
        ]}
      />
      <NamesPart title={t.roles} widget="role" of={of?.roles ?? []} />
      <WidgetPart title={t.permissions} count={of?.permissions.length ?? 0}>
        <PermissionTable permissions={of?.permissions ?? []} />
      </WidgetPart>
    </>
  ),
};

const nameOf = (of: WidgetData<'user'>['user']): string | undefined =>
  [of?.firstName, of?.lastName].filter(Boolean).join(' ') || of?.userName;
