/** A package's script, run in this page: what it makes known of itself. */
import type { Script } from './protocol.ts';

/** What a script pushes to `heliumBundles`. */
export interface Bundle {
  readonly id?: string;
  readonly name?: string;
  readonly type?: string;
  readonly class: new (...given: never[]) => object;
}

const made = new Map<string, Bundle>();

/** Runs a script once. Throws what it throws, and where it makes nothing known. */
export function bundleOf({ id, code }: Script): Bundle {
  const known = made.get(code);
  if (known) return known;
  const heliumBundles: Bundle[] = [];
  // The scope is that of upstream's page: the list, and what this page has as globals.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- foreign code is what this page is for
  new Function('heliumBundles', code)(heliumBundles);
  const found = heliumBundles.find((each) => each.id === id) ?? heliumBundles[0];
  if (typeof found?.class !== 'function') throw new Error(`The package ${id} makes nothing known.`);
  made.set(code, found);
  return found;
}

/** What went wrong, in words. */
export const wordsOf = (error: unknown): string =>
  error instanceof Error
    ? error.message || error.name
    : typeof error === 'object' && error !== null && 'message' in error
      ? String(error.message)
      : String(error);
