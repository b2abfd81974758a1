import { type RefObject, useEffect, useState } from 'react';
import type { NoteUi } from '../ui/note-ui.ts';
import type { Person } from './people.ts';

/** Input that ends following: the user looks or works elsewhere. */
const ownInput = ['wheel', 'pointerdown', 'touchstart', 'keydown'] as const;

/**
 * Keeps the paragraph of a chosen user in view, until this user acts outside `list` or the other
 * one leaves. Returns the name of the followed user, and a function that follows another or nobody.
 */
export function useFollow(
  ui: NoteUi,
  people: readonly Person[],
  list: RefObject<HTMLElement | null>,
): [string | undefined, (name: string | undefined) => void] {
  const [name, follow] = useState<string>();
  const person = people.find((each) => each.name === name);
  const at = person?.paragraphId;
  useEffect(() => {
    if (at !== undefined) ui.focus.show(at);
  }, [ui, at]);
  const isFollowing = person !== undefined;
  useEffect(() => {
    if (name === undefined) return undefined;
    if (!isFollowing) follow(undefined);
    const following = new AbortController();
    const end = (event: Event): void => {
      const isOnList = event.composedPath().includes(list.current!);
      const presses = !(event instanceof KeyboardEvent) || ['Enter', ' '].includes(event.key);
      if (!isOnList || !presses) follow(undefined);
    };
    for (const type of ownInput)
      window.addEventListener(type, end, {
        capture: true,
        passive: true,
        signal: following.signal,
      });
    return () => following.abort();
  }, [name, isFollowing, list]);
  return [name, follow];
}
