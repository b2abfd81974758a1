/**
 * Renders the views of elements with React. It is loaded with the first of them, because React is
 * larger than everything that a page for readers needs.
 *
 * The bridge is `@r2wc/react-to-web-component`. Its class is not that of the elements, which exist
 * before it: an element makes one that is never in the page and renders into the element's root.
 */
import r2wc from '@r2wc/react-to-web-component';
import { type ComponentType, createElement, useLayoutEffect } from 'react';
import type { ElementSpec, LazyView, ViewProps } from './runtime/define-element.ts';
import { useSheets } from './runtime/use-sheets.ts';
import { useTextVersion } from './text/areas.ts';
import { WhenLoaded } from './ui/lazy.tsx';
import { Region } from './ui/loading.tsx';
import { removePlaceholder } from './ui/placeholder.ts';

/** Gives an element the theme of its portal. Only elements with a portal load the code for it. */
function usePortalTheme({ host, values: { portal } }: ViewProps): void {
  useLayoutEffect(() => {
    if (!portal) return undefined;
    let stop: (() => void) | undefined;
    let isGone = false;
    import('./portal/theme.ts').then(
      ({ followTheme }) => {
        if (!isGone) stop = followTheme(host, portal as string);
      },
      () => {},
    );
    return () => {
      isGone = true;
      stop?.();
    };
  }, [host, portal]);
}

const none: readonly string[] = [];

/** Renders a view with its own style sheets. */
function Dressed({
  of: { default: View, sheets = none },
  ...props
}: { of: Awaited<ReturnType<LazyView['load']>> } & ViewProps) {
  useSheets(sheets, props.host);
  return <View {...props} />;
}

/** What a bridge shows. */
interface Shown extends ViewProps {
  readonly view: ElementSpec['view'];
}

/** Replacing the texts remounts the view, so that components need not subscribe to each text. */
export function ElementView({ view, ...props }: Shown) {
  usePortalTheme(props);
  useLayoutEffect(() => {
    removePlaceholder(props.host.shadowRoot!);
  }, [props.host]);
  return (
    <Region key={useTextVersion()} root={() => props.host.shadowRoot}>
      {typeof view === 'function' ? (
        createElement(view, props)
      ) : (
        <WhenLoaded of={view}>{(code) => <Dressed of={code} {...props} />}</WhenLoaded>
      )}
    </Region>
  );
}

/** The root of the element for which a bridge is made. */
let target: ShadowRoot;

// A property without a type: r2wc passes it by reference and never writes an attribute.
const props = { shown: undefined } as unknown as 'shown'[];
const Base = r2wc(
  (({ shown }: { shown: Shown }) => <ElementView {...shown} />) as ComponentType<{
    shown: Shown;
    container?: HTMLElement;
  }>,
  { shadow: 'open', props },
) as unknown as {
  new (): HTMLElement & { shown: Shown; disconnectedCallback(): void };
};

/** Renders a view into an element. */
export class Bridge extends Base {
  /** Shows the view; setting `shown` again updates it. */
  static show(shown: Shown): Bridge {
    target = shown.host.shadowRoot!;
    return Object.assign(new Bridge(), { shown });
  }

  override attachShadow(): ShadowRoot {
    return target;
  }
}

// Browsers only make elements of registered classes. Another copy of this package has its own.
let tag = 'tiding-bridge';
while (customElements.get(tag)) tag += '-';
customElements.define(tag, Bridge);
