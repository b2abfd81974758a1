import { textArea } from '../../text/areas.ts';

/** Screen reader texts for drag and drop. */
export const dragTexts = textArea('drag', {
  role: 'draggable',
  help:
    'To move it, press Space or Enter. Then use the arrow keys. Press Space or Enter again ' +
    'to drop it, or Escape to cancel.',
  lifted: '{name} picked up.',
  over: '{name} over {other}.',
  outside: '{name} is not over a drop target.',
  dropped: '{name} dropped at {other}.',
  left: '{name} was not moved.',
});
