/** The ready themes, by name, as text. Each is loaded when a portal first names it. */
export const readyThemes: ReadonlyMap<string, () => Promise<{ readonly default: string }>> =
  new Map([
    ['compact', () => import('../themes/compact.css')],
    ['cool', () => import('../themes/cool.css')],
    ['high-contrast', () => import('../themes/high-contrast.css')],
    ['neutral', () => import('../themes/neutral.css')],
    ['warm', () => import('../themes/warm.css')],
  ]);
