/** Registers elements. */

import { elementClass } from './element-class.ts';
import type { ElementSpec } from './runtime/define-element.ts';
import { ELEMENTS_VERSION } from './version.ts';

/** A class of an element, with the version of the copy of this package that made it. */
type ElementClass = CustomElementConstructor & { tidingVersion?: string };

/**
 * Registers an element and returns its class. If another copy of the package already registered the
 * tag, that class stays and a warning is logged. Without custom elements, as on a server, it does
 * nothing and returns `undefined`.
 */
export function register(spec: ElementSpec): CustomElementConstructor | undefined {
  if (typeof customElements === 'undefined') return undefined;
  const present: ElementClass | undefined = customElements.get(spec.tag);
  if (present) {
    const { tidingVersion = 'unknown' } = present;
    console.warn(
      `${spec.tag} is already defined, with version ${tidingVersion}. This copy of Tiding, ` +
        `${ELEMENTS_VERSION}, does not replace it. Load one copy: views, displays and texts ` +
        'only reach the elements of the copy they are registered with.',
    );
    return present;
  }
  const made: ElementClass = elementClass(spec);
  made.tidingVersion = ELEMENTS_VERSION;
  customElements.define(spec.tag, made);
  return made;
}
