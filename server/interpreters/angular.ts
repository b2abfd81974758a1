/** `%angular`: a template, bound to the shared values of its note. */
import type { InterpreterSpec } from './contract.ts';

/** Outputs its text as a template. The browser evaluates it; the server never does. */
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
