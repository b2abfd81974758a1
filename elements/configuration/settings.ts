/** What the server says of its settings, made fit for the page. */
import type { Bag, NoteStorage } from 'tiding/protocol';

/** A setting of the server. */
export interface ConfigurationEntry {
  readonly name: string;
  readonly value: string;
}

const words = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value == null
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);

/** By name, character by character, as the names are written. */
export function entriesOf(configurations: Bag): ConfigurationEntry[] {
  return Object.entries(configurations)
    .map(([name, value]) => ({ name, value: words(value) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** A field of a storage: text, or a choice of `options`. */
export interface StorageField {
  readonly name: string;
  readonly value: string;
  readonly options: readonly { readonly name: string; readonly value: string }[] | undefined;
}

/** The fields of a storage; what has no name is left out. */
export function fieldsOf({ settings = [] }: NoteStorage): StorageField[] {
  return settings.flatMap(({ type, name, value, selected }) => {
    if (typeof name !== 'string') return [];
    const options = Array.isArray(value)
      ? (value as unknown[]).flatMap((each) => {
          const { name: label, value: chosen } = (each ?? {}) as {
            name?: unknown;
            value?: unknown;
          };
          return chosen === undefined
            ? []
            : [{ name: words(label ?? chosen), value: words(chosen) }];
        })
      : [];
    return [{ name, value: words(selected), options: type === 'DROPDOWN' ? options : undefined }];
  });
}
