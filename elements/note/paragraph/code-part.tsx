import { type ParagraphState, paragraphText } from '@tiding/client';
import { useCallback, useEffect, useRef } from 'react';
import {
  type EditorHandle,
  editorSheets,
  languageName,
  ParagraphEditor,
} from '../../editor/index.ts';
import { editorTexts } from '../../editor/texts.ts';
import { fill } from '../../text/fill.ts';
import { runParagraphCommand } from '../commands/paragraph.tsx';
import type { FindPart } from '../find/find-store.ts';
import { loadMagics } from '../magics.ts';
import type { PendingInput } from '../pending-input.ts';
import { usePresence } from '../presence/editor-presence.ts';
import { type NoteUi, useNoteUi } from '../ui/note-ui.ts';
import { useWhyNot } from '../ui/use-rights.ts';
import { FixedCodePart } from './fixed-code-part.tsx';
import { useEditorSetting } from './use-editor-setting.ts';
import type { ParagraphActions } from './use-paragraph.ts';
import { useRunErrors } from './use-run-errors.ts';

/** Style sheets of the code. */
export const codeSheets: readonly string[] = editorSheets;

export interface CodeProps {
  id: string;
  paragraph: ParagraphState;
  actions: ParagraphActions;
  running: boolean;
  autoFocus: boolean;
  placeAt: 'end' | undefined;
  ahead: PendingInput['ahead'] | undefined;
  find: FindPart;
}

const magicAlone = /^\s*%[\w.-]+\s*$/;

/** Returns what to try in a paragraph without code. */
function hintFor(ui: NoteUi, mode: string): string {
  const name = languageName(mode);
  const names: Partial<Record<string, string>> = editorTexts.languages;
  const language = names[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
  const takesFiles = ui.client.state.server?.tiding !== undefined;
  return fill(takesFiles ? editorTexts.hint : editorTexts.hintWithoutFiles, { language });
}

/** The code of a paragraph, in its editor if the user may change it. */
export function CodePart(props: CodeProps) {
  const mayNotChange = useWhyNot(useNoteUi(), 'writer');
  return mayNotChange === undefined ? <EditorPart {...props} /> : <FixedCodePart {...props} />;
}

function EditorPart({
  id,
  paragraph,
  actions,
  running,
  autoFocus,
  placeAt,
  ahead,
  find,
}: CodeProps) {
  const ui = useNoteUi();
  // The prop lags behind the editor while the user types.
  const value = paragraphText(ui.client.state.open[ui.note.id]?.paragraphs[id] ?? paragraph);
  const config = paragraph.server.config ?? {};
  const { language, completionKey, completionSupport, onNear } = useEditorSetting(
    ui,
    id,
    paragraph,
    value,
  );
  const errors = useRunErrors(paragraph, value);
  const edge = useCallback((side: 'up' | 'down') => ui.focus.moveFrom(id, side), [ui, id]);
  const magics = useCallback(() => loadMagics(ui), [ui]);
  const handle = useRef<EditorHandle>(null);
  const presence = usePresence(ui, id);
  // In a paragraph that starts with only its magic, typing begins below it (as in Zeppelin).
  const place = placeAt ?? (autoFocus && magicAlone.test(value) ? 'end' : undefined);
  useEffect(() => {
    ui.editors.add(id, handle);
  }, [ui, id]);
  const lineNumbers = config.lineNumbers === true;
  const size = config.fontSize ? { fontSize: config.fontSize } : {};
  const onRun = () => runParagraphCommand(ui, id, 'run');
  const onLeave = () => ui.focus.select(id);
  return (
    <div className="code-part">
      <ParagraphEditor
        handle={handle}
        presence={presence}
        ahead={ahead}
        value={value}
        language={language}
        errors={errors}
        completionKey={completionKey}
        completionSupport={completionSupport}
        onNear={onNear}
        readOnly={running || !ui.layout.editable}
        lineNumbers={lineNumbers}
        {...size}
        {...(place ? { placeAt: place } : {})}
        label={ui.paragraphs.labelOf(id)}
        hint={hintFor(ui, language)}
        magics={magics}
        autoFocus={autoFocus}
        marks={find.marks}
        past={find.after === value ? find.past : undefined}
        onChange={actions.edit}
        onBlur={actions.save}
        onRun={onRun}
        onLeave={onLeave}
        complete={actions.complete}
        inspect={actions.inspect}
        check={actions.check}
        onEdge={edge}
      />
    </div>
  );
}
