import { Fragment } from 'react';
import { CodeBoundary } from '../runtime/lazy-code.tsx';
import { useViewStore } from '../runtime/store.ts';
import { useNoteUi } from './ui/note-ui.ts';

/** Renders the open dialog of the note page. */
export function OpenDialog() {
  const ui = useNoteUi();
  const dialog = useViewStore(ui.dialogs.state, (state) => state.dialog);
  // The key makes each opening a new dialog with fresh state.
  return (
    <CodeBoundary fallback={null}>
      {dialog ? <Fragment key={idOf(dialog)}>{dialog(ui.dialogs.close)}</Fragment> : null}
    </CodeBoundary>
  );
}

const ids = new WeakMap<object, number>();
let last = 0;
const idOf = (dialog: object): number => {
  if (!ids.has(dialog)) ids.set(dialog, (last += 1));
  return ids.get(dialog)!;
};
