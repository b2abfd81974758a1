import type { Client } from '@tiding/client';

/** An interpreter that a new note can have as its default. */
export interface OfferedInterpreter {
  readonly id: string;
  readonly name: string;
}

const shown = new WeakMap<Client, Promise<readonly OfferedInterpreter[]>>();

/**
 * Lists the interpreters of the server. Rejects for users who may not list them. While home shows
 * its list, this one is not requested again.
 */
export const offeredInterpreters = (client: Client): Promise<readonly OfferedInterpreter[]> =>
  shown.get(client) ?? client.call('listSettings', { query: { fields: 'name' } });

/** Lists the interpreters for as long as a page shows them. Returns a function that ends it. */
export function showInterpreters(
  client: Client,
  onList: (list: readonly OfferedInterpreter[]) => void,
): () => void {
  const list = offeredInterpreters(client);
  shown.set(client, list);
  const end = () => void shown.delete(client);
  // Users who may not list interpreters use the dialog.
  list.then(onList, end);
  return end;
}
