/**
 * From a React component to a custom element.
 *
 * The bridge is `@r2wc/react-to-web-component`; this wrapper hands it one property by reference and does itself what
 * the platform expects of an element: properties set before the upgrade are kept, boolean attributes count by presence,
 * removing an attribute clears its property, objects stay objects, a move in the document keeps the state, events bubble
 * through shadow roots under their own name.
 */
import r2wc from '@r2wc/react-to-web-component';
import { createElement, type ComponentType, type FunctionComponent } from 'react';
import baseSheet from '../theme/base.css';
import { useTextVersion } from '../text/table.ts';
import tokenSheet from '../theme/tokens.css';
import { sheet } from './sheets.ts';

/** How a property is set from markup. `object` has no attribute; `json` is the text of one, and counts as not set where it cannot be read. */
export type PropertyKind = 'string' | 'number' | 'boolean' | 'object' | 'json';

/** Describes one property of an element. The attribute is the name in kebab case. */
export interface PropertySpec {
  /** How it is set from markup, and what it is converted to. */
  readonly kind: PropertyKind;
  /** One sentence for people who place the element. */
  readonly doc: string;
}

/** Describes one event of an element. */
export interface EventSpec {
  /** As `addEventListener` takes it. */
  readonly name: `tiding-${string}`;
  /** One sentence: when it comes, and what its `detail` holds. */
  readonly doc: string;
}

/** Describes a function of an element. */
export interface MethodSpec {
  /** As a page calls it. */
  readonly name: string;
  /** One sentence: what it does. */
  readonly doc: string;
  /** What it answers, as TypeScript has it. It takes nothing. */
  readonly returns: string;
}

/** Describes an element; the manifest, the docs and the types are derived from it. */
export interface ElementSpec {
  /** Name of the tag. */
  readonly tag: `tiding-${string}`;
  /** One sentence for people who place the element. */
  readonly doc: string;
  /** The React component that draws it. */
  readonly view: FunctionComponent<ViewProps>;
  /** By name; `server`, `token` and `client` are every element's and not listed. */
  readonly properties: Readonly<Record<string, PropertySpec>>;
  /** What it tells the page. They bubble and leave shadow roots. */
  readonly events?: readonly EventSpec[];
  /** What a page can ask of it. */
  readonly methods?: readonly MethodSpec[];
  /** Which display widget it shows, where it is the tag of one. */
  readonly widget?: string;
  /** Sheets beside tokens and base, as text. */
  readonly sheets?: readonly string[];
}

/** What the view of an element gets: the element, and its properties as they are now. */
export interface ViewProps {
  /** The element in the page. */
  readonly host: HTMLElement;
  /** By name; absent: not set. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Properties every element has. */
export const commonProperties = {
  server: {
    kind: 'string',
    doc: 'Address of the server. Left out: that of the nearest <tiding-workbench>.',
  },
  token: {
    kind: 'object',
    doc: 'Access token for pages of another origin: a text, or a function that answers one.',
  },
  client: {
    kind: 'object',
    doc: 'A client made by createClient(); stands before server and token.',
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

/** A page sees this element as the target of every key in here: what is typed or taken in here is not for its shortcuts. */
function containKey(event: KeyboardEvent, root: ShadowRoot): void {
  const target = event.composedPath()[0];
  // What the page has put into a slot stays the page's.
  if (!(target instanceof HTMLElement) || target.getRootNode() !== root) return;
  const typed = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
  const field = target.isContentEditable || target.matches('input, textarea, select');
  if (event.defaultPrevented || (typed && field)) event.stopPropagation();
}

/** Makes the class of an element; registering it is somebody else's decision. Call it in a browser only. */
export function elementClass(spec: ElementSpec): CustomElementConstructor {
  const kinds = new Map<string, PropertyKind>(
    Object.entries({ ...commonProperties, ...spec.properties }).map(([name, { kind }]) => [
      name,
      kind,
    ]),
  );
  const byAttribute = new Map(
    [...kinds].filter(([, kind]) => kind !== 'object').map(([name]) => [attributeOf(name), name]),
  );
  // One property without a type: r2wc passes it on by reference and never writes an attribute.
  const options = {
    shadow: 'open' as const,
    props: { values: undefined, host: undefined } as unknown as ('values' | 'host')[],
  };
  // Other texts are another view: nothing below has to ask for each sentence anew.
  const View = (props: ViewProps) => createElement(spec.view, { key: useTextVersion(), ...props });
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
      this.shadowRoot!.adoptedStyleSheets = [tokenSheet, baseSheet, ...(spec.sheets ?? [])].map(
        sheet,
      );
      this.addEventListener('keydown', (event) => containKey(event, this.shadowRoot!));
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
      // Properties that were set while the element was not yet defined hide the accessors: take them over.
      for (const name of kinds.keys()) {
        if (!Object.hasOwn(this, name)) continue;
        const value = (this as Record<string, unknown> & this)[name];
        delete (this as Record<string, unknown> & this)[name];
        this.write(name, value);
      }
      if (this.#mounted) return;
      this.#mounted = true;
      // Set before the bridge mounts, so that the first render has everything.
      this.host = this;
      this.values = this.#values;
      super.connectedCallback();
    }

    override disconnectedCallback(): void {
      // A move is a removal and an insertion in one turn: only who is still gone afterwards is unmounted.
      queueMicrotask(() => {
        if (this.isConnected || !this.#mounted) return;
        this.#mounted = false;
        super.disconnectedCallback();
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
  return TidingElement;
}

/** Tells the host page of something; bubbles, leaves shadow roots, and answers whether nobody prevented it. */
export function tell(host: HTMLElement, name: `tiding-${string}`, detail: unknown = {}): boolean {
  return host.dispatchEvent(
    new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }),
  );
}
