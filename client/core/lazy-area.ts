import { callError, TidingError } from './errors.ts';

/** An area of the client: all of its methods return promises. */
type Area<T> = { readonly [Name in keyof T]: (...given: never[]) => Promise<unknown> };

/**
 * Stands for an area whose code is loaded with the first call of one of its methods. All calls use
 * one area; after a failure, the next call loads it again. Its methods reject with a
 * {@link TidingError} also if they can't handle their arguments.
 */
export function lazyArea<T extends Area<T>>(load: () => Promise<T>): T {
  let area: Promise<T> | undefined;
  const loaded = async () => {
    try {
      return (await (area ??= load())) as unknown as Record<string, (...all: never[]) => unknown>;
    } catch (error) {
      area = undefined;
      throw error;
    }
  };
  return new Proxy({} as Record<string, unknown>, {
    get(known, name) {
      // Promises look for `then`, tests and consoles for symbols.
      if (typeof name !== 'string' || name === 'then') return undefined;
      return (known[name] ??= async (...given: never[]) => {
        try {
          const methods = await loaded();
          if (typeof methods[name] !== 'function')
            throw new TidingError('protocol', `There is no method '${name}'.`, { operation: name });
          return await methods[name](...given);
        } catch (error) {
          throw callError(error, name);
        }
      });
    },
  }) as unknown as T;
}
