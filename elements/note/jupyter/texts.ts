import { textArea } from '../../text/areas.ts';

/** Texts of the keys of Jupyter. */
export const jupyterTexts = textArea('jupyter', {
  command: 'Jupyter Command Mode',
  edit: 'Jupyter Edit Mode',
  runAndSelect: 'Run and select the paragraph below',
  enter: 'Edit the code',
  leave: 'Enter command mode',
  up: 'Select the paragraph above',
  down: 'Select the paragraph below',
  markdown: 'Change to Markdown',
  code: 'Change to code',
  copy: 'Copy paragraph',
  cut: 'Cut paragraph',
  pasteBelow: 'Paste paragraph below',
  pasteAbove: 'Paste paragraph above',
  copied: 'Paragraph copied',
  save: 'Save now',
});
