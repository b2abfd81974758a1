import type { Client } from '@tiding/client';
import {
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { type TokenSource, takeClient } from '../runtime/clients.ts';
import { useEvent } from '../runtime/hooks.ts';
import { type SomeTexts, setTexts } from '../text/set-texts.ts';

/** Settings for the components and hooks below a {@link TidingProvider}. */
export interface TidingProviderProps {
  /** Address of the server. */
  server?: string | undefined;
  /**
   * Returns an access token, for pages on another origin than the server. May be written inline: a
   * new function does not reconnect, and the latest one is called at the next renewal.
   */
  fetchToken?: (() => string | Promise<string>) | undefined;
  /** A client made by `createClient()`. It takes precedence over `server` and `fetchToken`. */
  client?: Client | undefined;
  /** Light or dark; `auto` follows the page. */
  theme?: 'light' | 'dark' | 'auto' | undefined;
  /** Texts that replace those of the elements, on the whole page. */
  texts?: SomeTexts | undefined;
  /** The part of the app that uses these settings. */
  children?: ReactNode;
}

/** What a provider gives to the components below it, under the names of elements' properties. */
export interface ProvidedSettings {
  readonly server: string | undefined;
  readonly token: TokenSource | undefined;
  readonly client: Client | undefined;
  readonly theme: TidingProviderProps['theme'];
}

const SettingsContext = createContext<ProvidedSettings | undefined>(undefined);

/** Returns the settings of the nearest provider; `undefined` if there is none. */
export const useProvidedSettings = (): ProvidedSettings | undefined => useContext(SettingsContext);

/** Returns a text that differs if two tables of texts do, also if they are written inline. */
const contentOf = (texts: SomeTexts | undefined): string | undefined =>
  JSON.stringify(texts, (_, value: unknown) =>
    typeof value === 'function' ? String(value) : value,
  );

/**
 * Sets the server, token, theme and texts of all components and hooks below it. Components with
 * the same settings share one connection. The properties of a component take precedence.
 *
 * @example
 * <TidingProvider
 *   server="https://notes.example.org"
 *   fetchToken={() => fetch('/token').then((response) => response.text())}
 * >
 *   <Paragraph note="2XAB9NJRE" paragraph="20261121-070135_35893072" />
 * </TidingProvider>
 */
export function TidingProvider({
  server,
  fetchToken,
  client,
  theme,
  texts,
  children,
}: TidingProviderProps): ReactElement {
  const latest = useEvent(() => fetchToken?.() ?? '');
  const token = fetchToken && latest;
  const settings = useMemo(
    () => ({ server, token, client, theme }),
    [server, token, client, theme],
  );
  const content = contentOf(texts);
  // Before the effects that load elements, which then show these texts at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: an equal table changes nothing
  useLayoutEffect(() => {
    if (texts) setTexts(texts);
  }, [content]);
  return <SettingsContext value={settings}>{children}</SettingsContext>;
}

/** The settings that decide which client is used. */
type ConnectionSettings = Pick<ProvidedSettings, 'client' | 'server' | 'token'>;

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
