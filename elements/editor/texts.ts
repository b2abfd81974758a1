import { textArea } from '../text/areas.ts';

/** Texts of the code editor. */
export const editorTexts = textArea('editor', {
  /** Accessible name if the paragraph has no title. */
  label: 'Code',
  /** Announced after the name while the editor is not mounted. */
  open: 'Press Enter to edit.',
  /** Announced after the name of an open editor, in which Tab is text. */
  leave: 'Press Escape, then Tab, to leave the code.',
  /** Accessible name of the field that receives keys while the editor loads. */
  ahead: 'Code (the editor is loading)',
  /** Shown in an editor without code. */
  hint: 'Write {language}, type % to choose another language, or drop a file to read it',
  /** The same, on a server that doesn't accept files. */
  hintWithoutFiles: 'Write {language}, or type % to choose another language',
  /** Names of languages in the hint, if they are not the mode's name with a capital letter. */
  languages: {
    sql: 'SQL',
    javascript: 'JavaScript',
    sh: 'a shell script',
    magpie: 'Magpie commands',
    html: 'HTML',
  },
  failed: 'The editor could not be loaded. Your text is safe. Reload the page to edit it.',
  documentation: 'Documentation',
  noDocumentation: 'There is no documentation here.',
  fold: 'Fold',
  unfold: 'Unfold',
  folded: 'Folded code, press to unfold',
  searchInside: 'Search inside the code',
  /** An interpreter error, shown at its line. */
  errorAt: 'Line {line}: {message}',
  keys: 'Keyboard mode',
  completeTyping: 'Complete while typing',
  keySets: { default: 'Default', jupyter: 'Jupyter', vim: 'Vim', emacs: 'Emacs' },
  keysNow: 'Keyboard mode: {keys}',
  file: {
    drop: 'Drop files to read them in this note',
    upload: 'Upload a data file',
    reading: 'Uploading {name}…',
    readingFirst: 'Uploading {name}…, {count} more',
    tables: 'Reading the tables of {name}…',
    unknown:
      "{name} can't be imported: use CSV, TSV, JSON, Parquet, Arrow, Excel, SQLite, or an image " +
      '(PNG, JPEG, GIF, WebP or SVG).',
    imageTooLarge: '{name} is too large: an image may have at most {mb} MB.',
    stored: '{name} is stored with the note. Insert it from the Files panel.',
    noServer:
      "This server doesn't accept uploads. Copy {name} to a folder that its interpreters can read.",
    failed: '{name} could not be uploaded: {reason}',
    leftOut: "Files of the folder that can't be read here were left out: {names}.",
    beyond: 'Only the first {limit} files of a folder are taken. Left out: {names}.',
    andMore: '{names} and {count} more',
  },
});
