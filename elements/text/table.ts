/** The table of texts can be replaced, in whole or in part, before or after elements are shown. */
import { useSyncExternalStore } from 'react';
import { text } from './en.ts';

/** A table like this one, with other words. */
type Wording<T> = T extends string
  ? string
  : T extends readonly string[]
    ? readonly string[]
    : T extends (...values: infer Values) => string
      ? (...values: Values) => string
      : { [Key in keyof T]: Wording<T[Key]> };
/** Some of a table. */
type Some<T> = T extends string | readonly string[] | ((...values: never[]) => string)
  ? T
  : { readonly [Key in keyof T]?: Some<T[Key]> };

/** Every sentence of the elements and of the app, by name. */
export type Texts = Wording<typeof text>;
/** Some of {@link Texts}: what is left out stays as it is. */
export type SomeTexts = Some<Texts>;

/** The texts as they are now. Change them by {@link setTexts}. */
export const texts: Texts = text;

const listeners = new Set<() => void>();
let version = 0;

type Branch = Record<string, unknown>;
const isBranch = (value: unknown): value is Branch =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const placeholders = (template: string): string =>
  [...new Set(template.match(/\{\w+\}/g))].sort().join(', ');
/** Tables whose names are those of data: a name that is not there yet is added. */
const open: ReadonlySet<string> = new Set([
  'note.looks',
  'status',
  'clusters.states',
  'clusters.health',
]);

/** What is wrong with a replacement; every place at once. */
function problems(now: Branch, wanted: Branch, path: readonly string[]): string[] {
  return Object.entries(wanted).flatMap(([key, value]): string[] => {
    const place = [...path, key].join('.');
    if (!Object.hasOwn(now, key))
      return open.has(path.join('.')) && typeof value === 'string'
        ? []
        : [`there is no text '${place}'`];
    const old = now[key];
    if (isBranch(old))
      return isBranch(value)
        ? problems(old, value, [...path, key])
        : [`'${place}' holds several texts`];
    if (Array.isArray(old))
      return Array.isArray(value) && value.every((line) => typeof line === 'string')
        ? []
        : [`'${place}' is a list of texts`];
    if (typeof old !== typeof value) return [`'${place}' is a ${typeof old}`];
    if (typeof old === 'string' && placeholders(old) !== placeholders(value as string))
      return [
        `'${place}' needs the places ${placeholders(old) || 'of none'}, not ${placeholders(value as string) || 'none'}`,
      ];
    return [];
  });
}

function put(now: Branch, wanted: Branch): void {
  for (const [key, value] of Object.entries(wanted)) {
    if (isBranch(now[key])) put(now[key], value as Branch);
    else now[key] = value;
  }
}

/**
 * Replaces texts. Elements that are shown are drawn anew, what is typed in an editor is kept; dialogs and menus close.
 *
 * @throws TypeError when a name is unknown, a value of another kind, or a template has other places in braces than the text
 * it replaces; nothing is replaced then.
 */
export function setTexts(some: SomeTexts): void {
  const wrong = problems(text as unknown as Branch, some as Branch, []);
  if (wrong.length > 0) throw new TypeError(`setTexts: ${wrong.join('; ')}`);
  put(text as unknown as Branch, some as Branch);
  version += 1;
  for (const listener of [...listeners]) listener();
}

/** Told after texts were replaced. Returns its undo. */
export function onTexts(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Another number after each replacement. */
export function useTextVersion(): number {
  return useSyncExternalStore(
    onTexts,
    () => version,
    () => version,
  );
}

/** A list with texts in it (a table of commands): made anew, in place, after texts were replaced. */
export function withTexts<T>(make: () => readonly T[]): readonly T[] {
  const list = [...make()];
  onTexts(() => list.splice(0, Infinity, ...make()));
  return list;
}
