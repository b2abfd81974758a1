/** What the page of packages shows, worked out of what the server lists. */
import type { Bag, HeliumConfig, HeliumEntry } from 'tiding/protocol';

/** Types with a tab, in their order (specification). */
export const packageTypes = ['VISUALIZATION', 'SPELL', 'INTERPRETER', 'APPLICATION'] as const;
/** A type of packages. */
export type PackageType = (typeof packageTypes)[number];

/** The catalogue as the server lists it: versions by name, newest first. */
export type Catalogue = Readonly<Record<string, readonly HeliumEntry[]>>;

/** A package of the list: the version that is on, else the newest; and the others. */
export interface PackageRow {
  readonly name: string;
  readonly shown: HeliumEntry;
  readonly others: readonly HeliumEntry[];
}

/** Milliseconds at which a version was published; what has no date, or none that can be read, is new (specification). */
function publishedAt({ pkg }: HeliumEntry, now: number): number {
  const time = Date.parse(pkg.published ?? '');
  return Number.isNaN(time) ? now : time;
}

/** The packages by type, each list newest first, of the same age by name. Types without a tab are left out. */
export function rowsByType(
  catalogue: Catalogue,
  now = Date.now(),
): Record<PackageType, readonly PackageRow[]> {
  const rows: Record<PackageType, { row: PackageRow; time: number }[]> = {
    VISUALIZATION: [],
    SPELL: [],
    INTERPRETER: [],
    APPLICATION: [],
  };
  for (const [name, versions] of Object.entries(catalogue)) {
    const shown = versions.find(({ enabled }) => enabled === true) ?? versions[0];
    if (!shown || !Object.hasOwn(rows, shown.pkg.type)) continue;
    rows[shown.pkg.type as PackageType].push({
      row: { name, shown, others: versions.filter((version) => version !== shown) },
      time: publishedAt(shown, now),
    });
  }
  const compare = new Intl.Collator().compare;
  return Object.fromEntries(
    packageTypes.map((type) => [
      type,
      rows[type]
        .sort((a, b) => b.time - a.time || compare(a.row.name, b.row.name))
        .map(({ row }) => row),
    ]),
  ) as unknown as Record<PackageType, readonly PackageRow[]>;
}

/** `name@version`: what stands before and after the last `@`. A path of the server's has no version. */
function partsOf(artifact: string): { name: string; version: string } | undefined {
  const at = artifact.lastIndexOf('@');
  return at > 0 && !/^[./~]|^[a-z]:[\\/]|^file:/i.test(artifact)
    ? { name: artifact.slice(0, at), version: artifact.slice(at + 1) }
    : undefined;
}

/** Whether a version is of the local registry: it says so, or its artifact is a path. */
export function isLocal({ registry, pkg }: HeliumEntry): boolean {
  return registry === 'local' || partsOf(pkg.artifact ?? '') === undefined;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The coordinates of an interpreter or application that comes by Maven: `group:artifact:version`. */
export function mavenOf({
  pkg,
}: HeliumEntry): { group: string; artifact: string; version: string } | undefined {
  const parts = partsOf(pkg.artifact ?? '');
  const group = textOf(pkg.groupId);
  return parts && group
    ? { group, artifact: textOf(pkg.artifactId) ?? parts.name, version: parts.version }
    : undefined;
}

/** Where a package is described by its registry; none for one that is only on the server. */
export function registryPage(entry: HeliumEntry): string | undefined {
  if (isLocal(entry)) return undefined;
  const maven = mavenOf(entry);
  if (maven)
    return `https://central.sonatype.com/artifact/${[maven.group, maven.artifact, maven.version].map(encodeURIComponent).join('/')}`;
  if (entry.pkg.type === 'INTERPRETER') return undefined;
  // The slash of a scope stays.
  return `https://www.npmjs.com/package/${encodeURIComponent(
    partsOf(entry.pkg.artifact ?? '')!.name,
  )
    .replace(/^%40/, '@')
    .replace('%2F', '/')}`;
}

/** One setting of a package, as the table shows it. */
export interface ConfigField {
  readonly name: string;
  /** `number`, `json`, `string`; others are taken as text. */
  readonly type: string;
  readonly description: string;
  /** What is saved, else the default; as text. */
  readonly value: string;
  readonly defaultValue: string;
}

const asText = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

/** The settings that a package says it has, with what is saved of them. */
export function configFields({ confSpec, confPersisted }: HeliumConfig): ConfigField[] {
  return Object.entries(confSpec ?? {}).map(([name, raw]) => {
    const { type, description, defaultValue } = (
      typeof raw === 'object' && raw !== null ? raw : {}
    ) as Bag;
    const saved =
      confPersisted && Object.hasOwn(confPersisted, name) ? confPersisted[name] : undefined;
    return {
      name,
      type: asText(type).toLowerCase() || 'string',
      description: asText(description),
      value: asText(saved ?? defaultValue),
      defaultValue: asText(defaultValue),
    };
  });
}

/** What is saved of a typed value: numbers and JSON as such, and what cannot be read as them stays text (specification). */
export function parseValue(type: string, typed: string): unknown {
  if (type === 'number') {
    const number = Number(typed);
    return typed.trim() !== '' && Number.isFinite(number) ? number : typed;
  }
  if (type !== 'json') return typed;
  try {
    return JSON.parse(typed) as unknown;
  } catch {
    return typed;
  }
}

/** An order as it is shown while somebody changes it: his, without what has gone, with what has come at the end. */
export function mergeOrder(
  server: readonly string[],
  edited: readonly string[] | undefined,
): readonly string[] {
  return edited
    ? [
        ...edited.filter((name) => server.includes(name)),
        ...server.filter((name) => !edited.includes(name)),
      ]
    : server;
}
