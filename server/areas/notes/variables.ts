/** Variables of the interpreters of a note, and the names in its texts. */
import type { RestHandlers } from '../context.ts';

export const variablesRest = {
  noteVariables: ({ params, person }, { notes, pool }) =>
    pool.variables({ noteId: notes.get(params['noteId'] ?? '').id, principal: person.principal }),
  noteDependencies: ({ params }, { notes, dependencies }) =>
    dependencies.of(notes.get(params['noteId'] ?? '')),
} satisfies Partial<RestHandlers>;
