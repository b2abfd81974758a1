/** An area of the client: all of its methods return promises. */
type Area<T> = { readonly [Name in keyof T]: (...given: never[]) => Promise<unknown> };

/** Stands for an area whose code is loaded with the first call of one of its methods. */
export function lazyArea<T extends Area<T>>(load: () => Promise<T>): T {
  return new Proxy({} as Record<string, unknown>, {
    get(known, name) {
      // Promises look for `then`, tests and consoles for symbols.
      if (typeof name !== 'string' || name === 'then') return undefined;
      return (known[name] ??= async (...given: never[]) =>
        ((await load()) as unknown as Record<string, (...all: never[]) => unknown>)[name]!(
          ...given,
        ));
    },
  }) as unknown as T;
}
