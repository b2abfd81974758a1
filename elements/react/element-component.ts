/** React components of the elements. The build adds one for each tag to the entry. */
import {
  createElement,
  type ReactElement,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type ProvidedSettings, useProvidedSettings } from './settings.ts';

type Props = Readonly<Record<string, unknown>>;

/** `onTidingRunFinished` → `tiding-run-finished`; `undefined` for other props. */
const eventOf = (prop: string): string | undefined =>
  /^onTiding[A-Z]/.test(prop)
    ? `t${prop.slice(3)}`.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    : undefined;

/**
 * Adds the settings of the provider to props that are not set. Those of the connection belong
 * together: a component with a server of its own must not send it the provider's token.
 */
function withSettings(props: Props, settings: ProvidedSettings | undefined): Props {
  const own = Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined));
  const { theme, ...connection } = settings ?? {};
  const isConnected = 'client' in own || 'server' in own;
  return { ...(theme ? { theme } : {}), ...(isConnected ? {} : connection), ...own };
}

/**
 * Creates the component of an element. `load` registers the element; it is called when the first
 * component is in the page, never on a server. Props with one of the names in `properties` are set
 * as properties of the element, others as React does.
 */
export function elementComponent(
  tag: string,
  properties: ReadonlySet<string>,
  load: () => Promise<unknown>,
): (props: Props) => ReactElement {
  function TidingComponent({ ref, ...own }: Props): ReactElement {
    const props = withSettings(own, useProvidedSettings());
    const element = useRef<HTMLElement>(null);
    const names = useRef<ReadonlySet<string>>(new Set());

    // React sets properties only if the element is defined already, and none during hydration.
    useLayoutEffect(() => {
      const target = element.current as (HTMLElement & Record<string, unknown>) | null;
      if (!target) return;
      const present = new Set(Object.keys(props).filter((name) => properties.has(name)));
      for (const name of new Set([...names.current, ...present])) target[name] = props[name];
      names.current = present;
    });
    useLayoutEffect(() => {
      const listeners = Object.entries(props).flatMap(([prop, listener]) => {
        const event = eventOf(prop);
        return event && listener ? [[event, listener as EventListener] as const] : [];
      });
      const target = element.current;
      for (const [event, listener] of listeners) target?.addEventListener(event, listener);
      return () => {
        for (const [event, listener] of listeners) target?.removeEventListener(event, listener);
      };
    });

    const isDefined = useDefinition(tag, load);
    useImperativeHandle<HTMLElement | null, HTMLElement | null>(
      ref as Ref<HTMLElement | null>,
      () => (isDefined ? element.current : null),
      [isDefined],
    );
    const attributes = Object.entries(props).filter(
      ([name]) => !properties.has(name) && eventOf(name) === undefined,
    );
    return createElement(tag, { ...Object.fromEntries(attributes), ref: element });
  }
  TidingComponent.displayName = tag;
  return TidingComponent;
}

/** Registers an element once a component is in the page. A failure goes to the error boundary. */
function useDefinition(tag: string, load: () => Promise<unknown>): boolean {
  const [isDefined, setDefined] = useState(false);
  const [failure, setFailure] = useState<{ reason: unknown }>();
  useEffect(() => {
    let gone = false;
    // A script of the server may have defined it.
    const loaded = customElements.get(tag) ? Promise.resolve() : load();
    loaded.then(
      () => gone || setDefined(true),
      (reason: unknown) => gone || setFailure({ reason }),
    );
    return () => {
      gone = true;
    };
  }, [tag, load]);
  if (failure) throw failure.reason;
  return isDefined;
}
