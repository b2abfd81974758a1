/** Code loaded on demand, with a retry after network errors. */
import { type FunctionComponent, type ReactNode, useEffect, useReducer, useState } from 'react';
import { createLazyValue, type LazyValue } from '../runtime/lazy-value.ts';
import { LoadFailed, Loading } from './loading.tsx';
import { pageTexts } from './page-texts.ts';

/** Renders `children` with a lazy value once it is loaded. */
export function WhenLoaded<T extends object>({
  of,
  children,
}: {
  of: LazyValue<T>;
  children: (loaded: T) => ReactNode;
}) {
  const [failed, setFailed] = useState<{ of: LazyValue<T>; error: unknown }>();
  const [, came] = useReducer((n: number) => n + 1, 0);
  const loaded = of.now();
  useEffect(() => {
    if (loaded || failed?.of === of) return undefined;
    let gone = false;
    of.load().then(
      () => !gone && came(),
      (error: unknown) => !gone && setFailed({ of, error }),
    );
    return () => void (gone = true);
  }, [of, loaded, failed]);
  if (loaded) return children(loaded);
  if (failed?.of === of)
    return (
      <LoadFailed error={failed.error} onRetry={() => setFailed(undefined)}>
        <span>{pageTexts.notLoaded}</span>
      </LoadFailed>
    );
  return <Loading />;
}

/**
 * Creates a component whose code is loaded on demand: `lazyPart(() => import('./x.tsx').then(({ X
 * }) => X))`.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  const code = createLazyValue(load);
  return (props) => <WhenLoaded of={code}>{(View) => <View {...props} />}</WhenLoaded>;
}
