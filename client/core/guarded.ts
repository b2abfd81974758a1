/** Listeners of a host: one that fails must not keep the others, or an answer that is awaited, from being heard. */

/** Calls `listener`; what it throws is reported as the platform reports an uncaught error, and goes no further. */
export function guarded<Args extends unknown[]>(
  listener: (...args: Args) => void,
): (...args: Args) => void {
  return (...args) => {
    try {
      listener(...args);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
}
