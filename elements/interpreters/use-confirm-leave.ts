import { useEffect, useMemo } from 'react';
import { useEvent } from '../runtime/hooks.ts';
import { useMethods } from '../runtime/methods.ts';

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
  const methods = useMemo(() => {
    let asking: Promise<boolean> | undefined;
    return { mayLeave: () => (asking ??= leave().finally(() => (asking = undefined))) };
  }, [leave]);
  useMethods(host, methods);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (dirty()) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [dirty]);
}
