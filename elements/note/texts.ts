import { textArea } from '../text/areas.ts';

/** Texts for leaving a page with unsaved changes. */
export const leaveTexts = textArea('leave', {
  title: 'Do you want to leave this site?',
  text: 'Changes that you have made will not be saved.',
  stay: 'Stay',
  leave: 'Leave',
  reload: 'Do you want to reload this site?',
});

/** Texts of a page with a single paragraph. */
export const singleTexts = textArea('single', {
  back: 'Back to the note {name}',
});

/** Texts about active content. */
export const trustTexts = textArea('trust', {
  imported: 'This note was imported by {name}. Scripts in its results are off.',
  copied: 'This note was copied by {name}. Scripts in its results are off.',
  made: 'This note was created by {name}. Scripts in its results are off.',
  unknown: 'The author of this note is unknown. Scripts in its results are off.',
  show: 'Show active content',
  title: 'Trust this note?',
  text:
    'Scripts in the results of this note will run for you from now on, including scripts ' +
    'that other writers of the note add. They run in a sandbox without access to your notes ' +
    'or the network.',
  action: 'Trust this note',
  withdraw: 'Turn off active content',
  off: 'Scripts in the results of this note are off.',
});
