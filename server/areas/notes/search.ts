/** Full-text search over notes. */
import type { RestHandlers } from '../context.ts';

export const searchRest = {
  searchNotes: ({ query, person }, { search, permissions }) =>
    search.search(query.get('q') ?? '', (noteId) => permissions.has(person, noteId, 'reader')),
} satisfies Partial<RestHandlers>;
