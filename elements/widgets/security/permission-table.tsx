import { type Permission, widgetOfObject } from '@tiding/client/widgets';
import { ObjectLink, RecordTable, WidgetPart } from '../parts.tsx';
import { securityTexts as t } from './texts.ts';

/**
 * Name of an object. If a widget exists for its kind, selecting it is announced to the host page.
 */
export function ObjectName({ type, name }: { type: string | undefined; name: string | undefined }) {
  const widget = widgetOfObject(type);
  return widget ? <ObjectLink widget={widget} name={name} /> : name;
}

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
        {
          label: t.object,
          value: ({ objectName }) => objectName,
          cell: ({ objectType, objectName }) => <ObjectName type={objectType} name={objectName} />,
        },
        {
          label: t.principal,
          value: ({ principalName }) => principalName,
          cell: ({ principalType, principalName }) => (
            <ObjectName type={principalType} name={principalName} />
          ),
        },
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
