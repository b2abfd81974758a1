/** Every sentence of the editor that a user reads. */
export const editorText = {
  /** Accessible name where the paragraph has no title. */
  label: 'Code',
  /** Said before the editor is mounted, after the name. */
  open: 'Press Enter to edit.',
  failed: 'The editor could not be loaded. The text is safe; reload the page to edit it.',
};
