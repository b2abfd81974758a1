/**
 * Wraps a listener so that an exception in it is reported as an uncaught error instead of stopping
 * other listeners or the delivery of an awaited reply.
 */
export function guardListener<Args extends unknown[]>(
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
