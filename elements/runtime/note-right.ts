import type { Client } from '@tiding/client';
import { includesRight, isAnonymous, parseRoles, rightOn } from '@tiding/client/model';
import type { EmbedScope, Right } from '@tiding/client/protocol';
import { rightsTexts as t } from './rights-texts.ts';

/** A right that an action on a note may need. */
export type NeededRight = keyof typeof t.needs;

const rightOfScope: Readonly<Record<EmbedScope, Right>> = {
  results: 'reader',
  view: 'reader',
  run: 'runner',
  edit: 'writer',
};

/** Whether the page has an embed token. A page does not always know the scope of its token. */
export const isEmbedded = (client: Client): boolean =>
  client.session.current?.principal.startsWith('embed:') ?? false;

/**
 * What the user may do as far as that doesn't depend on the permissions of a note: what an embed
 * token allows, and everything for anonymous users, who can't read permissions.
 */
export function rightWithoutNote(client: Client): Right | undefined {
  const user = client.session.current;
  if (user?.scope) return rightOfScope[user.scope];
  return !user || isAnonymous(user.principal) || isEmbedded(client) ? 'owner' : undefined;
}

/**
 * Resolves to what the user may do with a note, so that a page can disable the rest; the server
 * checks every operation again. Where the permissions can't be read, this is everything.
 */
export async function loadRight(client: Client, noteId: string): Promise<Right> {
  const { current: user } = client.session;
  const general = rightWithoutNote(client);
  if (general || !user) return general ?? 'owner';
  try {
    const permissions = await client.call('getPermissions', { params: { noteId } });
    return rightOn(permissions, { principal: user.principal, roles: parseRoles(user.roles) });
  } catch {
    return 'owner';
  }
}

/** Returns why a user with a right may not do what needs another, or `undefined` if they may. */
export const whyNot = (right: Right, needed: Right, { isPage = false } = {}): string | undefined =>
  includesRight(right, needed) ? undefined : t[isPage ? 'ofPage' : 'needs'][needed as NeededRight];
