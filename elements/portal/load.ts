/**
 * Loads the signals that elements share: `const { portal } = await loadPortal()`. Bundled apps
 * import `@tiding/elements/portal` instead.
 */
export const loadPortal = (): Promise<typeof import('./index.ts')> => import('./index.ts');
