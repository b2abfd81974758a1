import { type RefObject, useEffect } from 'react';
import { useEvent } from '../../runtime/hooks.ts';
import type { FrameTheme } from '../frame-page/protocol.ts';
import { useThemeChange } from '../parts/use-theme-change.ts';
import { themeOf } from './frame-connection.ts';

/** Calls `send` with the theme at an element each time it has changed. */
export function useThemeOf(
  box: RefObject<HTMLElement | null>,
  send: (theme: FrameTheme) => void,
): void {
  const changes = useThemeChange(box);
  const tell = useEvent(send);
  useEffect(() => {
    if (changes > 0 && box.current) tell(themeOf(box.current));
  }, [changes, box, tell]);
}
