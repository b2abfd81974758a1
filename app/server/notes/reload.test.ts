import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NotePermissions } from '../auth/permissions.ts';
import { Hub } from '../hub.ts';
import { createLog } from '../log.ts';
import { Editor } from './editor.ts';
import { newNote, newParagraph } from './note.ts';
import { reloadNotes } from './reload.ts';
import { NoteRepository } from './repository.ts';

let data: string;
let parts: { notes: NoteRepository; hub: Hub; editor: Editor };
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'tiding-reload-'));
  const notes = new NoteRepository(data, createLog('silent'));
  await notes.load();
  const hub = new Hub(new NotePermissions(data), notes);
  parts = { notes, hub, editor: new Editor(notes, hub) };
});
afterAll(async () => {
  parts.notes.close();
  await rm(data, { recursive: true, force: true });
});

it('merges an edit that was begun before the file changed, also where the author of the text is who edits', async () => {
  const { notes, editor } = parts;
  const note = await notes.add(newNote('a', [newParagraph({ text: 'one\ntwo\nthree\nfour\n' })]));
  const paragraph = note.paragraphs[0]!;
  await editor.commit(
    note,
    paragraph.id,
    { paragraph: 'ONE\ntwo\nthree\nfour\n', baseRev: 1, author: 'me', authorSeq: 1 },
    'ann',
  );
  const file = join(data, 'notebook', note.id, 'note.json');
  await writeFile(file, (await readFile(file, 'utf8')).replace('four', 'FOUR'));
  await reloadNotes(parts);
  expect(paragraph).toMatchObject({ text: 'ONE\ntwo\nthree\nFOUR\n', rev: 3 });
  await editor.commit(
    note,
    paragraph.id,
    { paragraph: 'ONE!\ntwo\nthree\nfour\n', baseRev: 2, author: 'me', authorSeq: 2 },
    'ann',
  );
  expect(paragraph.text).toBe('ONE!\ntwo\nthree\nFOUR\n');
});
