import { Fragment, Suspense } from 'react';
import { useViewState, type NoteView } from './view.tsx';

/** Where the dialog of a view is drawn. */
export function ViewDialog({ view }: { view: NoteView }) {
  const dialog = useViewState(view, (state) => state.dialog);
  // Each opening is another dialog, which starts anew.
  return (
    <Suspense fallback={null}>
      {dialog ? <Fragment key={idOf(dialog)}>{dialog(view.close)}</Fragment> : null}
    </Suspense>
  );
}

const ids = new WeakMap<object, number>();
let last = 0;
const idOf = (dialog: object): number => {
  if (!ids.has(dialog)) ids.set(dialog, (last += 1));
  return ids.get(dialog)!;
};
