/** Registration of elements with the browser. */
import { type ElementSpec, elementClass } from './define-element.ts';

/**
 * Registers an element and returns its class. If another copy of the package already registered the
 * tag, that class stays and a warning is logged. Without custom elements, as on a server, it does
 * nothing and returns `undefined`.
 */
export function register(spec: ElementSpec): CustomElementConstructor | undefined {
  if (typeof customElements === 'undefined') return undefined;
  const present = customElements.get(spec.tag);
  if (present) {
    console.warn(`${spec.tag} is already defined. This copy of Tiding does not replace it.`);
    return present;
  }
  const made = elementClass(spec);
  customElements.define(spec.tag, made);
  return made;
}
