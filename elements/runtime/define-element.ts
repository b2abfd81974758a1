/** How elements are described, and the events that they emit. */
import type { FunctionComponent } from 'react';
import type { EmptyDetail, TidingEventDetails, TidingEventName } from './element-types.ts';
import type { LazyValue } from './lazy-value.ts';
import type { FirstView } from './snapshots/first-view.ts';

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
  /** React component that renders the element, or its code. */
  readonly view: FunctionComponent<ViewProps> | LazyView;
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
  /** @internal Whether it shows its children, also before the code of the view is loaded. */
  readonly hasSlot?: boolean;
  /** @internal What pages that may only read see before the code of the view is loaded. */
  readonly FirstView?: typeof FirstView;
}

/** Props of an element's view: the element and its current properties. */
export interface ViewProps {
  /** The element in the page. */
  readonly host: HTMLElement;
  /** Property values by name; unset properties are absent. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** The code of a view, with style sheets that only this view needs, as text. */
export type LazyView = LazyValue<{
  readonly default: FunctionComponent<ViewProps>;
  readonly sheets?: readonly string[];
}>;

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
