import type { Client } from '@tiding/client';
import { createContext, useContext } from 'react';
import type { TokenSource } from '../runtime/clients.ts';

/** What a provider gives to the components below it, under the names of elements' properties. */
export interface ProvidedSettings {
  readonly server: string | undefined;
  readonly token: TokenSource | undefined;
  readonly client: Client | undefined;
  readonly theme: 'light' | 'dark' | 'auto' | undefined;
}

/** Settings of the nearest provider. */
export const SettingsContext = createContext<ProvidedSettings | undefined>(undefined);

/** Returns the settings of the nearest provider; `undefined` if there is none. */
export const useProvidedSettings = (): ProvidedSettings | undefined => useContext(SettingsContext);
