import { useViewStore } from '../../runtime/store.ts';
import { useNoteUi } from '../ui/note-ui.ts';

/** Drop line, drag label and screen reader announcements while a paragraph is dragged. */
export function DragLayer() {
  const ui = useNoteUi();
  const { id, name, pointer, line, announcement } = useViewStore(ui.drag, (all) => all);
  return (
    <>
      <span className="visually-hidden" role="status" aria-live="assertive">
        {announcement}
      </span>
      {id !== undefined && line ? <div className="drop-line" style={line} /> : null}
      {id !== undefined && pointer ? (
        <div
          className="drag-chip truncate"
          style={{ transform: `translate(${pointer.x + 12}px, ${pointer.y + 12}px)` }}
        >
          {name}
        </div>
      ) : null}
    </>
  );
}
