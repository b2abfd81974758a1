/** Every sentence of the editor that a user reads. */
export const editorText = {
  /** Accessible name where the paragraph has no title. */
  label: 'Code',
  /** Said before the editor is mounted, after the name. */
  open: 'Press Enter to edit.',
  /** Name of the field that takes keys until the editor is there. */
  ahead: 'Code, while its editor is on its way',
  failed: 'The editor could not be loaded. The text is safe; reload the page to edit it.',
  fold: 'Fold',
  unfold: 'Unfold',
  folded: 'Folded code, press to unfold',
  searchInside: 'Search inside the code',
  /** Of the interpreter, at its line. */
  errorAt: 'Line {line}: {message}',
  keys: 'Keys of the editor',
  keySets: { default: 'Default', vim: 'Vim', emacs: 'Emacs' },
  keysNow: 'Keys of the editor: {keys}',
  file: {
    reading: 'Uploading {name}…',
    unknown: '{name} is no data file that can be read here: csv, tsv, json, parquet and arrow can.',
    tooLarge: '{name} is too large: files up to {limit} MB can be put on this server.',
    noServer:
      'This server takes no files. Put {name} where its interpreters can read it, and read it from there.',
    failed: '{name} was not put on the server: {reason}',
  },
};
