import { textArea } from '../../text/areas.ts';

/** Screen texts for outputs and widgets that could not be shown. */
export const failureTexts = textArea('result', {
  tryAgain: 'Try again',
  failed: (type: string) => `This ${type.toLowerCase()} output could not be shown.`,
  failedHolds: 'The other outputs are not affected.',
});
