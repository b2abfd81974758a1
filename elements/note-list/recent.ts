/** The notes opened most recently on a server, stored in this browser. */
import type { Client } from '@tiding/client';

const keyOf = (client: Client): string =>
  `tiding-recent:${client.server}:${client.state.session.ticket?.principal ?? ''}`;

/** Returns note ids, newest first. */
export function recentNotes(client: Client): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(keyOf(client)) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [];
  } catch {
    // No storage, for example in a private window or a sandboxed frame: nothing is remembered.
    return [];
  }
}

/** Remembers that a note was opened. */
export function rememberNote(client: Client, id: string): void {
  try {
    localStorage.setItem(
      keyOf(client),
      JSON.stringify([id, ...recentNotes(client).filter((known) => known !== id)].slice(0, 10)),
    );
  } catch {
    // No storage, see above.
  }
}
