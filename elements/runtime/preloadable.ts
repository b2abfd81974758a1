import { type FunctionComponent, type LazyExoticComponent, lazy } from 'react';

interface Loaded<Props> {
  readonly default: FunctionComponent<Props>;
}

/** A component whose code loads when it is first rendered, or before. */
export interface Preloadable<Props> {
  readonly View: LazyExoticComponent<FunctionComponent<Props>>;
  /** Loads the code. Never rejects: rendering the component reports the error. */
  readonly preload: () => Promise<void>;
}

/** A promise that calls back synchronously, which React supports. */
const immediately = <Value>(value: Value): Promise<Value> =>
  // biome-ignore lint/suspicious/noThenProperty: it stands for a promise
  ({ then: (take: (value: Value) => void) => take(value) }) as Promise<Value>;

/**
 * Like `lazy`, but a component whose code has been loaded renders immediately. The component of
 * `lazy` suspends once more, and while a page is printed it has no second chance.
 */
export function preloadable<Props>(load: () => Promise<Loaded<Props>>): Preloadable<Props> {
  let loading: Promise<Loaded<Props>> | undefined;
  let loaded: Loaded<Props> | undefined;
  const start = (): Promise<Loaded<Props>> =>
    (loading ??= load().then(
      (code) => (loaded = code),
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    ));
  return {
    View: lazy(() => (loaded ? immediately(loaded) : start())),
    preload: () =>
      start().then(
        () => {},
        () => {},
      ),
  };
}
