/** Widgets of users, organizations, roles, permissions, secrets and identity providers. */

import { labelledEntries, type Permission, type WidgetData } from '@tiding/client/widgets';
import { formatInteger } from '../../result/parts/numbers.ts';
import { fill } from '../../text/fill.ts';
import type { WidgetModule } from '../contract.ts';
import { LineagePanel } from '../graph/lineage-panel.tsx';
import { NamesPart } from '../names.tsx';
import { ObjectFacts } from '../object-facts.tsx';
import { Facts, moment, timeText, WidgetHead, WidgetPart } from '../parts.tsx';
import { counted, listed, sentences, titled } from '../sentences.ts';
import { WebLink } from '../web-link.tsx';
import { PermissionPart, PermissionTable } from './permission-table.tsx';
import { securityTexts as t } from './texts.ts';

/** Module of the `customer` widget: its organizations by name. */
export const customer: WidgetModule<WidgetData<'customer'>> = {
  describe: ({ customer: of, organizations }) =>
    fill(t.customerSummary, {
      what: titled('customer', of?.name),
      organizations: counted(organizations.length, t.counts.organizations),
    }),
  View: ({ data: { customer: of, organizations } }) => (
    <>
      <WidgetHead widget="customer" of={of} />
      <Facts of={[[t.created, moment(of?.createdAt)]]} />
      <NamesPart title={t.organizations} widget="organization" of={organizations} texts={t} />
    </>
  ),
};

/** Module of the `organization` widget: default repository, cluster limits and permissions. */
export const organization: WidgetModule<WidgetData<'organization'>> = {
  describe: ({ organization: of, defaultRepository, permissions }) =>
    sentences(
      fill(t.organizationSummary, {
        what: titled('organization', of?.name),
        permissions: counted(permissions.length, t.counts.permissions),
      }),
      defaultRepository?.name && fill(t.repositoryIs, { name: defaultRepository.name }),
    ),
  View: ({ data: { organization: of, defaultRepository, permissions } }) => (
    <>
      <WidgetHead widget="organization" of={of} />
      <Facts of={[[t.defaultRepository, defaultRepository?.name, 'repository']]} />
      {labelledEntries(of?.clusterLimits).length > 0 ? (
        <WidgetPart title={t.clusterLimits}>
          <ObjectFacts of={of!.clusterLimits!} labels={t.limits} />
        </WidgetPart>
      ) : null}
      <PermissionPart permissions={permissions} />
    </>
  ),
};

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
      <WidgetHead widget="user" title={nameOf(of)} state={of?.userStatus} />
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
      <NamesPart title={t.roles} widget="role" of={of?.roles ?? []} texts={t} />
      <PermissionPart permissions={of?.permissions ?? []} />
    </>
  ),
};

const nameOf = (of: WidgetData<'user'>['user']): string | undefined =>
  [of?.firstName, of?.lastName].filter(Boolean).join(' ') || of?.userName;

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
      <WidgetHead widget="role" of={of} />
      <NamesPart
        title={t.users}
        widget="user"
        of={users.map(({ userName }) => ({ name: userName, description: undefined }))}
        texts={t}
      />
      <PermissionPart permissions={permissions} />
    </>
  ),
};

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
      <WidgetHead widget="permissions" about={counted(of.length, t.counts.permissions)} />
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

/** Module of the `secret` widget. It never displays the value, even if the payload contains one. */
export const secret: WidgetModule<WidgetData<'secret'>> = {
  describe: ({ secret: of }) =>
    sentences(
      fill(t.secretSummary, { what: titled('secret', of?.name) }),
      of?.updatedAt !== undefined && fill(t.updatedAt, { time: timeText(of.updatedAt) }),
    ),
  View: ({ data: { secret: of, lineage } }) => (
    <>
      <WidgetHead widget="secret" of={of} />
      <Facts
        of={[
          [t.created, moment(of?.createdAt)],
          [t.updated, moment(of?.updatedAt)],
        ]}
      />
      <p className="dim">{t.valueHidden}</p>
      <LineagePanel lineage={lineage} />
    </>
  ),
};

export const identityProvider: WidgetModule<WidgetData<'identity-provider'>> = {
  describe: ({ provider }) =>
    sentences(
      provider?.providerType
        ? fill(t.providerSummary, {
            what: titled('identity-provider', provider.name),
            type: provider.providerType,
          })
        : `${titled('identity-provider', provider?.name)}.`,
      provider &&
        provider.domains.length > 0 &&
        fill(t.providerFor, { domains: listed(provider.domains) }),
      provider?.isRequired && t.providerRequired,
    ),
  View: ({ data: { provider, organization } }) => (
    <>
      <WidgetHead widget="identity-provider" of={provider} />
      <Facts
        of={[
          [t.providerType, provider?.providerType],
          [t.domains, provider && provider.domains.length > 0 && listed(provider.domains)],
          [t.ssoUrl, provider?.ssoUrl && <WebLink address={provider.ssoUrl} />],
          [t.entityId, provider?.entityId],
          [
            t.required,
            provider?.isRequired === undefined ? undefined : provider.isRequired ? t.yes : t.no,
          ],
          [t.organization, organization?.name, 'organization'],
        ]}
      />
    </>
  ),
};
