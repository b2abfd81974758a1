/**
 * Signals that elements and the code of one page share: selections, ranges, the current cluster and
 * the theme. Elements with the same attribute `portal` filter each other.
 *
 * @module @tiding/elements/portal
 */
export {
  MAX_PORTAL_HISTORY,
  PORTAL_EVENT,
  type Portal,
  type PortalAuthor,
  type PortalChange,
  type PortalOptions,
  type PortalSignal,
  portal,
} from './bus.ts';
export type { PortalSignalName, PortalSignals, PortalValue } from './signals.ts';
