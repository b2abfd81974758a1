import { textArea } from '../../text/areas.ts';

/** Texts of the command palette. */
export const paletteTexts = textArea('palette', {
  title: 'All commands',
  placeholder: 'Search commands',
  paragraph: 'Paragraph',
  note: 'Note',
  none: 'No commands match.',
});
