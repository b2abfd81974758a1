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

/** A user, role or organization, as grants name it. */
export interface NamedPrincipal {
  readonly type: Grant['principalType'];
  readonly name: string;
}

/** Lists grants in order, with what `more` adds to each. */
const listed = <More extends object>(
  { catalogue }: StatementContext,
  grants: readonly Grant[],
  more: (grant: Grant) => More,
): readonly (GrantedPermission & More)[] =>
  grants
    .flatMap((grant) => {
      const item = catalogue.byId(grant.itemId);
      const permissionType = grant.permission;
      return item
        ? {
            permissionType,
            objectType: typeName(item.type),
            objectName: catalogue.nameOf(item),
            ...more(grant),
          }
        : [];
    })
    .sort(
      (a, b) =>
        a.objectType.localeCompare(b.objectType) ||
        a.objectName.localeCompare(b.objectName) ||
        a.permissionType.localeCompare(b.permissionType),
    );

/**
 * Permissions of a user, with those through roles and to the whole organization. Otherwise those
 * that are granted to a role, or to everybody in the organization.
 */
export function permissionsOf(
  context: StatementContext,
  { type, name }: NamedPrincipal,
): readonly GrantedPermission[] {
  const { state } = context.catalogue;
  if (type === 'User')
    return listed(context, grantsOf(state, name), ({ principalType, principalName }) => ({
      ...(principalType === 'Role' ? { viaRole: principalName } : {}),
      ...(principalType === 'Organization' ? { viaOrganization: principalName } : {}),
    }));
  const own = state.grants.filter(
    ({ principalType, principalName }) =>
      principalType === type && (type === 'Organization' || isSameName(principalName, name)),
  );
  return listed(context, own, () => ({}));
}

/** Everybody's permissions on an object. */
export const permissionsOn = (
  context: StatementContext,
  item: Item,
): readonly GrantedPermission[] =>
  listed(
    context,
    context.catalogue.state.grants.filter(({ itemId }) => itemId === item.id),
    ({ principalType, principalName }) => ({ principalType, principalName }),
  );
