/** Derives what the packages page shows from the server's list. */
import type { HeliumConfig, HeliumEntry, JsonObject } from '@tiding/client/protocol';

/** Package types with a tab, in order (specification). */
export const packageTypes = ['VISUALIZATION', 'SPELL', 'INTERPRETER', 'APPLICATION'] as const;
export type PackageType = (typeof packageTypes)[number];

/** The server's catalogue: versions by package name, newest first. */
type PackageCatalogue = Readonly<Record<string, readonly HeliumEntry[]>>;

/** A list row: the enabled version, otherwise the newest, and all other versions. */
export interface PackageRow {
  readonly name: string;
  readonly shown: HeliumEntry;
  readonly others: readonly HeliumEntry[];
}

/** Publication time in ms. A missing or invalid date counts as new (specification). */
function publishedAt({ pkg }: HeliumEntry, now: number): number {
  const time = Date.parse(pkg.published ?? '');
  return Number.isNaN(time) ? now : time;
}

/** Groups packages by type, newest first, then by name. Types without a tab are dropped. */
export function rowsByType(
  catalogue: PackageCatalogue,
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

/** Splits `name@version` at the last `@`. A server-side path has no version. */
function partsOf(artifact: string): { name: string; version: string } | undefined {
  const at = artifact.lastIndexOf('@');
  return at > 0 && !/^[./~]|^[a-z]:[\\/]|^file:/i.test(artifact)
    ? { name: artifact.slice(0, at), version: artifact.slice(at + 1) }
    : undefined;
}

/** Whether a version comes from the local registry: it says so, or its artifact is a path. */
export function isLocal({ registry, pkg }: HeliumEntry): boolean {
  return registry === 'local' || partsOf(pkg.artifact ?? '') === undefined;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Maven coordinates `group:artifact:version` of an interpreter or application. */
export function mavenOf({
  pkg,
}: HeliumEntry): { group: string; artifact: string; version: string } | undefined {
  const parts = partsOf(pkg.artifact ?? '');
  const group = textOf(pkg.groupId);
  return parts && group
    ? { group, artifact: textOf(pkg.artifactId) ?? parts.name, version: parts.version }
    : undefined;
}

/**
 * URL of the package's page at its registry; `undefined` for a package that exists only on the
 * server.
 */
export function registryPage(entry: HeliumEntry): string | undefined {
  if (isLocal(entry)) return undefined;
  const maven = mavenOf(entry);
  if (maven)
    return (
      'https://central.sonatype.com/artifact/' +
      [maven.group, maven.artifact, maven.version].map(encodeURIComponent).join('/')
    );
  if (entry.pkg.type === 'INTERPRETER') return undefined;
  // Keep the slash after the scope.
  return `https://www.npmjs.com/package/${encodeURIComponent(
    partsOf(entry.pkg.artifact ?? '')!.name,
  )
    .replace(/^%40/, '@')
    .replace('%2F', '/')}`;
}

/** One setting of a package, as shown in the table. */
interface ConfigField {
  readonly name: string;
  /** `number`, `json` or `string`; other types are treated as text. */
  readonly type: string;
  readonly description: string;
  /** The saved value, otherwise the default, as text. */
  readonly value: string;
  readonly defaultValue: string;
}

const asText = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

/** The settings that a package declares, with their saved values. */
export function configFields({ confSpec, confPersisted }: HeliumConfig): ConfigField[] {
  return Object.entries(confSpec ?? {}).map(([name, raw]) => {
    const { type, description, defaultValue } = (
      typeof raw === 'object' && raw !== null ? raw : {}
    ) as JsonObject;
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

/**
 * Parses a typed value for saving. Numbers and JSON are converted; invalid ones stay text
 * (specification).
 */
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

/**
 * Merges a reordered list with a newer one from the server: keeps the user's order, drops entries
 * that are gone and appends new ones.
 */
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
