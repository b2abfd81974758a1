import type { Client } from '@tiding/client';
import { type ReactNode, useLayoutEffect, useMemo } from 'react';
import { useEvent } from '../runtime/hooks.ts';
import { type SomeTexts, setTexts } from '../wording/set-texts.ts';
import { SettingsContext } from './settings.ts';

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
}: TidingProviderProps): ReactNode {
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
