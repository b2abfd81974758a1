/** Views whose code is loaded when they are first shown or preloaded. */
import type { FunctionComponent } from 'react';
import type { EventSpec, ViewProps } from '../runtime/define-element.ts';
import { createLazyValue } from '../runtime/lazy-code.tsx';
import { useSheets } from '../runtime/use-sheets.ts';
import { WhenLoaded } from './lazy.tsx';

/** Event of a page that the user may have no access to. */
export const homeWanted: EventSpec = {
  name: 'tiding-home-wanted',
  doc:
    'The user has no access to this page. A notice has been shown for three seconds; now ' +
    'navigate to the home page.',
};

interface ViewModule {
  readonly default: FunctionComponent<ViewProps>;
  /** Style sheets needed only by this view, as text. */
  readonly sheets?: readonly string[];
}

export interface LazyView extends FunctionComponent<ViewProps> {
  /** Loads the view's code, once. */
  readonly preload: () => Promise<void>;
}

/** Creates a lazy view for an element spec: `view: lazyView(() => import('./jobs.tsx'))`. */
export function lazyView(load: () => Promise<ViewModule>): LazyView {
  const code = createLazyValue(load);
  const View = (props: ViewProps) => (
    <WhenLoaded of={code}>{(module) => <Dressed of={module} {...props} />}</WhenLoaded>
  );
  return Object.assign(View, { preload: async () => void (await code.load()) });
}

const none: readonly string[] = [];

/** Renders a view with its own style sheets. */
function Dressed({
  of: { default: View, sheets = none },
  ...props
}: { of: ViewModule } & ViewProps) {
  useSheets(sheets, props.host);
  return <View {...props} />;
}
