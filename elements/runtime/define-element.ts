/**
 * Turns a React component into a custom element.
 *
 * The bridge is `@r2wc/react-to-web-component`. This wrapper passes it one property by reference
 * and implements what browsers expect of an element: properties set before the upgrade are
 * kept, boolean attributes count by presence, removing an attribute clears its property, objects
 * stay objects, moving the element keeps its state, and events keep their names and bubble through
 * shadow roots.
 */
import r2wc from '@r2wc/react-to-web-component';
import { type ComponentType, createElement, type FunctionComponent, useLayoutEffect } from 'react';
import { useTextVersion } from '../text/set-texts.ts';
import { baseSheet, tokenSheet } from '../theme/index.ts';
import { Region } from '../ui/loading.tsx';
import type { EmptyDetail, TidingEventDetails, TidingEventName } from './element-types.ts';
import { callMethod, rejectWaitingCalls } from './methods.ts';
import { constructedSheet } from './sheets.ts';

/**
 * How a property is set from markup. `object` has no attribute. `json` is parsed from JSON text and
 * unset if it is invalid.
 */
export type PropertyKind = 'string' | 'number' | 'boolean' | 'object' | 'json';

/** Describes a property of an element. The attribute is the property name in kebab case. */
export interface PropertySpec {
  /** How the property is set from markup, and the type it is converted to. */
  readonly kind: PropertyKind;
  /**
   * Type of the value in TypeScript, if the kind does not say it. Names are exports of
   * `@tiding/elements`.
   */
  readonly valueType?: string;
  /** One sentence for users of the element. */
  readonly doc: string;
}

/** Describes an event of an element. */
export interface EventSpec {
  /** Event name for `addEventListener`. The type of its detail is in `TidingEventDetails`. */
  readonly name: TidingEventName;
  /** One sentence: when it is emitted, and what its `detail` contains. */
  readonly doc: string;
}

/** Describes a method of an element. */
export interface MethodSpec {
  /** Method name. */
  readonly name: string;
  /** One sentence: what it does. */
  readonly doc: string;
  /** Parameters in TypeScript. Without it, there are none. */
  readonly parameters?: string;
  /** Return type in TypeScript: a promise, because a call may wait for the view. */
  readonly returns: string;
  /** What a call resolves to while there is no view. Without it, the call waits for the view. */
  readonly withoutView?: unknown;
}

/** Describes an element. The manifest, the docs and the types are generated from it. */
export interface ElementSpec {
  /** Tag name. */
  readonly tag: `tiding-${string}`;
  /** One sentence for users of the element. */
  readonly doc: string;
  /** React component that renders the element. */
  readonly view: FunctionComponent<ViewProps>;
  /**
   * Properties by name. Those of `commonProperties` belong to every element and are not listed.
   */
  readonly properties: Readonly<Record<string, PropertySpec>>;
  /** Events. They bubble and cross shadow roots. */
  readonly events?: readonly EventSpec[];
  /** Methods that a page can call. */
  readonly methods?: readonly MethodSpec[];
  /** Name of the display widget, if the element is the tag of one. */
  readonly widget?: string;
  /** Style sheets besides tokens and base, as text. */
  readonly sheets?: readonly string[];
}

