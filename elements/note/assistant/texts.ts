import { textArea } from '../../text/areas.ts';

/** Texts of the assistant. */
export const assistantTexts = textArea('assistant', {
  ask: 'Ask…',
  explain: 'Explain this error',
  fix: 'Fix it',
  titles: {
    write: 'Ask for code',
    explain: 'Explain this error',
    fix: 'Fix this code',
    describe: 'Describe this chart',
  },
  question: 'Question',
  language: 'Code for',
  hint: 'The answer is a paragraph of code, which you can read before it runs.',
  asks: 'Asks {model} at {host}.',
  sent: 'What is sent',
  send: 'Ask',
  stop: 'Stop',
  answering: 'Answering…',
  answered: 'Answered.',
  stopped: 'Stopped.',
  code: 'Code',
  change: 'Change',
  accept: 'Accept',
  insert: 'Insert',
  fixed: 'Code replaced.',
  changed: 'The code has changed since. Ask again.',
});
