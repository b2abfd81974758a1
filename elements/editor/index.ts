import completionSheet from './completion.css';
import sheet from './editor.css';
import keyPanelSheet from './keys/panels.css';
import foldingSheet from './languages/folding.css';
import markSheet from './marks/marks.css';

export type { CodeEditorProps } from './code-editor.tsx';
export { type EditorProps, ParagraphEditor } from './editor.tsx';
export { PlainCode } from './fixed-code.tsx';
export type { EditorHandle } from './handle.ts';
export { chooseCompletion, chooseKeys, keyChoice, keySets } from './keys/key-choice.ts';
export { languageName } from './languages/language-name.ts';
export type { LineError } from './marks/error-lines.ts';
export type { FindMark } from './marks/overlay.ts';
export type { Caret, EditorPresence } from './marks/remote-carets.ts';
export { StaticCode } from './static-code.tsx';

/** Style sheets for elements that show code. */
export const editorSheets: string[] = [
  sheet,
  markSheet,
  foldingSheet,
  keyPanelSheet,
  completionSheet,
];
