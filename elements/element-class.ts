/**
 * Custom elements whose views are React components.
 *
 * The class implements what browsers expect of an element: properties set before the upgrade are
 * kept, boolean attributes count by presence, removing an attribute clears its property, objects
 * stay objects, moving the element keeps its state, and events keep their names and bubble through
 * shadow roots.
 */
import type { Bridge } from './bridge.tsx';
import { commonProperties, type ElementSpec, type PropertyKind } from './runtime/define-element.ts';
import { createLazyValue } from './runtime/lazy-value.ts';
import { callMethod, rejectWaitingCalls } from './runtime/methods.ts';
import { constructedSheet } from './runtime/sheets.ts';
import type { FirstView } from './runtime/snapshots/first-view.ts';
import { baseSheet, tokenSheet } from './theme/index.ts';
import { removePlaceholder, whileLoading } from './ui/placeholder.ts';

const bridge = createLazyValue(() => import('./bridge.tsx'));

/** Loads what the view of an element needs. */
export async function loadView({ view }: ElementSpec): Promise<void> {
  await Promise.all([bridge.load(), typeof view === 'function' ? undefined : view.load()]);
}

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

/**
 * Creates the class of an element without registering it. Requires a browser.
 */
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

  class TidingElement extends HTMLElement {
    static get observedAttributes(): string[] {
      return [...byAttribute.keys()];
    }

    #values: Record<string, unknown> = {};
    #mounted = false;
    #firstView: FirstView | undefined;
    #bridge: Bridge | undefined;
    #isLoading = false;

    constructor() {
      super();
      // A page that a server rendered has a root; a new one would be empty.
      if (!this.shadowRoot) this.attachShadow({ mode: 'open' });
      this.#adoptSheets();
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
      if (this.#mounted) this.#show();
      else this.#firstView?.update(this.#values);
    }

    connectedCallback(): void {
      // Properties set before the element was defined shadow its accessors. Move them into the
      // element.
      for (const name of kinds.keys()) {
        if (!Object.hasOwn(this, name)) continue;
        const value = (this as Record<string, unknown> & this)[name];
        delete (this as Record<string, unknown> & this)[name];
        this.write(name, value);
      }
      const { FirstView } = spec;
      if (this.#mounted || this.#firstView) return;
      if (FirstView?.fits(this.#values) && !this.shadowRoot!.firstChild)
        this.#firstView = new FirstView(this, this.#values, () => this.mount());
      else this.mount();
    }

    /** @internal Shows the view, instead of a first view or a snapshot if there is one. */
    mount(): void {
      if (this.#mounted) return;
      this.#mounted = true;
      this.#endFirstView();
      if (this.shadowRoot!.firstChild)
        import('./runtime/snapshots/adopt.ts').then(
          ({ adoptSnapshot }) => adoptSnapshot(this),
          () => {},
        );
      this.#show();
    }

    #show(): void {
      const shown = { host: this, view: spec.view, values: this.#values };
      const code = bridge.now();
      if (this.#bridge) this.#bridge.shown = shown;
      else if (code) this.#bridge = code.Bridge.show(shown);
      else if (!this.#isLoading) {
        this.#isLoading = true;
        whileLoading(this.shadowRoot!, {
          hasSlot: spec.hasSlot === true,
          load: () => loadView(spec),
          loaded: () => this.#mounted && this.#show(),
        });
      }
    }

    #endFirstView(): void {
      this.#firstView?.stop();
      this.#firstView = undefined;
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
      this.#unmount();
    }

    #unmount(): void {
      if (this.#firstView) {
        this.#endFirstView();
        this.shadowRoot!.replaceChildren();
        this.#adoptSheets();
      }
      if (!this.#mounted) return;
      this.#mounted = false;
      this.#isLoading = false;
      removePlaceholder(this.shadowRoot!);
      this.#bridge?.disconnectedCallback();
      this.#bridge = undefined;
      rejectWaitingCalls(this);
    }

    disconnectedCallback(): void {
      // A move is a removal and an insertion in the same task, so unmount only if the element is
      // still disconnected afterwards.
      queueMicrotask(() => {
        if (!this.isConnected) this.#unmount();
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
        if (this.isConnected && !('withoutView' in method)) this.mount();
        return callMethod(this, method, values);
      },
    });
  return TidingElement;
}
