import { textArea } from '../areas.ts';

/** Texts of terminals. */
export const terminalTexts = textArea('terminal', {
  label: (title: string) => (title ? `${title}, terminal` : 'Terminal'),
  keys: 'Click or press Enter to type. Press Escape and then Tab to leave the terminal.',
  viewOnly: 'Nobody can type into the terminal in this layout.',
  screenReader: 'Screen reader',
});
