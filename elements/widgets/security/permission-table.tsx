import { type Permission, widgetOfObject } from '@tiding/client/widgets';
import { securityTexts } from '../../text/widgets/security.ts';
import { filledColumns } from '../filled-columns.ts';
import { ObjectLink, RecordTable } from '../parts.tsx';

const t = securityTexts;

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
      columns={filledColumns(permissions, [
        { id: 'permission', label: t.permission, value: ({ permissionType }) => permissionType },
        { id: 'type', label: t.objectType, value: ({ objectType }) => objectType },
        {
          id: 'object',
          label: t.object,
          value: ({ objectName }) => objectName,
          cell: ({ objectType, objectName }) => <ObjectName type={objectType} name={objectName} />,
        },
        {
          id: 'principal',
          label: t.principal,
          value: ({ principalName }) => principalName,
          cell: ({ principalType, principalName }) => (
            <ObjectName type={principalType} name={principalName} />
          ),
        },
        { id: 'kind', label: t.principalType, value: ({ principalType }) => principalType },
        {
          id: 'role',
          label: t.viaRole,
          value: ({ viaRole }) => viaRole,
          cell: ({ viaRole }) => <ObjectLink widget="role" name={viaRole} />,
        },
      ])}
    />
  );
}
