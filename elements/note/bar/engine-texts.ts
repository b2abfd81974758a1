import { textArea } from '../../text/areas.ts';

/** Texts of the menu of a note's engine. */
export const engineTexts = textArea('engine', {
  name: 'Engine {name} {state}',
  nameOnly: 'Engine {name}',
  states: { none: 'not started', starting: 'starting', idle: 'idle', busy: 'busy', dead: 'dead' },
  restart: 'Restart {name}',
  restartUnknown: 'Restart',
  interrupt: 'Interrupt',
  runFromHere: 'Run all from here',
  clearAndRun: 'Clear and run all',
  confirmClearAndRun: 'Clear all output and run all paragraphs?',
});
