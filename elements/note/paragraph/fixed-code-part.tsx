import { type ParagraphState, paragraphText } from '@tiding/client';
import { useCallback, useEffect, useRef } from 'react';
import editorSheet from '../../editor/editor.css';
import { FixedCode } from '../../editor/fixed-code.tsx';
import type { EditorHandle } from '../../editor/handle.ts';
import markSheet from '../../editor/marks/marks.css';
import { runParagraphCommand } from '../commands/paragraph.tsx';
import type { FindPart } from '../find/find-store.ts';
import { useNoteUi } from '../ui/note-ui.ts';
import { useWhyNot } from '../ui/use-rights.ts';
import { useEditorSetting } from './use-editor-setting.ts';
import { useRunErrors } from './use-run-errors.ts';

/** Style sheets of code that nobody may edit. */
export const fixedCodeSheets: readonly string[] = [editorSheet, markSheet];

interface FixedCodePartProps {
  id: string;
  paragraph: ParagraphState;
  find: FindPart;
}

/** The code of a paragraph for users who may not change it. It loads nothing of the editor. */
export function FixedCodePart({ id, paragraph, find }: FixedCodePartProps) {
  const ui = useNoteUi();
  const reason = useWhyNot(ui, 'writer') ?? '';
  const text = paragraphText(paragraph);
  const { lineNumbers, fontSize } = paragraph.server.config ?? {};
  const { language, onNear } = useEditorSetting(ui, id, paragraph, text);
  const errors = useRunErrors(paragraph, text);
  const edge = useCallback((side: 'up' | 'down') => ui.focus.moveFrom(id, side), [ui, id]);
  const handle = useRef<EditorHandle>(null);
  useEffect(() => {
    ui.editors.add(id, handle);
  }, [ui, id]);
  return (
    <div className="code-part" title={reason}>
      <FixedCode
        {...{ handle, text, language, errors, reason, onNear }}
        label={ui.paragraphs.labelOf(id)}
        lineNumbers={lineNumbers === true}
        {...(fontSize ? { fontSize } : {})}
        marks={find.marks}
        onEdge={edge}
        onRun={() => runParagraphCommand(ui, id, 'run')}
        onLeave={() => ui.focus.select(id)}
      />
    </div>
  );
}
