import { TidingError } from './errors.ts';

/**
 * Returns a function that loads a module on its first call and passes it to `keep`. After a
 * failure, the next call tries again.
 */
export function once<Module>(
  load: () => Promise<Module>,
  keep: (module: Module) => void,
): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return () => {
    loading ??= load().then(
      (module) => {
        keep(module);
        return module;
      },
      (cause: unknown) => {
        loading = undefined;
        throw new TidingError(
          'network',
          'A part of the client could not be loaded. Check the network and try again.',
          { cause },
        );
      },
    );
    return loading;
  };
}
