/**
 * Enabled Helium packages of a client's server, with their scripts. All elements of a client share
 * one store.
 */

import type { Client } from '@tiding/client';
import type { HeliumEntry } from '@tiding/client/protocol';
import { useEffect } from 'react';
import { createViewStore, useViewStore, type ViewStore } from '../../runtime/store.ts';
import type { PackageJson, PackageScript, PackageSettings } from '../package-page/protocol.ts';
import type { BuiltInVisualization } from '../visualizations/contract.ts';
import { packageIcon } from './package-icon.tsx';

/** An enabled package. */
export type Package = HeliumEntry['pkg'];

interface Known {
  /** Whether the server has answered; packages missing from the answer don't exist. */
  readonly fetched: boolean;
  readonly views: readonly BuiltInVisualization[];
  readonly spells: readonly Package[];
  readonly applications: boolean;
}

/** Age in ms after which the list is requested again when it is needed. */
const FRESH_MS = 30_000;
const nothing: Known = { fetched: false, views: [], spells: [], applications: false };
const byClient = new WeakMap<Client, PackageStore>();

const keyOf = ({ name, artifact }: Package): string => `${name} ${artifact ?? ''}`;
/** Returns the magic of a spell, such as `%echo`. */
export const spellMagic = (pkg: Package): string | undefined => {
  const magic = pkg.spell?.['magic'];
  return typeof magic === 'string' && /^%\S+$/.test(magic) ? magic : undefined;
};

/** Caches the enabled packages of one client and loads their scripts. */
class PackageStore {
  readonly state: ViewStore<Known> = createViewStore<Known>(nothing);
  readonly #client: Client;
  readonly #views = new Map<string, BuiltInVisualization>();
  readonly #scripts = new Map<string, Promise<PackageScript>>();
  #pending: Promise<void> | undefined;
  #fetchedAt = -Infinity;

  constructor(client: Client) {
    this.#client = client;
    client.on('packages-changed', () => void this.refresh());
  }

  /**
   * Returns the list, refreshing it if it is outdated. Never rejects: for a server without packages
   * the list is empty.
   */
  async ready(): Promise<Known> {
    if (performance.now() - this.#fetchedAt > FRESH_MS) await this.refresh();
    else await this.#pending;
    return this.state.get();
  }

  /** Requests the list again. */
  refresh(): Promise<void> {
    this.#fetchedAt = performance.now();
    return (this.#pending ??= this.#fetch().finally(() => (this.#pending = undefined)));
  }

  async #fetch(): Promise<void> {
    const { packages } = this.#client;
    try {
      const on = (await packages.enabled()).map(({ pkg }) => pkg);
      const views = on.filter(({ type }) => type === 'VISUALIZATION');
      // As specified, views missing from the order are not offered. For servers that store no
      // order, views are sorted by name.
      const order =
        views.length === 0
          ? []
          : await packages.order().catch(() => views.map(({ name }) => name).sort());
      const offered = order
        .flatMap((name) => views.find((view) => view.name === name) ?? [])
        .map((view) => this.#viewOf(view));
      const before = this.state.get();
      const isSame =
        offered.length === before.views.length &&
        offered.every((view, at) => view === before.views[at]);
      this.state.set({
        fetched: true,
        views: isSame ? before.views : offered,
        spells: on.filter((pkg) => pkg.type === 'SPELL' && spellMagic(pkg) !== undefined),
        applications: on.some(({ type }) => type === 'APPLICATION'),
      });
    } catch {
      // The server may not support packages or may deny access; keep the known list.
      this.state.set({ fetched: true });
    }
  }

  /** Returns the view of a package, which is drawn in a sandboxed frame. */
  #viewOf(pkg: Package): BuiltInVisualization {
    const key = keyOf(pkg);
    let view = this.#views.get(key);
    if (!view) {
      view = {
        id: pkg.name,
        label: pkg.name,
        icon: packageIcon(pkg.icon),
        option: 'fields',
        accepts: ({ columns }) => columns.length > 0,
        load: async () => {
          const { packageView } = await import('./package-view.tsx');
          return { default: packageView(pkg, () => this.script(pkg)) };
        },
      };
      this.#views.set(key, view);
    }
    return view;
  }

  /** Returns the script of a package. Rejects if it isn't enabled or can't be loaded. */
  script(pkg: Package): Promise<PackageScript> {
    const key = keyOf(pkg);
    let script = this.#scripts.get(key);
    if (!script) {
      script = this.#client.packages.bundle(pkg.name).then((code) => {
        if (code === undefined) throw new Error(`The package ${pkg.name} is not enabled.`);
        return { id: pkg.name, code };
      });
      this.#scripts.set(key, script);
      // Allow another attempt.
      script.catch(() => this.#scripts.delete(key));
    }
    return script;
  }

  /** Returns the spell whose magic starts a text, with the rest of the text. */
  spellOf(text: string): { spell: Package; magic: string; rest: string } | undefined {
    const found = /^\s*(%\S+)\s*/.exec(text);
    const spell = found && this.state.get().spells.find((pkg) => spellMagic(pkg) === found[1]);
    return spell ? { spell, magic: found[1]!, rest: text.slice(found[0].length) } : undefined;
  }

  /** Returns a spell's settings: the saved values, with defaults for the others. */
  async spellConfig({ name }: Package): Promise<PackageSettings> {
    const { confPersisted = {}, confSpec = {} } = await this.#client.packages.spellConfig(name);
    const defaults = Object.entries(confSpec).map(
      ([key, spec]) =>
        [key, (spec as { defaultValue?: PackageJson } | null)?.defaultValue ?? null] as const,
    );
    return { ...Object.fromEntries(defaults), ...(confPersisted as PackageSettings) };
  }
}

export function packagesOf(client: Client): PackageStore {
  let store = byClient.get(client);
  if (!store) byClient.set(client, (store = new PackageStore(client)));
  return store;
}

const empty: ViewStore<Known> = createViewStore<Known>(nothing);

/**
 * Returns the packages of a client. They are requested on first use and when the user returns to
 * the page.
 */
export function usePackages(client: Client | undefined): Known {
  const store = client && packagesOf(client);
  useEffect(() => {
    if (!store) return undefined;
    const look = (): void => void (document.hidden || store.ready());
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [store]);
  return useViewStore(store?.state ?? empty, (state) => state);
}
