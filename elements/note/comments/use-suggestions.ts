import type { Client } from '@tiding/client';
import type { Principals } from '@tiding/client/protocol';
import { useCallback, useRef } from 'react';

/**
 * Suggests users and roles for a term, from the server's full list if available, or from its
 * search. Returns none if both fail.
 */
export function useSuggestions(client: Client): (term: string) => Promise<Principals> {
  const all = useRef<Promise<Principals | undefined>>(undefined);
  return useCallback(
    async (term) => {
      all.current ??= client.people.list().catch(() => undefined);
      const known = await all.current;
      if (!known) return client.people.find(term);
      const wanted = term.toLowerCase();
      const fit = (names: readonly string[]) =>
        names.filter((name) => name.toLowerCase().includes(wanted)).slice(0, 20);
      return { users: fit(known.users), roles: fit(known.roles) };
    },
    [client],
  );
}
