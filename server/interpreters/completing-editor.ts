/** The editor of a language whose interpreter completes code. */
import type { EditorSetting } from '@tiding/client/protocol';

/** Returns the setting of an editor that completes code at Tab. */
export const completingEditor = (language: string): EditorSetting => ({
  language,
  editOnDblClick: false,
  completionKey: 'TAB',
  completionSupport: true,
});
