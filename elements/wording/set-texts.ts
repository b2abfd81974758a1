/** Replaces texts at run time, some or all, before or after elements are rendered. */
import { isJsonObject } from '@tiding/client/model';
import { navigationTexts } from '../shell/navigation-texts.ts';
import { shellTexts } from '../shell/texts.ts';
import { allTexts, onTextArea, textBranch, textsChanged } from '../text/areas.ts';
import type * as areas from './en.ts';
import { textAreas } from './keys.ts';

/** `key_inner` is in `key`; `_` is the root. */
type Areas = typeof areas;
/** The English texts, by key. */
type English = Areas['_'] & {
  [Key in keyof Areas as Key extends `${string}_${string}` ? never : Key]: Areas[Key] & {
    [Inner in keyof Areas as Inner extends `${Key}_${infer Name}` ? Name : never]: Areas[Inner];
  };
};
/** The type of a text table with other wording. */
type Wording<T> = T extends string
  ? string
  : T extends readonly string[]
    ? readonly string[]
    : T extends (...values: infer Values) => string
      ? (...values: Values) => string
      : { [Key in keyof T]: Wording<T[Key]> };
/** Part of a text table. */
type Some<T> = T extends string | readonly string[] | ((...values: never[]) => string)
  ? T
  : { readonly [Key in keyof T]?: Some<T[Key]> };

/** All texts of the elements and the app, by key. */
export type Texts = Wording<English>;
/** Part of {@link Texts}; texts that are omitted stay unchanged. */
export type SomeTexts = Some<Texts>;

/**
 * The current texts. Change them with {@link setTexts}. Those of elements whose code is not loaded
 * yet are absent; {@link loadTexts} loads them.
 */
export const texts = Object.assign(allTexts as Partial<Texts>, {
  // The app shows these before it loads a page.
  app: shellTexts as Texts['app'],
  navigation: navigationTexts as Texts['navigation'],
});

type Branch = Record<string, unknown>;

/** Replacements of texts that are not loaded yet, by key. */
const waiting = new Map<string, unknown>();
const isUnloaded = (name: string): boolean =>
  textAreas.includes(name) && textBranch(name) === undefined;

const placeholders = (template: string): string =>
  [...new Set(template.match(/\{\w+\}/g))].sort().join(', ');
/** Tables keyed by data values, which accept new keys. */
const open: ReadonlySet<string> = new Set([
  'note.looks',
  'status',
  'terminal',
  'clusters.states',
  'clusters.health',
  'connections.kinds',
  'people.rights',
]);

/** Lists every problem of a replacement, each with its key. */
function problems(now: Branch, wanted: Branch, path: readonly string[]): string[] {
  return Object.entries(wanted).flatMap(([key, value]): string[] => {
    const name = [...path, key].join('.');
    if (isUnloaded(name)) return [];
    if (!Object.hasOwn(now, key))
      return open.has(path.join('.')) && typeof value === 'string'
        ? []
        : [`unknown text '${name}'`];
    const old = now[key];
    if (isJsonObject(old))
      return isJsonObject(value)
        ? problems(old, value, [...path, key])
        : [`'${name}' must be an object of texts`];
    if (Array.isArray(old))
      return Array.isArray(value) && value.every((line) => typeof line === 'string')
        ? []
        : [`'${name}' must be a list of strings`];
    if (typeof old !== typeof value) return [`'${name}' must be a ${typeof old}`];
    if (typeof old === 'string' && placeholders(old) !== placeholders(value as string))
      return [
        `'${name}' must have the placeholders ${placeholders(old) || '(none)'}, not ` +
          `${placeholders(value as string) || '(none)'}`,
      ];
    return [];
  });
}

function put(now: Branch, wanted: Branch, path: readonly string[]): void {
  for (const [key, value] of Object.entries(wanted)) {
    const name = [...path, key].join('.');
    if (isUnloaded(name)) waiting.set(name, merged(waiting.get(name), value));
    else if (isJsonObject(now[key])) put(now[key], value as Branch, [...path, key]);
    else now[key] = value;
  }
}

/** A replacement and a later one. */
function merged(before: unknown, after: unknown): unknown {
  if (!isJsonObject(before) || !isJsonObject(after)) return after;
  const both: Branch = { ...before };
  for (const [key, value] of Object.entries(after)) both[key] = merged(before[key], value);
  return both;
}

const root = allTexts as Branch;
function replace(wanted: Branch): void {
  const wrong = problems(root, wanted, []);
  if (wrong.length > 0) throw new TypeError(`setTexts: ${wrong.join('; ')}`);
  put(root, wanted, []);
}

onTextArea(() => {
  for (const [name, value] of waiting) {
    if (isUnloaded(name)) continue;
    waiting.delete(name);
    try {
      replace(
        name.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Branch,
      );
    } catch (error) {
      // The caller of `setTexts` has returned.
      reportError(error);
    }
  }
});

/**
 * Replaces texts. Elements on the page re-render; typed code is kept, dialogs and menus close.
 *
 * @throws TypeError if a key is unknown, a value has the wrong type, or the placeholders of a
 * template differ from those of the original text. Nothing is replaced then. Texts of elements
 * whose code is not loaded yet are checked when it is; the window gets an `error` event then.
 */
export function setTexts(some: SomeTexts): void {
  replace(some as Branch);
  textsChanged();
}

/** Loads the texts of all elements, for example to translate them. */
export async function loadTexts(): Promise<Texts> {
  // Bundlers leave out the areas that nothing reads.
  for (const area of Object.values(await import('./en.ts'))) void area;
  return texts as Texts;
}
