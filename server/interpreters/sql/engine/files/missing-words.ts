/** Texts that stand for missing values in a column of numbers or dates. */
export const MISSING_WORDS: readonly string[] = '|-|NA|N/A|n/a|#N/A|NULL|null|None|NaN|nan'.split(
  '|',
);
