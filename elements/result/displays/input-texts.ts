import { textArea } from '../../text/areas.ts';

/** Texts of questions of running code. */
export const inputTexts = textArea('input', {
  /** Name of the field if the code shows no prompt. */
  noPrompt: 'The code asks for input',
  answer: 'Answer',
  failed: (reason: string) => `The answer could not be sent: ${reason}`,
});
