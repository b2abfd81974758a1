/** What a repository takes where nothing is named. */

/** Something of a repository: its id, and its name where that is known. */
export interface DefaultName {
  /** As it is in the list of its kind; the id itself as text where it is in no list. */
  readonly name: string;
  /** Whether the name was found. */
  readonly known: boolean;
}

/** The name of an id in a list: `1` and `"1"` are the same. Undefined without an id. */
export function defaultOf<Item extends { readonly name?: string | undefined }>(
  items: readonly Item[],
  idOf: (item: Item) => string | number | undefined,
  id: string | number | undefined,
): DefaultName | undefined {
  if (id === undefined || id === '') return undefined;
  const name = items.find((item) => String(idOf(item)) === String(id))?.name;
  return name ? { name, known: true } : { name: String(id), known: false };
}
