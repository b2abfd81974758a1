/** Trust in notes: whether scripts in a note's results run for the current user. */
import type { RestHandlers } from '../context.ts';
import { withRight } from './notes.ts';

export const trustRest = {
  getTrust: ({ params, person }, context) => {
    const note = withRight(params, person, 'reader', context);
    const { trusted, ...known } = context.trust.of(note.id, person.principal);
    // Pages with an embed token don't get user names.
    return person.embed ? { trusted } : { trusted, ...known };
  },
  setTrust: async ({ params, body, person }, context) => {
    const note = withRight(params, person, 'reader', context);
    await context.trust.set(note.id, person.principal, body.trusted);
    return context.trust.of(note.id, person.principal);
  },
} satisfies Partial<RestHandlers>;
