/** Lists permissions in the shape of the payloads. */

import type { NarrowPayload, PayloadOf, Permission } from '@tiding/client/widgets';
import { grantsOf } from '../../catalogue/permissions.ts';
import { type Grant, type Item, isSameName } from '../../catalogue/state.ts';
import type { StatementContext } from '../context.ts';
import { typeName } from '../resolve-and-record.ts';

type GrantedPermission = NarrowPayload<
  PayloadOf<Permission, never>,
  { permissionType: string; objectType: string; objectName: string }
>;

function dataOf(
  { catalogue }: StatementContext,
  { permission, itemId }: Grant,
): GrantedPermission | undefined {
  const item = catalogue.byId(itemId);
  return (
    item && {
      permissionType: permission,
      objectType: typeName(item.type),
      objectName: catalogue.nameOf(item),
    }
  );
}

const order = (a: GrantedPermission, b: GrantedPermission): number =>
  a.objectType.localeCompare(b.objectType) ||
  a.objectName.localeCompare(b.objectName) ||
  a.permissionType.localeCompare(b.permissionType);

/** All permissions of a user: granted directly, through roles, or to the whole organization. */
export function permissionsOfUser(
  context: StatementContext,
  userName: string,
): readonly GrantedPermission[] {
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

export function permissionsOfRole(
  context: StatementContext,
  role: string,
): readonly GrantedPermission[] {
  return context.catalogue.state.grants
    .filter((grant) => grant.principalType === 'Role' && isSameName(grant.principalName, role))
    .flatMap((grant) => dataOf(context, grant) ?? [])
    .sort(order);
}

/** Permissions granted to everybody in the organization. */
export function permissionsOfAll(context: StatementContext): readonly GrantedPermission[] {
  return context.catalogue.state.grants
    .filter((grant) => grant.principalType === 'Organization')
    .flatMap((grant) => dataOf(context, grant) ?? [])
    .sort(order);
}

/** Everybody's permissions on an object. */
export function permissionsOn(context: StatementContext, item: Item): readonly GrantedPermission[] {
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
