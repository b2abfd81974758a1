import { CodeBoundary, lazyCode } from '../../runtime/lazy-code.tsx';
import { useViewStore } from '../../runtime/store.ts';
import { useNoteUi } from '../ui/note-ui.ts';

const FindBox = lazyCode(() => import('./find-box.tsx'));

/** Container of the find box. The box's code is loaded when it is opened. */
export function FindSlot() {
  const ui = useNoteUi();
  const open = useViewStore(ui.find.state, (state) => state.open);
  return open ? (
    <div className="find-slot">
      <CodeBoundary fallback={null}>
        <FindBox />
      </CodeBoundary>
    </div>
  ) : null;
}
