/** Converts the server's configuration for the page. */
import type { JsonObject, NoteStorage } from '@tiding/client/protocol';

export interface ConfigurationEntry {
  readonly name: string;
  readonly value: string;
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Returns the entries sorted by name, by code unit. */
export function configurationEntries(configurations: JsonObject): ConfigurationEntry[] {
  return Object.entries(configurations)
    .map(([name, value]) => ({ name, value: valueText(value) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** A setting of a note storage: text, or a choice of `options`. */
export interface StorageField {
  readonly name: string;
  readonly value: string;
  readonly options: readonly { readonly name: string; readonly value: string }[] | undefined;
}

/** Returns the settings of a storage; those without a name are dropped. */
export function storageFields({ settings = [] }: NoteStorage): StorageField[] {
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
            : [{ name: valueText(label ?? chosen), value: valueText(chosen) }];
        })
      : [];
    return [
      { name, value: valueText(selected), options: type === 'DROPDOWN' ? options : undefined },
    ];
  });
}
