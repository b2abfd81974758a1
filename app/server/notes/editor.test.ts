import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NotePermissions } from '../auth/permissions.ts';
import { Hub } from '../hub.ts';
import { createLog } from '../log.ts';
import { Editor } from './editor.ts';
import { newNote, newParagraph, serializeNote, type StoredNote } from './note.ts';
import { NoteRepository } from './repository.ts';

let data: string;
let notes: NoteRepository;
let editor: Editor;
let note: StoredNote;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'tiding-editor-'));
  notes = new NoteRepository(data, createLog('silent'));
  await notes.load();
  editor = new Editor(notes, new Hub(new NotePermissions(data), notes));
});
afterAll(async () => {
  notes.close();
  await rm(data, { recursive: true, force: true });
});
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
const onDisk = async () =>
  JSON.parse(await readFile(join(data, 'notebook', note.id, 'note.json'), 'utf8')) as unknown;
const inMemory = () => JSON.parse(serializeNote(note)) as unknown;
/** The disk no longer takes the note, because where its folder was is a file; and takes it again. */
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
      editor.commit(
        note,
        note.paragraphs[0]!.id,
        { paragraph: 'new', title: 'T', config: { colWidth: 6 }, params: { x: 1 }, author: 'me' },
        'bob',
      ),
  ],
  ['an insertion', () => editor.insert(note, 1, { text: 'new', user })],
  ['an insertion at the end', () => editor.insert(note, 3, { user }, true)],
  ['a move', () => editor.move(note, note.paragraphs[0]!.id, 2)],
  ['a removal', () => editor.remove(note, note.paragraphs[1]!.id)],
  [
    'a removal that is taken back',
    () => editor.restore(note, 1, newParagraph({ text: 'back' }), user),
  ],
  ['a new name', () => editor.rename(note, 'another')],
  [
    'clearing',
    () => editor.changeNote(note, () => editor.clearOutputs(note.paragraphs), note.paragraphs),
  ],
  [
    'settings',
    () => editor.change(note, [], () => Object.assign(note, { config: {}, bindings: ['sql'] })),
  ],
];

describe('a disk that fails', () => {
  it.each(changes)(
    '%s that cannot be stored is refused, and the note is as before',
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

  it('a refused edit takes no part in later merges', async () => {
    const { id, rev } = note.paragraphs[0]!;
    await disk.fail();
    await expect(
      editor.commit(note, id, { paragraph: 'lost', baseRev: rev }, user),
    ).rejects.toThrow();
    await disk.heal();
    await editor.commit(note, id, { paragraph: 'a\nmine', baseRev: rev }, user);
    expect(note.paragraphs[0]).toMatchObject({ text: 'a\nmine', rev: rev + 1 });
  });

  /** What happens: an edit by some paragraph and text, or to the disk. `wait`: only then the next. */
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
  it('after any edits at once on a disk that comes and goes, memory and disk hold what was acknowledged and nothing else', async () => {
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
        /** What was acknowledged, as changes of a list of texts and a name, in the order they were made. */
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
            end = attempt(editor.commit(mine, id, { paragraph: text }, user), ({ list }) => {
              list.find((entry) => entry.id === id)!.text = text;
            });
          } else if (kind === 'insert') {
            const index = to % (mine.paragraphs.length + 1);
            const known = new Set(mine.paragraphs.map((entry) => entry.id));
            const act = editor.insert(mine, index, { text, user });
            // The paragraph is in the note at once, on the disk later.
            const fresh = mine.paragraphs.find((entry) => !known.has(entry.id))!.id;
            end = attempt(act, ({ list }) => void list.splice(index, 0, { id: fresh, text }));
          } else if (kind === 'move') {
            const index = to % mine.paragraphs.length;
            end = attempt(editor.move(mine, id, index), ({ list }) => {
              const [entry] = list.splice(
                list.findIndex((each) => each.id === id),
                1,
              );
              list.splice(index, 0, entry!);
            });
          } else if (kind === 'remove') {
            if (mine.paragraphs.length > 1)
              end = attempt(
                editor.remove(mine, id),
                ({ list }) =>
                  void list.splice(
                    list.findIndex((each) => each.id === id),
                    1,
                  ),
              );
          } else if (kind === 'rename') {
            end = attempt(editor.rename(mine, text), (target) => {
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
  }, 120_000);
});

describe('acknowledging', () => {
  it('an edit is on the disk when it is acknowledged, however many are made at once', async () => {
    const { paragraphs } = note;
    await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const { id } = paragraphs[n % 3]!;
        const { text } = await editor.commit(
          note,
          id,
          { title: `title ${n}`, paragraph: `text ${n}` },
          user,
        );
        const stored = (await onDisk()) as { paragraphs: { id: string; text: string }[] };
        // A later edit of the same paragraph may be there already, an earlier one may not.
        const at = Number(/\d+/.exec(stored.paragraphs.find((entry) => entry.id === id)!.text)![0]);
        expect(at).toBeGreaterThanOrEqual(n);
        expect(text).toMatch(/^text \d+$/);
      }),
    );
  });
});

describe('limits', () => {
  it('a text over 1 MB is refused, whichever way it comes, and what is there stays', async () => {
    const big = 'x'.repeat(2 ** 20 + 1);
    const before = inMemory();
    await expect(
      editor.commit(
        note,
        note.paragraphs[0]!.id,
        { title: 'not this either', paragraph: big },
        user,
      ),
    ).rejects.toThrow('at most 1048576 bytes');
    await expect(editor.insert(note, 0, { text: big, user })).rejects.toThrow(
      'at most 1048576 bytes',
    );
    expect(inMemory()).toEqual(before);
    await editor.commit(note, note.paragraphs[0]!.id, { paragraph: big.slice(1) }, user);
  });

  it.each([-1, 4, 0.5, Number.NaN])('a place outside the note (%d) is refused', async (index) => {
    await expect(editor.insert(note, index, { user })).rejects.toThrow('there is no place');
    await expect(editor.move(note, note.paragraphs[0]!.id, index)).rejects.toThrow('out of bounds');
    expect(note.paragraphs).toHaveLength(3);
  });
});
