/** Permissions as payloads have them. */
import { sameName, type Grant, type Item } from '../catalogue/state.ts';
import { grantsOf } from '../catalogue/permissions.ts';
import type { Context } from './context.ts';
import { typeName } from './uses.ts';

/** One permission. */
export interface PermissionData {
  readonly permissionType: string;
  readonly objectType: string;
  readonly objectName: string;
  readonly principalType?: string;
  readonly principalName?: string;
  readonly viaRole?: string;
  readonly viaOrganization?: string;
}

function dataOf({ catalogue }: Context, { permission, itemId }: Grant): PermissionData | undefined {
  const item = catalogue.byId(itemId);
  return (
    item && {
      permissionType: permission,
      objectType: typeName(item.type),
      objectName: catalogue.nameOf(item),
    }
  );
}

const order = (a: PermissionData, b: PermissionData): number =>
  a.objectType.localeCompare(b.objectType) ||
  a.objectName.localeCompare(b.objectName) ||
  a.permissionType.localeCompare(b.permissionType);

/** All that a user has, by name, by role or as one of the organization. */
export function permissionsOfUser(context: Context, userName: string): readonly PermissionData[] {
  return grantsOf(context.catalogue.state, userName)
    .flatMap((grant) => {
      const data = dataOf(context, grant);
      if (!data) return [];
      return [
        {
          ...data,
          ...(grant.principalType === 'Role'
            ? { viaRole: grant.principalName }
            : grant.principalType === 'Organization'
              ? { viaOrganization: grant.principalName }
              : {}),
        },
      ];
    })
    .sort(order);
}

/** What a role has. */
export function permissionsOfRole(context: Context, role: string): readonly PermissionData[] {
  return context.catalogue.state.grants
    .filter((grant) => grant.principalType === 'Role' && sameName(grant.principalName, role))
    .flatMap((grant) => dataOf(context, grant) ?? [])
    .sort(order);
}

/** What all people of the organization have. */
export function permissionsOfAll(context: Context): readonly PermissionData[] {
  return context.catalogue.state.grants
    .filter((grant) => grant.principalType === 'Organization')
    .flatMap((grant) => dataOf(context, grant) ?? [])
    .sort(order);
}

/** Who has what on an object. */
export function permissionsOn(context: Context, item: Item): readonly PermissionData[] {
  return context.catalogue.state.grants
    .filter(({ itemId }) => itemId === item.id)
    .flatMap((grant) => {
      const data = dataOf(context, grant);
      return data
        ? [{ ...data, principalType: grant.principalType, principalName: grant.principalName }]
        : [];
    })
    .sort(order);
}
