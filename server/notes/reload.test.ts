import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ParagraphContent, paragraphCommit } from '@tiding/client/notebook';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { NotePermissions } from '../auth/permissions.ts';
import { Hub } from '../hub/hub.ts';
import { createLog } from '../logging/log.ts';
import { NoteEditor } from './editor.ts';
import { newNote, newParagraph } from './note.ts';
import { reloadNotes } from './reload.ts';
import { NoteRepository } from './repository.ts';

const data = temporaryFolder();
const notes = new NoteRepository(data, createLog('silent'));
await notes.load();
const hub = new Hub(new NotePermissions(data), notes);
const parts: { notes: NoteRepository; hub: Hub; editor: NoteEditor } = {
  notes,
  hub,
  editor: new NoteEditor(notes, hub),
};

afterAll(() => parts.notes.close());

it('merges an edit begun before the file changed, also if the same user wrote it', async () => {
  const { notes, editor } = parts;
  const note = await notes.add(newNote('a', [newParagraph({ text: 'one\ntwo\nthree\nfour\n' })]));
  const paragraph = note.paragraphs[0]!;
  const commit = (content: ParagraphContent) =>
    editor.make(note, paragraphCommit(note, paragraph.id, content, 'ann', editor.rules));
  await commit({ paragraph: 'ONE\ntwo\nthree\nfour\n', baseRev: 1, author: 'me', authorSeq: 1 });
  const file = join(data, 'notebook', note.id, 'note.json');
  await writeFile(file, (await readFile(file, 'utf8')).replace('four', 'FOUR'));
  await reloadNotes(parts);
  expect(paragraph).toMatchObject({ text: 'ONE\ntwo\nthree\nFOUR\n', rev: 3 });
  await commit({ paragraph: 'ONE!\ntwo\nthree\nfour\n', baseRev: 2, author: 'me', authorSeq: 2 });
  expect(paragraph.text).toBe('ONE!\ntwo\nthree\nFOUR\n');
});
