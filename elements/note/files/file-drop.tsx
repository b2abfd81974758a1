import { paragraphText } from '@tiding/client';
import { editorMode } from '@tiding/client/model';
import { Upload } from 'lucide-react';
import { useEffect } from 'react';
import { editorTexts } from '../../editor/texts.ts';
import { useViewStore } from '../../runtime/store.ts';
import { commonTexts } from '../../text/common.ts';
import { fill } from '../../text/fill.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { type NoteUi, useNoteUi } from '../ui/note-ui.ts';
import { type DropPlace, listenForFiles } from './drop-listener.ts';
import type { LeftOutFiles } from './folder-files.ts';
import { takeFiles, takeLeftOut } from './pending-files.ts';

const t = editorTexts.file;

/**
 * Returns the paragraph if files were dropped on, or pasted into, its Markdown editor. The cursor
 * moves to the place of a drop.
 */
function markdownEditorAt(
  ui: NoteUi,
  { path, point }: DropPlace,
  id: string | undefined,
): string | undefined {
  const isCode = path.some((node) => node instanceof Element && node.matches('.code-part'));
  const paragraph = ui.paragraphs.get(id);
  if (!isCode || !paragraph) return undefined;
  const { config } = paragraph.state.server;
  const text = paragraphText(paragraph.state);
  const setting = config?.editorSetting?.language;
  if (editorMode(text, typeof setting === 'string' ? setting : '') !== 'markdown') return undefined;
  if (point) ui.editors.get(id)?.focus(point);
  return id;
}

const report = (ui: NoteUi, leftOut: LeftOutFiles): void =>
  void ui.messages.act(async () =>
    (await import('./left-out.ts')).reportLeftOut(leftOut, ui.messages.error),
  );

/** Uploads data files that are dropped on the note, pasted into it, or kept for it. */
function useFileDrop(ui: NoteUi): void {
  useEffect(() => {
    const kept = takeFiles(ui.note.id);
    if (kept.length > 0) ui.uploads.add(kept);
    const leftBefore = takeLeftOut(ui.note.id);
    if (leftBefore) report(ui, leftBefore);
    return listenForFiles(ui.host, {
      accepts: () => ui.layout.editable && !ui.single,
      takes: async () => (await import('./data-files.ts')).isDataFile,
      onFiles: (files, place, leftOut) => {
        const over = place.path.find(
          (node): node is HTMLElement =>
            node instanceof HTMLElement && node.dataset['paragraph'] !== undefined,
        );
        const after = over?.dataset['paragraph'];
        ui.uploads.add(files, { after, into: markdownEditorAt(ui, place, after) });
        if (leftOut) report(ui, leftOut);
      },
      onOver: (isOver) => ui.uploads.state.set({ isOver }),
    });
  }, [ui]);
}

/** The drop target of a note, and the progress of uploads. */
export function FileDrop() {
  const ui = useNoteUi();
  useFileDrop(ui);
  const { name, share, isReading, waiting, isOver } = useViewStore(
    ui.uploads.state,
    (state) => state,
  );
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
      <span className="file-drop-name truncate" role="status">
        {isReading
          ? fill(t.tables, { name })
          : fill(waiting === 0 ? t.reading : t.readingFirst, { name, count: waiting })}
      </span>
      {isReading ? (
        <progress aria-label={fill(t.tables, { name })} />
      ) : (
        <>
          <progress max={100} value={percent} aria-label={fill(t.reading, { name })} />
          <span className="file-drop-percent">{percent} %</span>
        </>
      )}
      <Button size="sm" onClick={ui.uploads.cancel}>
        {commonTexts.cancel}
      </Button>
    </div>
  );
}
