import { textArea } from '../../../text/areas.ts';

/** Texts of terminals. */
export const terminalTexts = textArea('terminal', {
  label: (title: string) => (title ? `${title}, terminal` : 'Terminal'),
  keys: 'Click or press Enter to type. Press Escape and then Tab to leave the terminal.',
  viewOnly: 'You can only watch this terminal here.',
  screenReader: 'Screen reader',
});
