import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  noteClearing,
  noteOperation,
  noteRename,
  type ParagraphContent,
  paragraphCommit,
  paragraphInsertion,
  paragraphMove,
  paragraphOf,
  paragraphRemoval,
} from '@tiding/client/notebook';
import type { Paragraph } from '@tiding/client/protocol';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { NotePermissions } from '../auth/permissions.ts';
import { Hub } from '../hub/hub.ts';
import { createLog } from '../logging/log.ts';
import { NoteEditor } from './editor.ts';
import { newNote, newParagraph, noteInFile, type StoredNote } from './note.ts';
import { NoteRepository } from './repository.ts';

let note: StoredNote;

const data = temporaryFolder();
const notes = new NoteRepository(data, createLog('silent'));
await notes.load();
const editor = new NoteEditor(notes, new Hub(new NotePermissions(data), notes));

afterAll(() => notes.close());
beforeEach(async () => {
  note = await notes.add(
    newNote(
      `note ${Math.random()}`,
      ['a', 'b', 'c'].map((text) => newParagraph({ text })),
    ),
  );
});
afterEach(() => notes.remove(note.id));

const user = 'admin';
/** The changes under test, made by the editor. */
const make = {
  async commit(target: StoredNote, id: string, content: ParagraphContent, by = user) {
    await editor.make(target, paragraphCommit(target, id, content, by, editor.rules));
    return paragraphOf(target, id);
  },
  insert: async (target: StoredNote, index: number, init: { text?: string } = {}, preset = false) =>
    editor.make(target, paragraphInsertion(target, index, { user, ...init }, editor.rules, preset)),
  move: async (target: StoredNote, id: string, index: number) =>
    editor.make(target, paragraphMove(target, id, index)),
  remove: async (target: StoredNote, id: string) =>
    editor.make(target, paragraphRemoval(target, id, editor.rules)),
  restore: async (target: StoredNote, index: number, paragraph: Paragraph) =>
    editor.make(
      target,
      noteOperation('TIDING_RESTORE_PARAGRAPH')(
        { note: target, data: { noteId: target.id, index, paragraph }, user, isSequential: false },
        editor.rules,
      ),
    ),
  rename: async (target: StoredNote, path: string) =>
    editor.make(target, noteRename(target, path, notes.all(), editor.rules)!),
};
const onDisk = async () =>
  JSON.parse(await readFile(join(data, 'notebook', note.id, 'note.json'), 'utf8')) as unknown;
const inMemory = () => JSON.parse(JSON.stringify(noteInFile(note))) as unknown;
/** Makes the disk reject the note, by replacing its folder with a file, and accept it again. */
const disk = {
  async fail() {
    const folder = join(data, 'notebook', note.id);
    await rename(folder, `${folder}.away`);
    await writeFile(folder, '');
  },
  async heal() {
    const folder = join(data, 'notebook', note.id);
    await rm(folder);
    await rename(`${folder}.away`, folder);
  },
};

const changes: [string, () => Promise<unknown>][] = [
  [
    'an edit',
    () =>
      make.commit(
        note,
        note.paragraphs[0]!.id,
        { paragraph: 'new', title: 'T', config: { colWidth: 6 }, params: { x: 1 }, author: 'me' },
        'bob',
      ),
  ],
  ['an insertion', () => make.insert(note, 1, { text: 'new' })],
  ['an insertion at the end', () => make.insert(note, 3, {}, true)],
  ['a move', () => make.move(note, note.paragraphs[0]!.id, 2)],
  ['a removal', () => make.remove(note, note.paragraphs[1]!.id)],
  ['a removal that is taken back', () => make.restore(note, 1, newParagraph({ text: 'back' }))],
  ['a new name', () => make.rename(note, 'another')],
  ['clearing', () => editor.make(note, noteClearing(note, false))],
  [
    'settings',
    () => editor.change(note, [], () => Object.assign(note, { config: {}, bindings: ['sql'] })),
  ],
];

