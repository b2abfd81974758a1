/** Similarity of field names. */

/**
 * Jaro-Winkler similarity of two texts, 0 to 1. Gives the same results as the engine's function.
 */
export function jaroWinkler(one: string, other: string): number {
  if (one === other) return 1;
  const reach = Math.max(0, Math.floor(Math.max(one.length, other.length) / 2) - 1);
  const taken = new Set<number>();
  const common: string[] = [];
  [...one].forEach((letter, at) => {
    for (
      let place = Math.max(0, at - reach);
      place <= Math.min(other.length - 1, at + reach);
      place += 1
    ) {
      if (taken.has(place) || other[place] !== letter) continue;
      taken.add(place);
      common.push(letter);
      return;
    }
  });
  if (common.length === 0) return 0;
  const there = [...taken].sort((a, b) => a - b).map((place) => other[place]);
  const transpositions = Math.floor(common.filter((letter, at) => letter !== there[at]).length / 2);
  const jaro =
    (common.length / one.length +
      common.length / other.length +
      (common.length - transpositions) / common.length) /
    3;
  let prefix = 0;
  while (prefix < 4 && prefix < one.length && one[prefix] === other[prefix]) prefix += 1;
  return jaro > 0.7 ? jaro + prefix * 0.1 * (1 - jaro) : jaro;
}

/** Singular of an English plural, based on its ending. */
export function singularOf(name: string): string {
  if (/(?:ss|us|is)$/.test(name)) return name;
  return name.replace(/(?<![aeiou])ies$|(?<=x|ch|sh|ss|z)es$|s$/, (ending) =>
    ending === 'ies' ? 'y' : '',
  );
}

/**
 * How likely a field refers to a field of another table, judging by its name, 0 to 1. Compares the
 * name with the other field's name, alone and prefixed with the other table's singular name.
 * Ignores case and underscores.
 */
export function nameSimilarity(child: string, parentTable: string, parent: string): number {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');
  return Math.max(
    jaroWinkler(plain(child), plain(parent)),
    jaroWinkler(plain(child), singularOf(plain(parentTable)) + plain(parent)),
  );
}
