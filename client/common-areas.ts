/** The areas of a client that home uses. Loaded with the first call. */
export { ClustersApi } from './clusters/clusters.ts';
export { NotesApi } from './notes/notes.ts';
