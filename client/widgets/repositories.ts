/** Defaults of a repository. */

/** The default data source, project or schema of a repository. */
export interface DefaultName {
  /** Its name, or its id as text if the name is unknown. */
  readonly name: string;
  /** Whether the name was found. */
  readonly known: boolean;
}

/** Looks up the name of an id in a list. `1` and `"1"` are equal. Undefined if there is no id. */
export function defaultOf<Item extends { readonly name?: string | undefined }>(
  items: readonly Item[],
  idOf: (item: Item) => string | number | undefined,
  id: string | number | undefined,
): DefaultName | undefined {
  if (id === undefined || id === '') return undefined;
  const name = items.find((item) => String(idOf(item)) === String(id))?.name;
  return name ? { name, known: true } : { name: String(id), known: false };
}
