/** Code that comes when it is first needed; where the network is away, it can be tried again. */
import { useEffect, useReducer, useState, type FunctionComponent, type ReactNode } from 'react';
import { text } from '../text/en.ts';
import { Failed, Loading } from '../ui/loading.tsx';

/** Something that is loaded on demand, once. */
export interface Lazy<T> {
  /** It, where it has come already. */
  readonly now: () => T | undefined;
  /** Loads it; rejects where the network is away, and loads again at the next call. */
  readonly load: () => Promise<T>;
}

/** Loads at the first call, for all who ask. */
export function lazily<T extends object>(load: () => Promise<T>): Lazy<T> {
  let loaded: T | undefined;
  let pending: Promise<T> | undefined;
  return {
    now: () => loaded,
    load: () =>
      (pending ??= load().then(
        (found) => (loaded = found),
        (error: unknown) => {
          // The network may be back at the next try.
          pending = undefined;
          throw error;
        },
      )),
  };
}

/** Shows what is made of something once it has come. */
export function WhenLoaded<T extends object>({
  of,
  children,
}: {
  of: Lazy<T>;
  children: (loaded: T) => ReactNode;
}) {
  const [failed, setFailed] = useState<Lazy<T>>();
  const [, came] = useReducer((n: number) => n + 1, 0);
  const loaded = of.now();
  useEffect(() => {
    if (loaded || failed === of) return undefined;
    let gone = false;
    of.load().then(
      () => !gone && came(),
      () => !gone && setFailed(of),
    );
    return () => void (gone = true);
  }, [of, loaded, failed]);
  if (loaded) return children(loaded);
  if (failed === of)
    return (
      <Failed onRetry={() => setFailed(undefined)}>
        <span>{text.pages.notLoaded}</span>
      </Failed>
    );
  return <Loading />;
}

/** A part of a view whose code is loaded on demand: `lazyPart(() => import('./x.tsx').then(({ X }) => X))`. */
export function lazyPart<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  const code = lazily(load);
  return (props) => <WhenLoaded of={code}>{(View) => <View {...props} />}</WhenLoaded>;
}
