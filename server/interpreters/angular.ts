/** `%angular`: a template, bound to the shared values of its note. `%html`: plain HTML. */
import type { InterpreterSpec } from './contract.ts';

/** Outputs its text as a template or HTML. The browser evaluates it; the server never does. */
export const angular: InterpreterSpec = {
  name: 'angular',
  aliases: ['ng'],
  variants: {
    html: {
      editor: { language: 'html', editOnDblClick: true, completionSupport: false },
      isMagic: true,
    },
  },
  sessions: true,
  editor: { language: 'html', editOnDblClick: true, completionSupport: false },
  create: () => ({
    run: async ({ code, output, variant }) => {
      output.add(variant === 'html' ? 'HTML' : 'ANGULAR', code);
      return { code: 'SUCCESS' };
    },
    close: async () => undefined,
  }),
};
