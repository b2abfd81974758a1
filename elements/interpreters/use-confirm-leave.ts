import { useEffect } from 'react';
import { useEvent } from '../runtime/hooks.ts';

/**
 * Asks before unsaved changes are discarded: through the element's `mayLeave()`, which the host
 * page calls before navigating, and through the browser when the tab is closed.
 */
export function useConfirmLeave(
  host: HTMLElement,
  isDirty: () => boolean,
  confirm: () => Promise<boolean>,
): void {
  const dirty = useEvent(isDirty);
  const leave = useEvent(async () => !isDirty() || confirm());
  useEffect(() => {
    const element = host as HTMLElement & { mayLeave?: (() => Promise<boolean>) | undefined };
    let asking: Promise<boolean> | undefined;
    const mine = () => (asking ??= leave().finally(() => (asking = undefined)));
    const warn = (event: BeforeUnloadEvent) => {
      if (dirty()) event.preventDefault();
    };
    element.mayLeave = mine;
    window.addEventListener('beforeunload', warn);
    return () => {
      window.removeEventListener('beforeunload', warn);
      if (element.mayLeave === mine) element.mayLeave = undefined;
    };
  }, [host, dirty, leave]);
}
