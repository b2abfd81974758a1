import type { Permission } from '@tiding/client/widgets';
import { RecordTable, WidgetPart } from '../parts.tsx';
import { securityTexts as t } from './texts.ts';

/**
 * Permissions: type, object, and principal if given. `label` renames the table if its widget
 * already has that name.
 */
export function PermissionTable({
  permissions,
  label = t.permissions,
}: {
  permissions: readonly Permission[];
  label?: string;
}) {
  return (
    <RecordTable
      label={label}
      rows={permissions}
      columns={[
        { label: t.permission, value: ({ permissionType }) => permissionType },
        { label: t.objectType, value: ({ objectType }) => objectType },
        { label: t.object, object: ({ objectType, objectName }) => [objectType, objectName] },
        { label: t.principal, object: (row) => [row.principalType, row.principalName] },
        { label: t.principalType, value: ({ principalType }) => principalType },
        { label: t.viaRole, link: 'role', value: ({ viaRole }) => viaRole },
      ]}
    />
  );
}

/** Permissions with a heading. */
export const PermissionPart = ({ permissions }: { permissions: readonly Permission[] }) => (
  <WidgetPart title={t.permissions} count={permissions.length}>
    <PermissionTable permissions={permissions} />
  </WidgetPart>
);
