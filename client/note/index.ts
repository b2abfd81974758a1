/** What an open note needs. Loaded with the first one. */
export { Note, revisionKey } from './note.ts';
export { noteState, reduceNote } from './reducer.ts';
