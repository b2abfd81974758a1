/* Test helpers that observe what a page reports. Not part of the product. */

/** Collects uncaught errors, unhandled rejections and console errors from now on. */
export function pageErrors(): string[] {
  const heard: string[] = [];
  // Browsers report this error for an observer that needs two frames, as for any measured graph. It
  // is harmless.
  window.addEventListener(
    'error',
    (event) => {
      if (/^ResizeObserver loop/.test(event.message)) return event.stopImmediatePropagation();
      heard.push(`error: ${event.message}`);
    },
    { capture: true },
  );
  window.addEventListener('unhandledrejection', (event) =>
    heard.push(`rejection: ${String(event.reason)}`),
  );
  const { error } = console;
  console.error = (...args: unknown[]) => {
    // The test runner logs `null` for an error event without an error, such as the observer error
    // above.
    if (args.length === 1 && args[0] === null) return;
    heard.push(`console: ${args.map(String).join(' ').slice(0, 300)}`);
    error.apply(console, args);
  };
  return heard;
}

/** React roots of the page that render something, reported by React's DevTools hook. */
export function liveRoots(): ReadonlySet<unknown> {
  const live = new Set<unknown>();
  const hook = (
    window as unknown as {
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        onCommitFiberRoot: (renderer: number, root: { current: { child: unknown } }) => void;
      };
    }
  ).__REACT_DEVTOOLS_GLOBAL_HOOK__;
  const before = hook.onCommitFiberRoot;
  hook.onCommitFiberRoot = (renderer, root) => {
    before(renderer, root);
    if (root.current.child === null) live.delete(root);
    else live.add(root);
  };
  return live;
}

/** Counts listeners on window and document that are added and removed from now on. */
export function pageListeners(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const known = new Map<EventTarget, Map<string, Set<unknown>>>([
    [window, new Map()],
    [document, new Map()],
  ]);
  for (const [target, byType] of known) {
    const { addEventListener: add, removeEventListener: remove } = target;
    const name = target === window ? 'window' : 'document';
    const of = (type: string) => byType.get(type) ?? byType.set(type, new Set()).get(type)!;
    target.addEventListener = (
      type: string,
      listener: EventListenerOrEventListenerObject | null,
      options?: boolean | AddEventListenerOptions,
    ) => {
      of(type).add(listener);
      counts.set(`${name} ${type}`, of(type).size);
      add.call(target, type, listener, options);
      if (typeof options === 'object')
        options.signal?.addEventListener('abort', () => {
          of(type).delete(listener);
          counts.set(`${name} ${type}`, of(type).size);
        });
    };
    target.removeEventListener = (
      type: string,
      listener: EventListenerOrEventListenerObject | null,
      options?: boolean | EventListenerOptions,
    ) => {
      of(type).delete(listener);
      counts.set(`${name} ${type}`, of(type).size);
      remove.call(target, type, listener, options);
    };
  }
  return counts;
}

/** Waits for two frames, so that React and the page finish pending work. */
export async function frames(): Promise<void> {
  for (let n = 0; n < 2; n += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => setTimeout(resolve));
}
