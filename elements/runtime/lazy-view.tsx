/** Views whose code comes when they are first shown, or when somebody is about to show them. */
import type { FunctionComponent } from 'react';
import type { ViewProps } from './define-element.ts';
import { lazily, WhenLoaded } from './lazy.tsx';
import { useSheets } from './use-sheets.ts';

/** What the module of a view exports. */
export interface ViewModule {
  readonly default: FunctionComponent<ViewProps>;
  /** Sheets that only this view needs, as text. */
  readonly sheets?: readonly string[];
}

/** A view that is loaded on demand. */
export interface LazyView extends FunctionComponent<ViewProps> {
  /** Loads its code, once. */
  readonly preload: () => Promise<void>;
}

/** A view for an element's description: `view: lazyView(() => import('./jobs.tsx'))`. */
export function lazyView(load: () => Promise<ViewModule>): LazyView {
  const code = lazily(load);
  const View = (props: ViewProps) => (
    <WhenLoaded of={code}>{(module) => <Dressed of={module} {...props} />}</WhenLoaded>
  );
  return Object.assign(View, { preload: async () => void (await code.load()) });
}

const none: readonly string[] = [];

/** A view in its own sheets. */
function Dressed({
  of: { default: View, sheets = none },
  ...props
}: { of: ViewModule } & ViewProps) {
  useSheets(sheets, props.host);
  return <View {...props} />;
}
