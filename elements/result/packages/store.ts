/** The packages that are on at the server of a client, and their scripts; one list for every element of that client. */
import { useEffect } from 'react';
import type { Client } from 'tiding/client';
import type { HeliumEntry } from 'tiding/protocol';
import { createStore, useStore, type Store } from '../../runtime/store.ts';
import type { Json, Script, Settings } from '../package-page/protocol.ts';
import type { Visualization } from '../visualizations/contract.ts';
import { visualizationOf } from './visualization.ts';

/** A package that is on. */
export type Package = HeliumEntry['pkg'];

interface Known {
  /** Whether the server has been asked; what it does not tell is not there. */
  readonly asked: boolean;
  readonly views: readonly Visualization[];
  readonly spells: readonly Package[];
  readonly applications: boolean;
}

/** A list is asked for again when it is older than this and somebody looks, ms. */
const FRESH_MS = 30_000;
const nothing: Known = { asked: false, views: [], spells: [], applications: false };
const byClient = new WeakMap<Client, PackageStore>();

const keyOf = ({ name, artifact }: Package): string => `${name} ${artifact ?? ''}`;
/** The magic of a spell, `%echo`. */
export const spellMagic = (pkg: Package): string | undefined => {
  const magic = pkg.spell?.['magic'];
  return typeof magic === 'string' && /^%\S+$/.test(magic) ? magic : undefined;
};

/** See the head of this file. */
export class PackageStore {
  readonly state: Store<Known> = createStore<Known>(nothing);
  readonly #client: Client;
  readonly #views = new Map<string, Visualization>();
  readonly #scripts = new Map<string, Promise<Script>>();
  #asking: Promise<void> | undefined;
  #askedAt = -Infinity;

  constructor(client: Client) {
    this.#client = client;
    client.on('packages-changed', () => void this.refresh());
  }

  /** The list, asked for unless it is new enough. Never rejects: a server without packages has none. */
  async ready(): Promise<Known> {
    if (performance.now() - this.#askedAt > FRESH_MS) await this.refresh();
    else await this.#asking;
    return this.state.get();
  }

  /** Asks for the list anew. */
  refresh(): Promise<void> {
    this.#askedAt = performance.now();
    return (this.#asking ??= this.#ask().finally(() => (this.#asking = undefined)));
  }

  async #ask(): Promise<void> {
    const { packages } = this.#client;
    try {
      const on = (await packages.enabled()).map(({ pkg }) => pkg);
      const views = on.filter(({ type }) => type === 'VISUALIZATION');
      // Those that the order does not name are not offered (specification); a server that keeps none has them by name.
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
        asked: true,
        views: isSame ? before.views : offered,
        spells: on.filter((pkg) => pkg.type === 'SPELL' && spellMagic(pkg) !== undefined),
        applications: on.some(({ type }) => type === 'APPLICATION'),
      });
    } catch {
      // Another server, or a page that may not ask: what was known stays.
      this.state.set({ asked: true });
    }
  }

  #viewOf(pkg: Package): Visualization {
    const key = keyOf(pkg);
    let view = this.#views.get(key);
    if (!view) this.#views.set(key, (view = visualizationOf(pkg)));
    return view;
  }

  /** The script of a package. Rejects with why there is none. */
  script(pkg: Package): Promise<Script> {
    const key = keyOf(pkg);
    let script = this.#scripts.get(key);
    if (!script) {
      script = this.#client.packages.bundle(pkg.name).then((code) => {
        if (code === undefined) throw new Error(`The package ${pkg.name} is not on.`);
        return { id: pkg.name, code };
      });
      this.#scripts.set(key, script);
      // A later try may do better.
      script.catch(() => this.#scripts.delete(key));
    }
    return script;
  }

  /** The spell whose magic opens a text, with what stands behind it. */
  spellOf(text: string): { spell: Package; magic: string; rest: string } | undefined {
    const found = /^\s*(%\S+)\s*/.exec(text);
    const spell = found && this.state.get().spells.find((pkg) => spellMagic(pkg) === found[1]);
    return spell ? { spell, magic: found[1]!, rest: text.slice(found[0].length) } : undefined;
  }

  /** Values of a spell's settings: saved, else its defaults. */
  async spellConfig({ name }: Package): Promise<Settings> {
    const { confPersisted = {}, confSpec = {} } = await this.#client.packages.spellConfig(name);
    const defaults = Object.entries(confSpec).map(
      ([key, spec]) =>
        [key, (spec as { defaultValue?: Json } | null)?.defaultValue ?? null] as const,
    );
    return { ...Object.fromEntries(defaults), ...(confPersisted as Settings) };
  }
}

/** The packages of a client. */
export function packagesOf(client: Client): PackageStore {
  let store = byClient.get(client);
  if (!store) byClient.set(client, (store = new PackageStore(client)));
  return store;
}

const empty: Store<Known> = createStore<Known>(nothing);

/** The packages of a client, asked for when they are first looked at and when somebody comes back to the page. */
export function usePackages(client: Client | undefined): Known {
  const store = client && packagesOf(client);
  useEffect(() => {
    if (!store) return undefined;
    const look = (): void => void (document.hidden || store.ready());
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [store]);
  return useStore(store?.state ?? empty, (state) => state);
}
