/** The floor of an editor. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { sql } from '@codemirror/lang-sql';
import { defaultHighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView, keymap } from '@codemirror/view';

const view = new EditorView({
  extensions: [
    history(),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    sql(),
    syntaxHighlighting(defaultHighlightStyle),
  ],
  parent: document.body,
});
view.focus();