describe('failing disk', () => {
  it.each(changes)(
    "rejects %s that can't be stored and leaves the note unchanged",
    async (_, change) => {
      note.paragraphs[0]!.results = { code: 'SUCCESS', msg: [{ type: 'TEXT', data: 'out' }] };
      note.angularObjects = {
        group: [{ name: 'v', noteId: note.id, paragraphId: note.paragraphs[1]!.id, object: 1 }],
      };
      await notes.save(note);
      const before = inMemory();
      await disk.fail();
      await expect(change()).rejects.toThrow('Nothing was changed.');
      expect(inMemory()).toEqual(before);
      await disk.heal();
      expect(await onDisk()).toEqual(before);
      await change();
      expect(inMemory()).not.toEqual(before);
      expect(await onDisk()).toEqual(inMemory());
    },
  );

  it('excludes a rejected edit from later merges', async () => {
    const { id, rev } = note.paragraphs[0]!;
    await disk.fail();
    await expect(
      make.commit(note, id, { paragraph: 'lost', baseRev: rev }, user),
    ).rejects.toThrow();
    await disk.heal();
    await make.commit(note, id, { paragraph: 'a\nmine', baseRev: rev }, user);
    expect(note.paragraphs[0]).toMatchObject({ text: 'a\nmine', rev: rev + 1 });
  });

  /**
   * One step: an edit of a paragraph, or a change of the disk. `wait`: finish it before the next
   * step.
   */
  const step = fc.record({
    kind: fc.constantFrom(
      'commit',
      'commit',
      'commit',
      'insert',
      'move',
      'remove',
      'rename',
      'fail',
      'heal',
    ),
    at: fc.nat(5),
    to: fc.nat(5),
    wait: fc.boolean(),
  });
  it('after edits on a failing disk, memory and disk have the acknowledged ones only', async () => {
    let edits = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const mine = (note = await notes.add(
          newNote(
            `model ${(edits += 1)}`,
            ['a', 'b', 'c'].map((text) => newParagraph({ text })),
          ),
        ));
        /** The acknowledged edits, as changes of a list of texts and a name, in order. */
        const made: {
          apply: (model: { name: string; list: { id: string; text: string }[] }) => void;
          good: Promise<boolean>;
        }[] = [];
        const model = {
          name: mine.name,
          list: mine.paragraphs.map(({ id, text }) => ({ id, text })),
        };
        let healthy = true;
        const attempt = (act: Promise<unknown>, apply: (typeof made)[number]['apply']) => {
          const good = act.then(
            () => true,
            () => false,
          );
          made.push({ apply, good });
          return good;
        };
        for (const { kind, at, to, wait } of steps) {
          const { id } = mine.paragraphs[at % mine.paragraphs.length]!;
          const text = `text ${(edits += 1)}`;
          let end: Promise<unknown> = Promise.resolve();
          if (kind === 'commit') {
            end = attempt(make.commit(mine, id, { paragraph: text }, user), ({ list }) => {
              list.find((entry) => entry.id === id)!.text = text;
            });
          } else if (kind === 'insert') {
            const index = to % (mine.paragraphs.length + 1);
            const known = new Set(mine.paragraphs.map((entry) => entry.id));
            const act = make.insert(mine, index, { text });
            // The paragraph is added to the note immediately, and to the disk later.
            const fresh = mine.paragraphs.find((entry) => !known.has(entry.id))!.id;
            end = attempt(act, ({ list }) => void list.splice(index, 0, { id: fresh, text }));
          } else if (kind === 'move') {
            const index = to % mine.paragraphs.length;
            end = attempt(make.move(mine, id, index), ({ list }) => {
              const [entry] = list.splice(
                list.findIndex((each) => each.id === id),
                1,
              );
              list.splice(index, 0, entry!);
            });
          } else if (kind === 'remove') {
            if (mine.paragraphs.length > 1)
              end = attempt(
                make.remove(mine, id),
                ({ list }) =>
                  void list.splice(
                    list.findIndex((each) => each.id === id),
                    1,
                  ),
              );
          } else if (kind === 'rename') {
            end = attempt(make.rename(mine, text), (target) => {
              target.name = text;
            });
          } else if ((kind === 'fail') === healthy) {
            healthy = !healthy;
            end = kind === 'fail' ? disk.fail() : disk.heal();
            await end;
          }
          if (wait) await end;
        }
        const ends = await Promise.all(made.map(({ good }) => good));
        if (!healthy) await disk.heal();
        refused += ends.filter((good) => !good).length;
        made.forEach(({ apply }, at) => ends[at] && apply(model));
        expect({
          name: mine.name,
          list: mine.paragraphs.map(({ id, text }) => ({ id, text })),
        }).toEqual(model);
        await notes.save(mine);
        expect(await onDisk()).toEqual(inMemory());
        await notes.remove(mine.id);
        note = await notes.add(newNote(`spare ${edits}`, [newParagraph()]));
      }),
      { numRuns: 150 },
    );
    expect(refused).toBeGreaterThan(20);
  });
});

