/** Maximum time in ms until a page learns of a click inside one of its frames. */
const ACTIVATION_GRACE_MS = 500;
/** Polling interval in ms; browsers fire no event for activation. */
const POLL_MS = 20;

/** Checks whether messages of a frame were caused by the user. */
interface Activation {
  /**
   * Calls `then` with whether the reader has just clicked or typed: immediately if they have, else
   * within half a second.
   */
  check(then: (byReader: boolean) => void): void;
  /** Drops the checks that have no answer yet. */
  close(): void;
}

/**
 * The activation of a page by clicks inside a frame. A sandboxed frame may run in a process of its
 * own: its message can arrive before the browser activates the page for the click that caused it.
 * Browsers without the API count as active.
 */
export function activationOf(view: Window): Activation {
  const timers = new Set<ReturnType<typeof setInterval>>();
  const isActive = (): boolean => view.navigator.userActivation?.isActive !== false;
  return {
    check(then) {
      if (isActive()) return then(true);
      const deadline = performance.now() + ACTIVATION_GRACE_MS;
      const timer = setInterval(() => {
        const active = isActive();
        if (!active && performance.now() < deadline) return;
        clearInterval(timer);
        timers.delete(timer);
        then(active);
      }, POLL_MS);
      timers.add(timer);
    },
    close() {
      for (const timer of timers) clearInterval(timer);
      timers.clear();
    },
  };
}
