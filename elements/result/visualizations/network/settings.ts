import type { NetworkGraph } from '@tiding/client/model';
import { jsonObjectOf } from '@tiding/client/model';

/** Id of the view and key of its settings. */
export const networkId = 'network';
/** Allowed zoom levels, relative to the level that shows the whole network. */
export const zoomRange: [number, number] = [1, 10];

/** Settings of the network view. */
export interface NetworkSettings {
  /** Maximum duration of the layout, in ms. */
  readonly timeout: number;
  /** Force between nodes; negative values repel. */
  readonly charge: number;
  /** Preferred length of an edge, in px. */
  readonly linkDistance: number;
  /** Zoom level from which labels are shown. */
  readonly minScale: number;
  /** Data field written at the nodes, by node label. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Default settings. */
export const defaultNetworkSettings = {
  timeout: 10_000,
  charge: -120,
  linkDistance: 80,
  minScale: 1.3,
} as const;
/** Minimum of each number. */
export const minimumSettings: Readonly<Record<keyof typeof defaultNetworkSettings, number>> = {
  timeout: 0,
  charge: -Infinity,
  linkDistance: 1,
  minScale: 0,
};

type UnknownRecord = Readonly<Record<string, unknown>>;

/** Reads a number, or its text as some clients store it; falls back to the default. */
function number(value: unknown, name: keyof typeof defaultNetworkSettings): number {
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof found === 'number' && Number.isFinite(found) && found >= minimumSettings[name]
    ? found
    : defaultNetworkSettings[name];
}

/**
 * Reads the stored settings: `{properties: {label: {selected, keys}}, d3Graph: {forceLayout,
 * zoom}}`.
 */
export function readNetworkSettings(stored: UnknownRecord | undefined): NetworkSettings {
  const d3Graph = jsonObjectOf(stored?.['d3Graph']);
  const force = jsonObjectOf(d3Graph['forceLayout']);
  const fields = Object.entries(jsonObjectOf(stored?.['properties'])).flatMap(
    ([label, property]) => {
      const { selected } = jsonObjectOf(property) as { selected?: unknown };
      return typeof selected === 'string' ? [[label, selected] as const] : [];
    },
  );
  return {
    timeout: number(force['timeout'], 'timeout'),
    charge: number(force['charge'], 'charge'),
    linkDistance: number(force['linkDistance'], 'linkDistance'),
    minScale: number(jsonObjectOf(d3Graph['zoom'])['minScale'], 'minScale'),
    fields: Object.fromEntries(fields),
  };
}

/**
 * Returns the fields that can be written at the nodes of each label: `id`, `label`, then the fields
 * of their data.
 */
export function keysByLabel({ nodes }: NetworkGraph): Map<string, string[]> {
  const keys = new Map<string, Set<string>>();
  for (const { label, data } of nodes) {
    if (label === undefined) continue;
    let found = keys.get(label);
    if (!found) keys.set(label, (found = new Set(['id', 'label'])));
    for (const key of Object.keys(data)) found.add(key);
  }
  return new Map([...keys].map(([label, found]) => [label, [...found]]));
}

/** Serializes the settings; unknown stored fields are preserved. */
export function storedSettings(
  stored: UnknownRecord | undefined,
  settings: NetworkSettings,
  keys: ReadonlyMap<string, readonly string[]>,
): UnknownRecord {
  const d3Graph = jsonObjectOf(stored?.['d3Graph']);
  const properties = Object.fromEntries(
    [...keys].map(([label, names]) => [
      label,
      { selected: settings.fields[label] ?? 'label', keys: names },
    ]),
  );
  const { timeout, charge, linkDistance, minScale } = settings;
  return {
    ...stored,
    properties: { ...jsonObjectOf(stored?.['properties']), ...properties },
    d3Graph: {
      ...d3Graph,
      forceLayout: { ...jsonObjectOf(d3Graph['forceLayout']), timeout, charge, linkDistance },
      zoom: { ...jsonObjectOf(d3Graph['zoom']), minScale },
    },
  };
}
