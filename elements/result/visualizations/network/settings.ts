import type { NetworkGraph } from 'tiding/model';

/** Id of the view, and the name of its settings. */
export const networkId = 'network';
/** Zoom levels: from all in the box to ten times that. */
export const zoomRange: [number, number] = [1, 10];

/** What a reader may set of the drawing. */
export interface NetworkSettings {
  /** The layout stops after so many ms. */
  readonly timeout: number;
  /** How nodes act on each other: below 0 they part. */
  readonly charge: number;
  /** Length that edges strive for, px. */
  readonly linkDistance: number;
  /** Labels show from this zoom level on. */
  readonly minScale: number;
  /** Label of a node → the field that is written at such nodes. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Settings of a network that nobody has changed. */
export const defaults = { timeout: 10_000, charge: -120, linkDistance: 80, minScale: 1.3 } as const;
/** The smallest value of each number. */
export const least: Readonly<Record<keyof typeof defaults, number>> = {
  timeout: 0,
  charge: -Infinity,
  linkDistance: 1,
  minScale: 0,
};

type Bag = Readonly<Record<string, unknown>>;

const bag = (value: unknown): Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Bag) : {};

/** A number, or text of one, as other clients store it; else the default. */
function number(value: unknown, name: keyof typeof defaults): number {
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof found === 'number' && Number.isFinite(found) && found >= least[name]
    ? found
    : defaults[name];
}

/** Settings out of what is stored: `{properties: {label: {selected, keys}}, d3Graph: {forceLayout, zoom}}`. */
export function settingsOf(stored: Bag | undefined): NetworkSettings {
  const d3Graph = bag(stored?.['d3Graph']);
  const force = bag(d3Graph['forceLayout']);
  const fields = Object.entries(bag(stored?.['properties'])).flatMap(([label, property]) => {
    const { selected } = bag(property) as { selected?: unknown };
    return typeof selected === 'string' ? [[label, selected] as const] : [];
  });
  return {
    timeout: number(force['timeout'], 'timeout'),
    charge: number(force['charge'], 'charge'),
    linkDistance: number(force['linkDistance'], 'linkDistance'),
    minScale: number(bag(d3Graph['zoom'])['minScale'], 'minScale'),
    fields: Object.fromEntries(fields),
  };
}

/** Fields that can be written at the nodes of each label: its id, the label itself, then those of their data. */
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

/** What is stored after a change; what nobody here knows of it stays. */
export function storedSettings(
  stored: Bag | undefined,
  settings: NetworkSettings,
  keys: ReadonlyMap<string, readonly string[]>,
): Bag {
  const d3Graph = bag(stored?.['d3Graph']);
  const properties = Object.fromEntries(
    [...keys].map(([label, names]) => [
      label,
      { selected: settings.fields[label] ?? 'label', keys: names },
    ]),
  );
  const { timeout, charge, linkDistance, minScale } = settings;
  return {
    ...stored,
    properties: { ...bag(stored?.['properties']), ...properties },
    d3Graph: {
      ...d3Graph,
      forceLayout: { ...bag(d3Graph['forceLayout']), timeout, charge, linkDistance },
      zoom: { ...bag(d3Graph['zoom']), minScale },
    },
  };
}
