import { useEffect } from 'react';
import { useEvent } from '../../runtime/hooks.ts';
import { useNoteUi } from '../ui/note-ui.ts';

/** Asks whether to discard what is typed in a panel before it closes, if it `isChanged`. */
export function useClosingQuestion(
  isChanged: () => boolean,
  texts: { readonly discard: string; readonly discardAction: string },
): void {
  const ui = useNoteUi();
  const mayClose = useEvent(
    async () =>
      !isChanged() || ui.dialogs.ask({ title: texts.discard, action: texts.discardAction }),
  );
  useEffect(() => {
    return ui.panels.guardClosing(mayClose);
  }, [ui, mayClose]);
}
