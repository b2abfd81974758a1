import { useEffect } from 'react';
import type { NeededRight } from '../../runtime/note-right.ts';
import { useViewStore } from '../../runtime/store.ts';
import { type NoteUi, useNoteState } from './note-ui.ts';

/** Reads the permissions when the note is shown, after a reconnect and after a refusal. */
export function useRights(ui: NoteUi): void {
  const { host, rights } = ui;
  const isOpen = useNoteState(ui, (note) => note?.connection === 'open');
  useEffect(() => {
    if (isOpen) void rights.load();
  }, [rights, isOpen]);
  useEffect(() => {
    const onError = (event: Event) => {
      if ((event as CustomEvent<{ code?: string }>).detail.code === 'forbidden') void rights.load();
    };
    host.addEventListener('tiding-error', onError);
    return () => host.removeEventListener('tiding-error', onError);
  }, [host, rights]);
}

/** Returns why the user may not do what needs a right; renders again when that changes. */
export function useWhyNot({ rights }: NoteUi, needed: NeededRight): string | undefined {
  return useViewStore(rights.state, () => rights.whyNot(needed));
}