describe('acknowledgement', () => {
  it('an acknowledged edit is on disk, however many are made concurrently [S68]', async () => {
    const { paragraphs } = note;
    await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const { id } = paragraphs[n % 3]!;
        const { text } = await make.commit(
          note,
          id,
          { title: `title ${n}`, paragraph: `text ${n}` },
          user,
        );
        const stored = (await onDisk()) as { paragraphs: { id: string; text: string }[] };
        // The text may be a later edit of the same paragraph, never an earlier one.
        const at = Number(/\d+/.exec(stored.paragraphs.find((entry) => entry.id === id)!.text)![0]);
        expect(at).toBeGreaterThanOrEqual(n);
        expect(text).toMatch(/^text \d+$/);
      }),
    );
  });
});

it('viewers are sent stored texts only, the latest last, also of runs', async () => {
  const [paragraph] = note.paragraphs;
  const told: unknown[] = [];
  const tell = () => told.push(editor.toldParagraph(paragraph!).paragraph.text);
  // A run changes the paragraph itself.
  const run = editor.change(
    note,
    [paragraph!],
    () => editor.rules.texts.replace(paragraph!, 'run'),
    tell,
  );
  tell();
  const commit = make.commit(note, paragraph!.id, { paragraph: 'edit', author: 'me' });
  tell();
  await Promise.all([run, commit]);
  tell();
  expect(told).toEqual(['a', 'a', 'run', 'edit']);
});

describe('limits', () => {
  it('rejects a text over 1 MB from any operation and keeps the current text', async () => {
    const big = 'x'.repeat(2 ** 20 + 1);
    const before = inMemory();
    await expect(
      make.commit(note, note.paragraphs[0]!.id, { title: 'not this either', paragraph: big }, user),
    ).rejects.toThrow('at most 1048576 bytes');
    await expect(make.insert(note, 0, { text: big })).rejects.toThrow('at most 1048576 bytes');
    expect(inMemory()).toEqual(before);
    await make.commit(note, note.paragraphs[0]!.id, { paragraph: big.slice(1) }, user);
  });

  it('forgets the oldest of more than 16 million characters of earlier texts', () => {
    const [paragraph] = note.paragraphs;
    const { texts } = editor.rules;
    const revisions = Array.from({ length: 20 }, (_, at) => {
      texts.replace(paragraph!, `${at}`.padEnd(1_000_000));
      return paragraph!.rev;
    });
    const known = revisions.filter((rev) => texts.textAt(paragraph!, rev) !== undefined);
    // The last one is the current text.
    expect(known).toEqual(revisions.slice(-17));
  });

  it.each([-1, 4, 0.5, Number.NaN])('rejects an index outside the note (%d)', async (index) => {
    await expect(make.insert(note, index)).rejects.toThrow('is outside this note');
    await expect(make.move(note, note.paragraphs[0]!.id, index)).rejects.toThrow('out of bounds');
    expect(note.paragraphs).toHaveLength(3);
  });
});
