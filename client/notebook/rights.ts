/** Permissions of a note. */
import { includesRight, rightOn, type UserWithRoles } from '../model/notes/permissions.ts';
import type { Permissions, Right } from '../protocol/index.ts';
import { Refusal } from './refusal.ts';

const verbs: Record<Right, string> = {
  none: '',
  reader: 'read',
  runner: 'run',
  writer: 'write',
  owner: 'change',
};
const lists = {
  none: 'readers',
  reader: 'readers',
  runner: 'runners',
  writer: 'writers',
  owner: 'owners',
} as const;

/** Returns whether a user has a permission on a note with these lists. */
export const hasRight = (permissions: Permissions, user: UserWithRoles, right: Right): boolean =>
  includesRight(rightOn(permissions, user), right);

/** Returns the first sentence of Zeppelin's message for a missing permission. */
export const missingRight = (right: Right, verb: string = verbs[right]): string =>
  `Insufficient privileges to ${verb} note.`;

/** Returns Zeppelin's message for a missing permission, with the names of those who have it. */
export const missingRightDetails = (
  permissions: Permissions,
  { principal, roles }: UserWithRoles,
  right: Right,
  verb?: string,
): string =>
  `${missingRight(right, verb)}\n\n` +
  `Allowed users or roles: [${permissions[lists[right]].join(', ')}]\n\n` +
  `But the user ${principal} belongs to: [${[principal, ...roles].join(', ')}]`;

/** Returns the lists of a note that everybody may change. */
export const openPermissions = (): Permissions => ({
  owners: [],
  writers: [],
  runners: [],
  readers: [],
});

/**
 * Returns the lists to store. As in Zeppelin, the caller is added to an empty stronger list if a
 * weaker one is not empty, because an empty list means everybody. Throws if there are no owners.
 */
export function completedPermissions(wanted: Permissions, principal: string): Permissions {
  const clean = (list: readonly string[]) => [
    ...new Set(list.map((name) => name.trim()).filter(Boolean)),
  ];
  const next = {
    owners: clean(wanted.owners),
    writers: clean(wanted.writers),
    runners: clean(wanted.runners),
    readers: clean(wanted.readers),
  };
  if (next.owners.length === 0)
    throw new Refusal(
      400,
      'A note needs an owner. Add at least one user or role to the owners, then save again.',
    );
  if (next.readers.length > 0 && next.runners.length === 0) next.runners = [principal];
  if (next.runners.length > 0 && next.writers.length === 0) next.writers = [principal];
  return next;
}
