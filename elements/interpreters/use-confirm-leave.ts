import { useEffect } from 'react';
import { useEvent } from '../runtime/hooks.ts';
import { useMayLeave } from '../runtime/methods.ts';

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
  useMayLeave(host, leave);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (dirty()) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [dirty]);
}
