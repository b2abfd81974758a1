import type { Client } from '@tiding/client';
import type { Principals } from '@tiding/client/protocol';
import { useMemo } from 'react';

/**
 * Returns a function that suggests users and roles for a term: from the server's full list, which
 * is read once, or else by its search.
 */
export function suggestionsOf(client: Client): (term: string) => Promise<Principals> {
  let all: Promise<Principals | undefined> | undefined;
  return async (term) => {
    all ??= client.people.list().catch(() => undefined);
    const known = await all;
    if (!known) return client.people.find(term);
    const wanted = term.toLowerCase();
    const fit = (names: readonly string[]) =>
      names.filter((name) => name.toLowerCase().includes(wanted)).slice(0, 20);
    return { users: fit(known.users), roles: fit(known.roles) };
  };
}

/** Suggests users and roles; see {@link suggestionsOf}. */
export const useSuggestions = (client: Client): ((term: string) => Promise<Principals>) =>
  useMemo(() => suggestionsOf(client), [client]);
