let loaded: typeof import('./highlighter.ts') | undefined;

/** Loads the code that colours syntax trees. */
export const loadHighlighter = async () => (loaded ??= await import('./highlighter.ts'));

/** The code that colours syntax trees, once it is loaded. */
export const loadedHighlighter = () => loaded;
