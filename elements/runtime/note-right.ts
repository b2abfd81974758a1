import type { Client } from '@tiding/client';
import { includesRight, isAnonymous, parseRoles, rightOn } from '@tiding/client/model';
import type { Right } from '@tiding/client/protocol';
import { rightsTexts as t } from '../text/note/rights.ts';

/** A right that an action on a note may need. */
export type NeededRight = keyof typeof t.needs;

/**
 * Resolves to what the user may do with a note, so that a page can disable the rest; the server
 * checks every operation again. Where the permissions can't be read, as by anonymous users and
 * pages with an embed token, this is everything.
 */
export async function loadRight(client: Client, noteId: string): Promise<Right> {
  const user = client.session.current;
  if (!user || isAnonymous(user.principal) || user.principal.startsWith('embed:')) return 'owner';
  try {
    const permissions = await client.call('getPermissions', { params: { noteId } });
    return rightOn(permissions, { principal: user.principal, roles: parseRoles(user.roles) });
  } catch {
    return 'owner';
  }
}

/** Returns why a user with a right may not do what needs another, or `undefined` if they may. */
export const whyNot = (right: Right, needed: Right): string | undefined =>
  includesRight(right, needed) ? undefined : t.needs[needed as NeededRight];
