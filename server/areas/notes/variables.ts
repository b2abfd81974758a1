/** Variables of the interpreters of a note. */
import type { RestHandlers } from '../context.ts';

export const variablesRest = {
  noteVariables: ({ params, person }, { notes, pool }) =>
    pool.variables({ noteId: notes.get(params['noteId'] ?? '').id, principal: person.principal }),
} satisfies Partial<RestHandlers>;
