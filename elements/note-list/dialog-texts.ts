/** Texts of the dialogs that create, clone and import notes. */
import { textArea } from '../text/areas.ts';

export const createNoteTexts = textArea('create', {
  title: 'Create New Note',
  name: 'Note Name',
  interpreter: 'Default Interpreter',
  hint: "Use '/' to create folders. Example: /NoteDirA/Note1",
  action: 'Create',
  taken: 'A note named “{name}” already exists. Choose another name.',
});

export const cloneNoteTexts = textArea('clone', { title: 'Clone Note', action: 'Clone' });

export const importNoteTexts = textArea('import', {
  title: 'Import New Note',
  as: 'Import As',
  asHint: "Leave empty to keep the notes' names. With several files, this is their folder.",
  file: 'Choose files…',
  types: 'Files of Jupyter (.ipynb) and Zeppelin (.zpln, .json), and .py, .md and .sql files.',
  importing: 'Importing {name}…',
  imported: '{done} of {all} files imported.',
  url: 'Add from URL',
  urlField: 'URL',
  action: 'Import Note',
  limit: 'A file can have up to {mb} MB.',
  tooLarge: 'File size limit Exceeded!',
  unreachable: 'Unable to Fetch URL',
  emptyUrl: 'Enter URL',
  back: 'Back',
});
