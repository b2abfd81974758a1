/** User input, including input to a page without focus. */
const userInputEvents = [
  'focus',
  'pointermove',
  'pointerdown',
  'wheel',
  'keydown',
  'touchstart',
] as const;

/** Calls `listener` at the user's next input. Returns a function that stops waiting for it. */
export function onUserInput(listener: () => void): () => void {
  const waiting = new AbortController();
  const act = (): void => {
    waiting.abort();
    listener();
  };
  for (const name of userInputEvents)
    window.addEventListener(name, act, { passive: true, signal: waiting.signal });
  return () => waiting.abort();
}
