import { useStore } from '../../runtime/store.ts';
import type { NoteView } from '../view.tsx';

/** What is drawn over the note while a paragraph is dragged, and what is said of it. */
export function DragLayer({ view }: { view: NoteView }) {
  const { id, name, pointer, line, said } = useStore(view.drag, (all) => all);
  return (
    <>
      <span className="visually-hidden" role="status" aria-live="assertive">
        {said}
      </span>
      {id !== undefined && line ? <div className="drop-line" style={line} /> : null}
      {id !== undefined && pointer ? (
        <div
          className="drag-chip"
          style={{ transform: `translate(${pointer.x + 12}px, ${pointer.y + 12}px)` }}
        >
          {name}
        </div>
      ) : null}
    </>
  );
}
