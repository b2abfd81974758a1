import { widgetOfObject, type Permission } from 'tiding/widgets';
import { text } from '../../text/en.ts';
import { filled } from '../filled.ts';
import { ObjectLink, RecordTable } from '../parts.tsx';

const t = text.widgets.security;

/** The name of an object of some kind; chosen it is told to the page, where a widget shows that kind. */
export function ObjectName({ type, name }: { type: string | undefined; name: string | undefined }) {
  const widget = widgetOfObject(type);
  return widget ? <ObjectLink widget={widget} name={name} /> : <>{name}</>;
}

/** Rights: which, on what, and whose where they say it. `label`: another name of the table, where its widget has that. */
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
      columns={filled(permissions, [
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
