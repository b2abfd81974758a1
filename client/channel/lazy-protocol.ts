/**
 * Loads the protocol module with the first call, so that a page that may never need it stays small.
 */

import { TidingError } from '../core/errors.ts';
import { once } from '../core/load-once.ts';

type Wire = typeof import('../session/protocol-module.ts');

let wire: Wire | undefined;

/** Loads the protocol schemas, the channels and the REST client. */
export const loadProtocol = once(
  () => import('../session/protocol-module.ts'),
  (module) => (wire = module),
);

/** Returns the protocol module. Throws if `loadProtocol` has not resolved yet. */
export function loadedProtocol(): Wire {
  if (!wire)
    throw new TidingError(
      'closed',
      'The protocol module is loaded by the first call, and none was made yet.',
    );
  return wire;
}