/** Props of an element's view: the element and its current properties. */
export interface ViewProps {
  /** The element in the page. */
  readonly host: HTMLElement;
  /** Property values by name; unset properties are absent. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Properties of every element. */
export const commonProperties = {
  server: {
    kind: 'string',
    doc: 'Address of the server. Defaults to that of the nearest <tiding-workbench>.',
  },
  token: {
    kind: 'object',
    valueType: 'TokenSource',
    doc: 'Access token for pages on another origin: a string, or a function that returns one.',
  },
  client: {
    kind: 'object',
    valueType: 'Client',
    doc: 'A client created by createClient(). It takes precedence over server and token.',
  },
  portal: {
    kind: 'string',
    doc:
      'Name of a portal: elements of the page with the same name share filters, the current ' +
      'cluster and the theme.',
  },
} as const satisfies Record<string, PropertySpec>;

const attributeOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function parse(kind: PropertyKind, text: string | null): unknown {
  if (kind === 'boolean') return text !== null && text !== 'false';
  if (text === null) return undefined;
  if (kind === 'json') return parseJson(text);
  return kind === 'number' ? Number(text) : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Stops keys that are typed or handled inside the element. To the page, the element itself is the
 * target of these events, so they would trigger the page's shortcuts.
 */
function containKey(event: KeyboardEvent, root: ShadowRoot): void {
  const target = event.composedPath()[0];
  // Keys in slotted content belong to the page.
  if (!(target instanceof HTMLElement) || target.getRootNode() !== root) return;
  const isCharacter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
  const isField = target.isContentEditable || target.matches('input, textarea, select');
  if (event.defaultPrevented || (isCharacter && isField)) event.stopPropagation();
}

/** Loads the code that gives an element the theme of its portal, from a room above this one. */
type LoadTheme = () => Promise<{
  /** Follows the theme until the returned function is called. */
  readonly followTheme: (host: HTMLElement, portal: string) => () => void;
}>;

/** Gives an element the theme of its portal. Only elements with a portal load the code for it. */
function usePortalTheme(
  load: LoadTheme | undefined,
  { host, values: { portal } }: ViewProps,
): void {
  useLayoutEffect(() => {
    if (!load || !portal) return undefined;
    let stop: (() => void) | undefined;
    let isGone = false;
    load().then(
      ({ followTheme }) => {
        if (!isGone) stop = followTheme(host, portal as string);
      },
      () => {},
    );
    return () => {
      isGone = true;
      stop?.();
    };
  }, [load, host, portal]);
}

/**
 * Creates the class of an element without registering it. Requires a browser. Without `loadTheme`,
 * the element does not follow the theme of a portal.
 */
export function elementClass(spec: ElementSpec, loadTheme?: LoadTheme): CustomElementConstructor {
  const kinds = new Map<string, PropertyKind>(
    Object.entries({ ...commonProperties, ...spec.properties }).map(([name, { kind }]) => [
      name,
      kind,
    ]),
  );
  const byAttribute = new Map(
    [...kinds].filter(([, kind]) => kind !== 'object').map(([name]) => [attributeOf(name), name]),
  );
  // One property without a type: r2wc passes it by reference and never writes an attribute.
  const options = {
    shadow: 'open' as const,
    props: { values: undefined, host: undefined } as unknown as ('values' | 'host')[],
  };
  // Replacing the texts remounts the view, so that components need not subscribe to each text.
  const View = (props: ViewProps) => {
    const root = () => props.host.shadowRoot;
    usePortalTheme(loadTheme, props);
    return createElement(Region, { key: useTextVersion(), root }, createElement(spec.view, props));
  };
  const Bridge = r2wc(
    View as ComponentType<ViewProps & { container?: HTMLElement }>,
    options,
  ) as unknown as {
    new (): HTMLElement & {
      values: Record<string, unknown>;
      host: HTMLElement;
      connectedCallback(): void;
      disconnectedCallback(): void;
    };
  };

  class TidingElement extends Bridge {
    static get observedAttributes(): string[] {
      return [...byAttribute.keys()];
    }

    #values: Record<string, unknown> = {};
    #mounted = false;

    constructor() {
      super();
      this.#adoptSheets();
      this.addEventListener('keydown', (event) => containKey(event, this.shadowRoot!));
      if (this.shadowRoot!.firstChild)
        import('./snapshots/adopt.ts').then(
          ({ adoptSnapshot }) => adoptSnapshot(this),
          () => {},
        );
    }

    /** Takes over the root of a page that a server rendered; a new one would be empty. */
    override attachShadow(init: ShadowRootInit): ShadowRoot {
      return this.shadowRoot ?? super.attachShadow(init);
    }

    /** @internal */
    read(name: string): unknown {
      return this.#values[name];
    }

    /** @internal */
    write(name: string, value: unknown): void {
      if (Object.is(this.#values[name], value) && name in this.#values) return;
      this.#values = { ...this.#values, [name]: value };
      if (this.#mounted) this.values = this.#values;
    }

    override connectedCallback(): void {
      // Properties set before the element was defined shadow its accessors. Move them into the
      // element.
      for (const name of kinds.keys()) {
        if (!Object.hasOwn(this, name)) continue;
        const value = (this as Record<string, unknown> & this)[name];
        delete (this as Record<string, unknown> & this)[name];
        this.write(name, value);
      }
      if (this.#mounted) return;
      this.#mounted = true;
      // Set before the bridge mounts, so that the first render has all properties.
      this.host = this;
      this.values = this.#values;
      super.connectedCallback();
    }

    #adoptSheets(): void {
      const root = this.shadowRoot!;
      root.adoptedStyleSheets = [tokenSheet, baseSheet, ...(spec.sheets ?? [])].map((text) =>
        constructedSheet(text, root),
      );
    }

    /**
     * Starts again in another document, such as that of a popup window: the sheets that the root
     * had adopted belong to the old one.
     */
    adoptedCallback(): void {
      const root = this.shadowRoot!;
      // CodeMirror stores its sheet here.
      for (const key of Object.getOwnPropertySymbols(root))
        if (key.description === 'styleSet') Reflect.deleteProperty(root, key);
      this.#adoptSheets();
      if (!this.#mounted) return;
      this.#mounted = false;
      super.disconnectedCallback();
      rejectWaitingCalls(this);
    }

    override disconnectedCallback(): void {
      // A move is a removal and an insertion in the same task, so unmount only if the element is
      // still disconnected afterwards.
      queueMicrotask(() => {
        if (this.isConnected || !this.#mounted) return;
        this.#mounted = false;
        super.disconnectedCallback();
        rejectWaitingCalls(this);
      });
    }

    attributeChangedCallback(attribute: string, _old: string | null, text: string | null): void {
      const name = byAttribute.get(attribute);
      if (name !== undefined) this.write(name, parse(kinds.get(name)!, text));
    }
  }

  for (const [name, kind] of kinds) {
    Object.defineProperty(TidingElement.prototype, name, {
      configurable: true,
      enumerable: true,
      get(this: TidingElement) {
        const value = this.read(name);
        return kind === 'boolean' ? value === true : value;
      },
      set(this: TidingElement, value: unknown) {
        this.write(name, kind === 'boolean' ? Boolean(value) : value);
      },
    });
  }
  for (const method of spec.methods ?? [])
    Object.defineProperty(TidingElement.prototype, method.name, {
      configurable: true,
      writable: true,
      value(this: TidingElement, ...values: unknown[]) {
        return callMethod(this, method, values);
      },
    });
  return TidingElement;
}

/**
 * Emits an event that bubbles and crosses shadow roots. Returns false if a listener prevented it.
 */
export function emitEvent<Name extends TidingEventName>(
  host: HTMLElement,
  name: Name,
  ...[detail]: EmptyDetail extends TidingEventDetails[Name]
    ? [detail?: TidingEventDetails[Name]]
    : [detail: TidingEventDetails[Name]]
): boolean {
  return host.dispatchEvent(
    new CustomEvent(name, {
      detail: detail === undefined ? {} : detail,
      bubbles: true,
      composed: true,
      cancelable: true,
    }),
  );
}
