/**
 * Coarse sort order, applied before the key: proper values, then values of another type than the
 * column is read as, then missing values.
 */
export const SortGroup = { value: 0, other: 1, missing: 2 } as const;
