import sheet from './editor.css';

export { Editor, type EditorProps } from './editor.tsx';
export { StaticCode, type StaticCodeProps } from './static-code.tsx';
export { preloadEditor } from './load-editor.ts';
export { editorText } from './text.ts';
export type { CodeEditorProps, EditorHandle, Place } from './code-editor.tsx';
export type { Mark } from './mark.ts';
export type { CompletionEntry, EditorHooks } from './hooks.ts';

/** The sheets an element adopts to show code. */
export const editorSheets: string[] = [sheet];
