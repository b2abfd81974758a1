import sheet from './editor.css';

export { Editor, type EditorProps } from './editor.tsx';
export { StaticCode, type StaticCodeProps } from './static-code.tsx';
export { preloadEditor } from './load-editor.ts';
export { editorText } from '../text/editor.ts';
export type { CodeEditorProps } from './code-editor.tsx';
export type { EditorHandle, Place } from './handle.ts';
export { carryErrors, errorLines, type LineError } from './error-lines.ts';
export { chooseKeys, keyChoice, keySets, type KeySet } from './key-choice.ts';
export type { Mark } from './overlay.ts';
export type { Caret, EditorPresence } from './presence.ts';
export type { CompletionEntry, EditorHooks } from './hooks.ts';

/** The sheets an element adopts to show code. */
export const editorSheets: string[] = [sheet];
