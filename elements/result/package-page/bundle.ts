/** Runs a package's script in this page and returns the class it registers. */
import type { PackageScript } from './protocol.ts';

/** Entry that a script pushes to `heliumBundles`. */
interface PackageBundle {
  readonly id?: string;
  readonly name?: string;
  readonly type?: string;
  readonly class: new (...given: never[]) => object;
}

const made = new Map<string, PackageBundle>();

/**
 * Runs a script once and caches its entry. Throws the script's error, or an error if it registers
 * nothing.
 */
export function loadBundle({ id, code }: PackageScript): PackageBundle {
  const known = made.get(code);
  if (known) return known;
  const heliumBundles: PackageBundle[] = [];
  // The scope matches Zeppelin's page: the list, and the globals of this page.
  new Function('heliumBundles', code)(heliumBundles);
  const found = heliumBundles.find((each) => each.id === id) ?? heliumBundles[0];
  if (typeof found?.class !== 'function')
    throw new Error(`The script of the package ${id} registers no class in heliumBundles.`);
  made.set(code, found);
  return found;
}

/** Returns the message of a thrown value. */
export const errorMessageOf = (error: unknown): string =>
  error instanceof Error
    ? error.message || error.name
    : typeof error === 'object' && error !== null && 'message' in error
      ? String(error.message)
      : String(error);
