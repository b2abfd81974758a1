/** User input, including input to a page without focus. */
const userInputEvents = [
  'focus',
  'pointermove',
  'pointerdown',
  'wheel',
  'keydown',
  'touchstart',
] as const;

/**
 * Calls `listener` at the user's next input, or after `limit` ms. Returns a function that stops
 * waiting for it.
 */
export function onUserInput(listener: () => void, limit?: number): () => void {
  const waiting = new AbortController();
  const act = (): void => {
    stop();
    listener();
  };
  const timer = limit === undefined ? undefined : setTimeout(act, limit);
  const stop = (): void => {
    clearTimeout(timer);
    waiting.abort();
  };
  for (const name of userInputEvents)
    window.addEventListener(name, act, { passive: true, signal: waiting.signal });
  return stop;
}
