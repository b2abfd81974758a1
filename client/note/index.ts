/** Everything an open note needs. Loaded with the first one. */
export { Note } from './note.ts';
export { revisionKey } from './note-connection.ts';
export { noteState, reduceNote } from './reducer.ts';
export { runAllByName, runByName } from './run-by-name.ts';
