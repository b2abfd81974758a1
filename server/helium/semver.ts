/** Chooses versions of npm packages. */
import { rcompare, satisfies, valid, validRange } from 'semver';

export const isVersion = (text: string): boolean => valid(text) !== null;

/** Whether a short text is a range. Tags such as `latest`, URLs and paths are not. */
export const isRange = (text: string): boolean => text.length <= 256 && validRange(text) !== null;

/** Valid versions, newest first. Invalid ones are dropped. */
export const newestFirst = (versions: readonly string[]): string[] =>
  versions.filter(isVersion).sort(rcompare);

/**
 * Returns the version that a dependency resolves to, as npm does: the tag's version, else the
 * latest release if it matches, else the newest match.
 */
export function choose(
  versions: readonly string[],
  tags: Readonly<Record<string, string>>,
  wanted: string,
): string | undefined {
  const range = wanted.trim();
  const tagged = Object.hasOwn(tags, range) ? tags[range] : undefined;
  if (tagged !== undefined && versions.includes(tagged)) return tagged;
  const { latest } = tags;
  if (
    latest !== undefined &&
    versions.includes(latest) &&
    (range === '' || range === '*' || satisfies(latest, range))
  )
    return latest;
  return newestFirst(versions).find((version) => satisfies(version, range));
}
