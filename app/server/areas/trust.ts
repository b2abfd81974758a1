/** Trust in notes: whether scripts in their results run for who asks. */
import type { RestHandlers } from '../context.ts';
import { withRight } from './notes.ts';

/** REST calls. */
export const trustRest = {
  getTrust: ({ params, person }, context) => {
    const note = withRight(params, person, 'reader', context);
    const { trusted, ...known } = context.trust.of(note.id, person.principal);
    // Names of people are not for pages with a token.
    return person.embed ? { trusted } : { trusted, ...known };
  },
  setTrust: async ({ params, body, person }, context) => {
    const note = withRight(params, person, 'reader', context);
    await context.trust.set(note.id, person.principal, body.trusted);
    return context.trust.of(note.id, person.principal);
  },
} satisfies Partial<RestHandlers>;
