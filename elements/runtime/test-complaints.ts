/* What a page complains of while a test runs. Not part of the product. */

/** Uncaught errors, rejections nobody waits for, and errors on the console, since the call. */
export function complaints(): string[] {
  const heard: string[] = [];
  // A browser says so of an observer that draws in two frames: of any graph that is measured. Nothing is wrong, and nobody hears of it but here.
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
    // The runner's own word about an error event that has no error: that of an observer, see above.
    if (args.length === 1 && args[0] === null) return;
    heard.push(`console: ${args.map(String).join(' ').slice(0, 300)}`);
    error.apply(console, args);
  };
  return heard;
}

/** React roots of the page that show something; told by React's own hook for tools. */
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

/** Listeners on window and document, as they are added and removed from now on. */
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

/** Two frames: what React and the page have to do is done. */
export async function frames(): Promise<void> {
  for (let n = 0; n < 2; n += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => setTimeout(resolve));
}
