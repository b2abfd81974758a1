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

/** All permissions of a user: granted directly, through roles, or to the whole organization. */
export const permissionsOfUser = (
  context: StatementContext,
  userName: string,
): readonly GrantedPermission[] =>
  listed(
    context,
    grantsOf(context.catalogue.state, userName),
    ({ principalType, principalName }) => ({
      ...(principalType === 'Role' ? { viaRole: principalName } : {}),
      ...(principalType === 'Organization' ? { viaOrganization: principalName } : {}),
    }),
  );

export const permissionsOfRole = (
  context: StatementContext,
  role: string,
): readonly GrantedPermission[] =>
  listed(
    context,
    context.catalogue.state.grants.filter(
      (grant) => grant.principalType === 'Role' && isSameName(grant.principalName, role),
    ),
    () => ({}),
  );

/** Permissions granted to everybody in the organization. */
export const permissionsOfAll = (context: StatementContext): readonly GrantedPermission[] =>
  listed(
    context,
    context.catalogue.state.grants.filter((grant) => grant.principalType === 'Organization'),
    () => ({}),
  );

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
