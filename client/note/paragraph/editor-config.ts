import type { ParagraphState } from '../../core/state.ts';
import { editorMode, magicOf } from '../../model/notes/magic.ts';
import type { EditorSetting, ParagraphConfig } from '../../protocol/index.ts';

const fieldsOf = (setting: EditorSetting): ParagraphConfig => ({
  editorSetting: setting,
  editorMode: `ace/mode/${setting.language ?? 'text'}`,
});

/** Whether the stored settings are those of another magic and those of this text are unknown. */
export const hasStaleSetting = ({ server, editor }: ParagraphState, text: string): boolean =>
  server.config?.editorMode !== undefined &&
  editor?.magic !== magicOf(text) &&
  magicOf(server.text ?? '') !== magicOf(text);

/**
 * Returns the configuration to store with a text. Editor settings belong to a magic: they are those
 * that the server sent for the magic of this text, else the stored ones, and if these belong to
 * another magic, what the magic itself tells. They can't be left out, because servers merge.
 */
export function configForText(paragraph: ParagraphState, text: string): ParagraphConfig {
  const { server, editor } = paragraph;
  const config = server.config ?? {};
  const magic = magicOf(text);
  if (editor && editor.magic === magic) return { ...config, ...fieldsOf(editor.setting) };
  if (!hasStaleSetting(paragraph, text)) return config;
  const language = editorMode(text, 'text');
  return {
    ...config,
    ...fieldsOf({ language, editOnDblClick: language === 'markdown' || magic === 'angular' }),
  };
}
