import { TidingError } from '@tiding/client';
import { same } from '../result/test-support.tsx';
import { noteErrorText } from './note-error.ts';

it('a taken name is refused in words, however a Zeppelin puts it', () => {
  for (const message of [
    "Note '/a/b' existed",
    "Failed to create note.\nNotePathAlreadyExistsException: Note '/a/b' existed",
    "java.io.IOException: Fail to import note: Note '/a/b' existed",
    "Fail to import note: Note '/a/b' existed, cause: Note '/a/b' existed",
  ])
    same(
      noteErrorText(new TidingError('server', message)),
      'A note named “a/b” already exists. Choose another name.',
    );
  same(noteErrorText(new TidingError('server', 'Note is now running')), 'Note is now running');
  same(noteErrorText(new Error('Unable to Fetch URL')), 'Unable to Fetch URL');
});
