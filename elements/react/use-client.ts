import type { Client } from '@tiding/client';
import { useEffect, useMemo, useState } from 'react';
import { takeClient } from '../runtime/clients.ts';
import { type ProvidedSettings, useProvidedSettings } from './settings.ts';

/** The settings that decide which client is used. */
export type ConnectionSettings = Pick<ProvidedSettings, 'client' | 'server' | 'token'>;

/**
 * Takes the client of the provider, which elements with the same settings share. Returns a function
 * that releases it.
 */
export const takeProvidedClient = (settings: ConnectionSettings): [Client, () => void] =>
  settings.client ? [settings.client, () => {}] : takeClient(settings.server!, settings.token);

/** Returns the settings that hooks need. Throws if no provider names a server or client. */
export function useConnectionSettings(): ConnectionSettings {
  const { client, server, token } = useProvidedSettings() ?? {};
  if (client === undefined && server === undefined)
    throw new Error(
      'There is no server for this hook. Wrap the component in <TidingProvider server="…"> or ' +
        '<TidingProvider client={…}>.',
    );
  return useMemo(() => ({ client, server, token }), [client, server, token]);
}

/**
 * Returns the client of the nearest {@link TidingProvider}, shared with the components below it.
 * `undefined` during server rendering and hydration, unless the provider has a `client`.
 *
 * Throws if there is no provider with a server or a client.
 *
 * @example
 * const client = useClient();
 * const create = () => client?.notes.create({ path: 'Reports/Weekly' });
 */
export function useClient(): Client | undefined {
  const settings = useConnectionSettings();
  const [taken, setTaken] = useState<Client>();
  useEffect(() => {
    const [client, release] = takeProvidedClient(settings);
    setTaken(client);
    return () => {
      setTaken(undefined);
      release();
    };
  }, [settings]);
  return settings.client ?? taken;
}
