/** A focus that comes so soon after a key was caused by it, ms. */
const causedWithin = 150;

let last = { key: '', at: 0 };
let listening = false;

/** Starts to remember the last key of the page; once, in a browser. */
export function watchKeys(): void {
  if (listening) return;
  listening = true;
  document.addEventListener('keydown', ({ key }) => (last = { key, at: performance.now() }), {
    capture: true,
    passive: true,
  });
}

/** The key that has just been pressed; empty when none was. */
export function causingKey(): string {
  return performance.now() - last.at < causedWithin ? last.key : '';
}
