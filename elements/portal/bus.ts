/** The signals of the portals on a page; see `index.ts`. */
import { columnOf, type PortalSignalName, type PortalSignals, parseSignal } from './signals.ts';

/** Changes that a portal keeps. */
export const MAX_PORTAL_HISTORY = 200;
/** The event on `document` that announces each change; its detail is a {@link PortalChange}. */
export const PORTAL_EVENT = 'tiding-portal';

/** The author of a change. */
export interface PortalAuthor {
  /** Tag of an element, or the name that the code of the page gave. */
  readonly name: string;
  /** Id of the element, if it has one. */
  readonly id?: string;
  /** Number of the element on this page; it tells elements without an id apart. */
  readonly element?: number;
}

/** A signal that is set. */
export type PortalSignal = {
  readonly [Name in PortalSignalName]: {
    readonly signal: Name;
    readonly value: PortalSignals[Name];
    /** Who set it last. */
    readonly by: PortalAuthor;
    /** When it was set, in milliseconds since 1970. */
    readonly at: number;
  };
}[PortalSignalName];

/** A change of a signal. */
export type PortalChange = {
  readonly [Name in PortalSignalName]: {
    /** Name of the portal. */
    readonly portal: string;
    readonly signal: Name;
    /** The column, for `selection` and `range`. */
    readonly column?: string;
    /** The new value; `null` if the signal was cleared. */
    readonly value: PortalSignals[Name] | null;
    /** The value before; `null` if there was none. */
    readonly before: PortalSignals[Name] | null;
    /** Who changed it. */
    readonly by: PortalAuthor;
    /** When, in milliseconds since 1970. */
    readonly at: number;
  };
}[PortalSignalName];

/** The author of a change as given: an element, or a name. */
export interface PortalOptions {
  /** Who makes the change: an element, or the name of your code. */
  readonly by: Element | string;
}

/** The signals of the elements with one value of the attribute `portal`. */
export interface Portal {
  /** Name of the portal. */
  readonly name: string;
  /**
   * Sets a signal; throws a `TypeError` if it is invalid. A selection or range replaces the one of
   * the same column. Setting the same value again changes nothing.
   */
  set<Name extends PortalSignalName>(
    signal: Name,
    value: PortalSignals[Name],
    options: PortalOptions,
  ): void;
  /** Returns the value of a signal; for `selection` and `range`, of this column. */
  get<Name extends PortalSignalName>(
    signal: Name,
    column?: string,
  ): PortalSignals[Name] | undefined;
  /** Removes a signal, for one column or for all; without a signal, removes all. */
  clear(signal: PortalSignalName | undefined, options: PortalOptions & { column?: string }): void;
  /** Returns all signals that are set. The list is a new one after each change. */
  signals(): readonly PortalSignal[];
  /** Calls `listener` after each change. Returns a function that ends it. */
  subscribe(listener: (change: PortalChange) => void): () => void;
  /** Returns the last changes, at most 200, oldest first. */
  history(): readonly PortalChange[];
}

/**
 * What all copies of this module on a page share. It contains only plain data, so that copies of
 * different versions can use it; an incompatible version gets another key.
 */
interface Registry {
  readonly groups: Map<string, { signals: readonly PortalSignal[]; changes: PortalChange[] }>;
  readonly elements: WeakMap<Element, number>;
  elementCount: number;
  /** Dispatches the events: the document, where there is one. */
  readonly target: EventTarget;
}

const KEY = Symbol.for('tiding.portals.1');

function registry(): Registry {
  const page = globalThis as { [KEY]?: Registry };
  return (page[KEY] ??= {
    groups: new Map(),
    elements: new WeakMap(),
    elementCount: 0,
    target: typeof document === 'undefined' ? new EventTarget() : document,
  });
}

/** Describes the author of a change. */
export function portalAuthor(by: Element | string): PortalAuthor {
  if (typeof by === 'string' && by !== '') return { name: by };
  if (typeof by !== 'object' || by === null || typeof by.localName !== 'string')
    throw new TypeError('A change of a portal needs `by`: an element, or the name of your code.');
  const { elements } = registry();
  const element = elements.get(by) ?? ++registry().elementCount;
  elements.set(by, element);
  return { name: by.localName, ...(by.id === '' ? {} : { id: by.id }), element };
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Returns the portal with a name. Portals with the same name share their signals. */
export function portal(name: string): Portal {
  if (typeof name !== 'string' || name === '')
    throw new TypeError('A portal needs a name: the value of the attribute `portal`.');
  const group = () => {
    const { groups } = registry();
    const found = groups.get(name) ?? { signals: Object.freeze([]), changes: [] };
    groups.set(name, found);
    return found;
  };
  const isAt = (signal: PortalSignalName, column: string | undefined) => (each: PortalSignal) =>
    each.signal === signal && columnOf(each.value) === column;
  const put = (
    signal: PortalSignalName,
    column: string | undefined,
    value: PortalSignals[PortalSignalName] | null,
    by: PortalAuthor,
  ): void => {
    const own = group();
    const old = own.signals.find(isAt(signal, column));
    const before = old?.value ?? null;
    if (isSame(before, value)) return;
    const at = Date.now();
    const change = deepFreeze({
      portal: name,
      signal,
      ...(column !== undefined && { column }),
      value,
      before,
      by,
      at,
    }) as PortalChange;
    const others = own.signals.filter((each) => each !== old);
    own.signals = Object.freeze(
      value === null ? others : [...others, { signal, value, by, at } as PortalSignal],
    );
    own.changes.push(change);
    own.changes.splice(0, own.changes.length - MAX_PORTAL_HISTORY);
    registry().target.dispatchEvent(new CustomEvent(PORTAL_EVENT, { detail: change }));
  };
  return {
    name,
    set(signal, value, { by }) {
      const parsed = parseSignal(signal, value);
      put(signal, columnOf(parsed), parsed, portalAuthor(by));
    },
    get: <Name extends PortalSignalName>(signal: Name, column?: string) =>
      group().signals.find(isAt(signal, column))?.value as PortalSignals[Name] | undefined,
    clear(signal, { by, column }) {
      const author = portalAuthor(by);
      for (const each of group().signals)
        if (
          (signal === undefined || each.signal === signal) &&
          (column === undefined || columnOf(each.value) === column)
        )
          put(each.signal, columnOf(each.value), null, author);
    },
    signals: () => group().signals,
    subscribe(listener) {
      const { target } = registry();
      const onChange = (event: Event): void => {
        const { detail } = event as CustomEvent<PortalChange>;
        if (detail?.portal === name) listener(detail);
      };
      target.addEventListener(PORTAL_EVENT, onChange);
      return () => target.removeEventListener(PORTAL_EVENT, onChange);
    },
    history: () => [...group().changes],
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) deepFreeze(each);
    Object.freeze(value);
  }
  return value;
}
