import { lazy, Suspense } from 'react';
import { useStore } from '../../runtime/store.ts';
import type { NoteView } from '../view.tsx';

const FindBox = lazy(() => import('./find-box.tsx'));

/** Where the box of the search stands while it is open; its code is fetched then. */
export function FindSlot({ view }: { view: NoteView }) {
  const open = useStore(view.find.state, (state) => state.open);
  return open ? (
    <div className="find-slot">
      <Suspense fallback={null}>
        <FindBox view={view} />
      </Suspense>
    </div>
  ) : null;
}
