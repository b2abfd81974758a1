/** Views whose code comes when they are first shown, or when somebody is about to show them. */
import { useEffect, useInsertionEffect, useState, type FunctionComponent } from 'react';
import { text } from '../text/en.ts';
import { Button } from '../ui/button.tsx';
import type { ViewProps } from './define-element.ts';
import { sheet } from './sheets.ts';

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
  let loaded: ViewModule | undefined;
  let pending: Promise<void> | undefined;
  const preload = (): Promise<void> => (pending ??= load().then(
    (module) => void (loaded = module),
    (error: unknown) => {
      // The network may be back at the next try.
      pending = undefined;
      throw error;
    },
  ));
  const View = (props: ViewProps) => {
    const [module, setModule] = useState(loaded);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (module || failed) return undefined;
      let gone = false;
      preload().then(() => !gone && setModule(loaded), () => !gone && setFailed(true));
      return () => void (gone = true);
    }, [module, failed]);
    if (module) return <Sheets of={module} host={props.host}><module.default {...props} /></Sheets>;
    if (!failed) return <div className="element-loading" aria-busy="true" aria-label={text.loading} />;
    return (
      <div className="element-message" role="alert">
        <span>{text.pages.notLoaded}</span>
        <Button kind="secondary" onClick={() => setFailed(false)}>{text.tryAgain}</Button>
      </div>
    );
  };
  return Object.assign(View, { preload });
}

/** Has the element's root wear a view's own sheets before anything of it is there. */
function Sheets({ of: { sheets = [] }, host, children }: { of: ViewModule; host: HTMLElement; children: React.ReactNode }) {
  useInsertionEffect(() => {
    const root = host.shadowRoot;
    if (!root) return;
    const missing = sheets.map(sheet).filter((each) => !root.adoptedStyleSheets.includes(each));
    if (missing.length > 0) root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...missing];
  }, [sheets, host]);
  return children;
}
