/** `%angular`: a template, shown bound to the values of its note. */
import type { InterpreterSpec } from './contract.ts';

/** Puts its text out as a template; what is in it runs where it is shown, and never here. */
export const angular: InterpreterSpec = {
  name: 'angular',
  aliases: ['ng'],
  sessions: true,
  editor: { language: 'html', editOnDblClick: true, completionSupport: false },
  create: () => ({
    run: async ({ code, output }) => {
      output.add('ANGULAR', code);
      return { code: 'SUCCESS' };
    },
    close: async () => undefined,
  }),
};
