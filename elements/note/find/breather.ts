/** Longest stretch of work, in ms. */
const stretch = 8;

/** Waits for the page's own turn after each stretch of work; answers at once in between. */
export function breather(first?: () => void): () => Promise<void> | undefined {
  let start = performance.now();
  let told = false;
  return () => {
    if (performance.now() - start < stretch) return undefined;
    if (!told) first?.();
    told = true;
    return new Promise((resolve) =>
      setTimeout(() => {
        start = performance.now();
        resolve();
      }),
    );
  };
}
