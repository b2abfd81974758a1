/** Components whose code loads when they are first rendered, or before. */
import {
  type FunctionComponent,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useReducer,
} from 'react';
import { createLazyValue } from './lazy-value.ts';

interface Loaded<Props> {
  readonly default: FunctionComponent<Props>;
}

/** A component whose code loads when it is first rendered, or before. */
export interface Preloadable<Props> {
  readonly View: LazyExoticComponent<FunctionComponent<Props>>;
  /** Loads the code. Never rejects: rendering the component reports the error. */
  readonly preload: () => Promise<void>;
}

/** The boundaries that wait for code. */
const waiting = new Set<() => void>();
const arrived = (): void => {
  for (const show of waiting) show();
};

/** A promise that calls back synchronously, which React supports. */
const immediately = <Value,>(value: Value): Promise<Value> =>
  // biome-ignore lint/suspicious/noThenProperty: it stands for a promise
  ({ then: (take: (value: Value) => void) => take(value) }) as Promise<Value>;

/**
 * Like `lazy` of React, but a component whose code has been loaded renders immediately. The
 * component of `lazy` suspends once more, and while a page is printed it has no second chance.
 */
export function preloadable<Props>(load: () => Promise<Loaded<Props>>): Preloadable<Props> {
  const code = createLazyValue(load);
  return {
    View: lazy(() => {
      const loaded = code.now();
      if (loaded) return immediately(loaded);
      const coming = code.load();
      // Boundaries hear of the code after React.
      void coming.finally(() => queueMicrotask(arrived)).catch(() => {});
      return coming;
    }),
    preload: () =>
      code.load().then(
        () => {},
        () => {},
      ),
  };
}

/** A component whose code, a module with it or itself, loads when it is first rendered. */
export const lazyCode = <Props,>(load: () => Promise<Loaded<Props> | FunctionComponent<Props>>) =>
  preloadable<Props>(async () => {
    const code = await load();
    return 'default' in code ? code : { default: code };
  }).View;

function Waiting({ show, children }: { show: () => void; children: ReactNode }) {
  useEffect(() => {
    waiting.add(show);
    return () => void waiting.delete(show);
  }, [show]);
  return children;
}

/**
 * Shows `fallback` until the code of its content has arrived. `Suspense` alone shows new content
 * only once 300 ms have passed since any part of the page showed a fallback; an update of the
 * boundary shows it at once.
 */
export function CodeBoundary({
  fallback,
  children,
}: {
  fallback?: ReactNode;
  children: ReactNode;
}) {
  const [, show] = useReducer((count: number) => count + 1, 0);
  return <Suspense fallback={<Waiting show={show}>{fallback}</Waiting>}>{children}</Suspense>;
}
