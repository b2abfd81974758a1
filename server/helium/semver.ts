/**
 * Versions and ranges of npm, to the extent that choosing a dependency needs (https://semver.org
 * and npm's range syntax).
 */

interface Version {
  readonly numbers: readonly [number, number, number];
  /** Identifiers after the dash; empty for a release. */
  readonly pre: readonly string[];
}
interface Comparator {
  readonly op: '<' | '<=' | '>' | '>=' | '=';
  readonly version: Version;
}

const VERSION = /^v?(\d{1,15})\.(\d{1,15})\.(\d{1,15})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;
const NUMBER = String.raw`(\d{1,15}|[xX*])`;
/**
 * One comparator of a range: an operator and up to three numbers. Trailing numbers may be missing
 * or `x`.
 */
const PART = new RegExp(
  String.raw`^(\^|~>?|[<>]=?|=)?\s*v?${NUMBER}(?:\.${NUMBER})?(?:\.${NUMBER})?` +
    String.raw`(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$`,
);

function parse(text: string): Version | undefined {
  const [, major, minor, patch, pre] = VERSION.exec(text.trim()) ?? [];
  return major === undefined
    ? undefined
    : { numbers: [Number(major), Number(minor), Number(patch)], pre: pre?.split('.') ?? [] };
}

function compareParts(a: string, b: string): number {
  const [x, y] = [a, b].map((part) => (/^\d+$/.test(part) ? Number(part) : undefined));
  if (x !== undefined && y !== undefined) return x - y;
  // Numeric identifiers sort before text.
  if (x !== undefined || y !== undefined) return x !== undefined ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function compare(a: Version, b: Version): number {
  for (const place of [0, 1, 2] as const)
    if (a.numbers[place] !== b.numbers[place]) return a.numbers[place] - b.numbers[place];
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length;
  for (let place = 0; place < Math.min(a.pre.length, b.pre.length); place += 1) {
    const order = compareParts(a.pre[place]!, b.pre[place]!);
    if (order !== 0) return order;
  }
  return a.pre.length - b.pre.length;
}

/** The comparators of a part, or `undefined` if it is invalid. */
function comparators(part: string): Comparator[] | undefined {
  const match = PART.exec(part);
  if (!match) return undefined;
  const [, op = '', ...rest] = match;
  const given = rest
    .slice(0, 3)
    .map((each) => (each === undefined || /[xX*]/.test(each) ? undefined : Number(each)));
  const known = given.indexOf(undefined);
  const count = known < 0 ? 3 : known;
  const [major = 0, minor = 0, patch = 0] = given.slice(0, count);
  const pre = count === 3 ? (rest[3]?.split('.') ?? []) : [];
  const at = (...numbers: [number, number, number]): Version => ({ numbers, pre: [] });
  const low: Version = { numbers: [major as number, minor as number, patch as number], pre };
  // The first version after all that the given numbers match.
  const after = (place: number): Version =>
    place === 0
      ? at(low.numbers[0] + 1, 0, 0)
      : place === 1
        ? at(low.numbers[0], low.numbers[1] + 1, 0)
        : at(low.numbers[0], low.numbers[1], low.numbers[2] + 1);
  // Excludes the pre-releases of the upper bound too.
  const below = (version: Version): Comparator => ({
    op: '<',
    version: { ...version, pre: ['0'] },
  });
  if (count === 0)
    return op === '<' || op === '>'
      ? [{ op: '<', version: { numbers: [0, 0, 0], pre: ['0'] } }]
      : [];
  if (op === '^') {
    const first = low.numbers.findIndex((each, place) => each > 0 && place < count);
    return [{ op: '>=', version: low }, below(after(first < 0 ? count - 1 : first))];
  }
  if (op.startsWith('~')) return [{ op: '>=', version: low }, below(after(Math.min(count - 1, 1)))];
  if (count === 3) return [{ op: op === '' ? '=' : (op as Comparator['op']), version: low }];
  if (op === '>') return [{ op: '>=', version: after(count - 1) }];
  if (op === '<=') return [below(after(count - 1))];
  if (op === '<') return [below(low)];
  if (op === '>=') return [{ op: '>=', version: low }];
  return [{ op: '>=', version: low }, below(after(count - 1))];
}

function alternative(text: string): Comparator[] | undefined {
  const hyphen = /^\s*(\S+)\s+-\s+(\S+)\s*$/.exec(text);
  const parts = hyphen
    ? [`>=${hyphen[1]!}`, `<=${hyphen[2]!}`]
    : text
        .replace(/(\^|~>?|[<>]=?|=)\s+/g, '$1')
        .split(/\s+/)
        .filter((part) => part !== '');
  const all = parts.map(comparators);
  return all.every((each) => each !== undefined) ? all.flat() : undefined;
}

function holds(version: Version, { op, version: bound }: Comparator): boolean {
  const order = compare(version, bound);
  return op === '='
    ? order === 0
    : op === '<'
      ? order < 0
      : op === '<='
        ? order <= 0
        : op === '>'
          ? order > 0
          : order >= 0;
}

/** Whether a text is a version. */
export const isVersion = (text: string): boolean => parse(text) !== undefined;

/** Whether a text is a range. Tags such as `latest`, URLs and paths are not. */
export const isRange = (text: string): boolean =>
  text.length <= 256 && text.split('||').every((each) => alternative(each) !== undefined);

/**
 * Whether a version is in a range. A pre-release matches only if the range names a pre-release of
 * the same three numbers.
 */
export function satisfies(version: string, range: string): boolean {
  const parsed = parse(version);
  if (!parsed || !isRange(range)) return false;
  return range.split('||').some((each) => {
    const all = alternative(each)!;
    if (!all.every((one) => holds(parsed, one))) return false;
    return (
      parsed.pre.length === 0 ||
      all.some(
        ({ version: bound }) =>
          bound.pre.length > 0 &&
          bound.pre[0] !== '0' &&
          bound.numbers.every((number, place) => number === parsed.numbers[place]),
      )
    );
  });
}

/** Valid versions, newest first. Invalid ones are dropped. */
export function newestFirst(versions: readonly string[]): string[] {
  const parsed = versions.flatMap((text) => {
    const version = parse(text);
    return version ? [{ text, version }] : [];
  });
  return parsed.sort((a, b) => compare(b.version, a.version)).map(({ text }) => text);
}

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
