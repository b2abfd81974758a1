import { diffTexts, mapOffset } from '@tiding/client/changes';
import { useMemo } from 'react';
import type { Caret, EditorPresence } from '../../editor/index.ts';
import { type NoteUi, useNoteState } from '../ui/note-ui.ts';
import { keyOf, parsed } from './people.ts';

/**
 * Presence data of an editor: other users' cursors, and a callback for its own. The object stays
 * the same until a cursor moves.
 */
export function usePresence(ui: NoteUi, id: string): EditorPresence {
  const key = useNoteState(ui, (note) =>
    keyOf(
      Object.values(note?.presence ?? {})
        .filter(({ paragraphId, head }) => paragraphId === id && head !== undefined)
        .map(({ connection, name, color, anchor, head }) => ({
          id: connection,
          name,
          color,
          anchor: anchor ?? head!,
          head: head!,
        })),
    ),
  );
  return useMemo(() => {
    const state = ui.paragraphs.get(id)?.state;
    // Remote offsets refer to the server's text, so map them over local unsaved changes. After
    // that, the editor keeps them in place.
    const carry = (offset: number) =>
      state?.draft === undefined
        ? offset
        : mapOffset(offset, diffTexts(state.server.text ?? '', state.draft));
    const carets = parsed<Caret>(key).map((caret) => ({
      ...caret,
      anchor: carry(caret.anchor),
      head: carry(caret.head),
    }));
    return { carets, onSelect: (anchor, head) => ui.focus.setCursor(id, anchor, head) };
  }, [key, ui, id]);
}
