import type { Portal } from './bus.ts';

/** What {@link loadPortal} returns. */
export interface PortalModule {
  /** Returns the portal with a name. */
  readonly portal: (name: string) => Portal;
}

/**
 * Loads the signals that the elements of a page share, for pages that use `tiding.js`: `const {
 * portal } = await loadPortal()`. Others import `@tiding/elements/portal`.
 */
export const loadPortal = (): Promise<PortalModule> => import('./bus.ts');
