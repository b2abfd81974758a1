/** A focus change this soon after a key press counts as caused by it, in ms. */
const CAUSE_WINDOW_MS = 150;

let last = { key: '', at: 0 };
let listening = false;

/** Starts recording the last key pressed on the page; called repeatedly, it starts once. */
export function watchKeys(): void {
  if (listening) return;
  listening = true;
  document.addEventListener('keydown', ({ key }) => (last = { key, at: performance.now() }), {
    capture: true,
    passive: true,
  });
}

/** Returns the key that was just pressed; empty if none was. */
export function causingKey(): string {
  return performance.now() - last.at < CAUSE_WINDOW_MS ? last.key : '';
}
