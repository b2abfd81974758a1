import { Upload } from 'lucide-react';
import { useEffect } from 'react';
import { useViewStore } from '../../runtime/store.ts';
import { commonTexts } from '../../text/common.ts';
import { fill } from '../../text/fill.ts';
import { editorTexts } from '../../text/note/editor.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { type NoteUi, useNoteUi } from '../ui/note-ui.ts';

const t = editorTexts.file;
/** Time after the last `dragover` at which files are no longer over the note, in ms. */
const OVER_MS = 500;

/**
 * Returns the files of a drop or paste. Empty if it also contains text, because then the text is
 * meant (for example a spreadsheet cell).
 */
function filesOf(data: DataTransfer | null): File[] {
  return data && !(data.types.includes('text/plain') || data.types.includes('text/html'))
    ? [...data.files]
    : [];
}

/**
 * Handles data files dropped or pasted into a note, before an editor inserts their bytes as text.
 */
function useFileDrop(ui: NoteUi): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leave = (): void => {
      clearTimeout(timer);
      ui.uploads.state.set({ isOver: false });
    };
    const take = (event: DragEvent | ClipboardEvent, data: DataTransfer | null): void => {
      leave();
      const files = filesOf(data);
      if (files.length === 0 || !ui.layout.editable || ui.single) return;
      event.preventDefault();
      event.stopPropagation();
      const over = event
        .composedPath()
        .find(
          (node): node is HTMLElement =>
            node instanceof HTMLElement && node.dataset['paragraph'] !== undefined,
        );
      ui.uploads.add(files, over?.dataset['paragraph']);
    };
    const onDrop = (event: DragEvent) => take(event, event.dataTransfer);
    const onPaste = (event: ClipboardEvent) => take(event, event.clipboardData);
    // Browsers repeat this event while the pointer rests.
    const onOver = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files') || !ui.layout.editable) return;
      event.preventDefault();
      ui.uploads.state.set({ isOver: true });
      clearTimeout(timer);
      timer = setTimeout(leave, OVER_MS);
    };
    const { host } = ui;
    host.addEventListener('drop', onDrop, { capture: true });
    host.addEventListener('dragover', onOver, { capture: true });
    host.addEventListener('paste', onPaste, { capture: true });
    return () => {
      leave();
      host.removeEventListener('drop', onDrop, { capture: true });
      host.removeEventListener('dragover', onOver, { capture: true });
      host.removeEventListener('paste', onPaste, { capture: true });
    };
  }, [ui]);
}

/** The drop target of a note, and the progress of uploads. */
export function FileDrop() {
  const ui = useNoteUi();
  useFileDrop(ui);
  const { name, share, waiting, isOver } = useViewStore(ui.uploads.state, (state) => state);
  if (isOver)
    return (
      <div className="file-drop target">
        <Icon of={Upload} />
        {t.drop}
      </div>
    );
  if (name === undefined) return null;
  const percent = Math.floor(100 * share);
  return (
    <div className="file-drop">
      <span className="file-drop-name" role="status">
        {fill(waiting === 0 ? t.reading : t.readingFirst, { name, count: waiting })}
      </span>
      <progress max={100} value={percent} aria-label={fill(t.reading, { name })} />
      <span className="file-drop-percent">{percent} %</span>
      <Button size="sm" onClick={ui.uploads.cancel}>
        {commonTexts.cancel}
      </Button>
    </div>
  );
}
