import { renameSync, rmSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { createLog } from '../logging/log.ts';
import { newNote, newParagraph } from './note.ts';
import { NoteRepository } from './repository.ts';

let data: string;
let notes: NoteRepository;
const open = async (log = createLog('silent')) => {
  const repository = new NoteRepository(data, log);
  await repository.load();
  return repository;
};
beforeEach(async () => {
  data = temporaryFolder();
  notes = await open();
});
afterEach(() => notes.close());

const add = (name = 'a/b') => notes.add(newNote(name, [newParagraph({ text: 'one' })]));
const stored = async (id: string) =>
  JSON.parse(await readFile(join(data, 'notebook', id, 'note.json'), 'utf8')) as {
    name: string;
    paragraphs: { text: string }[];
  };
/** Makes the disk reject the note, by replacing its folder with a file. */
async function broken(id: string): Promise<() => Promise<void>> {
  const folder = join(data, 'notebook', id);
  await rename(folder, `${folder}.away`);
  await writeFile(folder, '');
  return async () => {
    await rm(folder);
    await rename(`${folder}.away`, folder);
  };
}

describe('loading', () => {
  it('removes only the leftovers of a killed server when the note is stored again', async () => {
    const { id } = await add();
    const folder = join(data, 'notebook', id);
    for (const name of ['.note.json.0a1b2c3d.tmp', '.note.json.bak', 'mine.tmp'])
      await writeFile(join(folder, name), 'half');
    const again = await open();
    await again.save(again.get(id));
    expect((await readdir(folder)).sort()).toEqual(['.note.json.bak', 'mine.tmp', 'note.json']);
    await again.close();
  });

  it('serves the readable notes and leaves the others alone [S70]', async () => {
    const good = await add();
    const put = async (id: string, content: string | Buffer) => {
      await mkdir(join(data, 'notebook', id));
      await writeFile(join(data, 'notebook', id, 'note.json'), content);
    };
    const text = await readFile(join(data, 'notebook', good.id, 'note.json'), 'utf8');
    const bad: [string, string | Buffer][] = [
      ['torn', text.slice(0, 100)],
      ['empty', ''],
      ['list', '[]'],
      ['null', 'null'],
      ['bytes', Buffer.from([0, 255, 254, 1])],
      ['nothing', '{}'],
    ];
    for (const [id, content] of bad) await put(id, content);
    await put('marked', `\uFEFF${text}`);
    await mkdir(join(data, 'notebook', 'none'));
    await mkdir(join(data, 'notebook', 'folder', 'note.json'), { recursive: true });
    await mkdir(join(data, 'notebook', 'with blank'));
    await writeFile(join(data, 'notebook', 'file'), text);
    await symlink(join(data, 'notebook', good.id), join(data, 'notebook', 'link'));
    const lines: unknown[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line));
    const again = await open(createLog('warn', { write }));
    expect(
      again
        .all()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([good.id, 'marked'].sort());
    for (const [id, content] of bad) {
      expect(await readFile(join(data, 'notebook', id, 'note.json'))).toEqual(Buffer.from(content));
      expect(lines).toContainEqual(
        expect.objectContaining({ note: id, msg: 'a note cannot be read and is skipped' }),
      );
    }
  });

  it('ignores leftovers of an interrupted write or removal', async () => {
    const { id } = await add();
    await writeFile(join(data, 'notebook', id, '.note.json.0123.tmp'), '{"torn');
    await mkdir(join(data, 'notebook', `.removed-2GONE-0123`));
    await writeFile(join(data, 'notebook', `.removed-2GONE-0123`, 'note.json'), '{}');
    expect((await open()).all().map((note) => note.id)).toEqual([id]);
    expect(await readdir(join(data, 'notebook'))).toEqual([id]);
  });

  it('loads added notes and forgets removed ones when asked to', async () => {
    const [kept, gone] = [await add('kept'), await add('gone')];
    await mkdir(join(data, 'notebook', '2NEW'));
    await writeFile(join(data, 'notebook', '2NEW', 'note.json'), '{"name":"new","paragraphs":[]}');
    await rm(join(data, 'notebook', gone.id), { recursive: true });
    await notes.reload();
    expect(
      notes
        .all()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['kept', 'new']);
    expect(notes.find(kept.id)).toBe(kept);
  });
});

describe('reloading', () => {
  const file = (id: string) => join(data, 'notebook', id, 'note.json');
  /** An external change of a file. */
  async function rewrite(
    id: string,
    change: (raw: { name: string; paragraphs: Record<string, unknown>[] }) => void,
  ): Promise<void> {
    const raw = JSON.parse(await readFile(file(id), 'utf8')) as Parameters<typeof change>[0];
    change(raw);
    await writeFile(file(id), JSON.stringify(raw));
  }

  it('loads a changed file into the objects that handlers hold, and reports it', async () => {
    const note = await notes.add(
      newNote('a', [
        newParagraph({ text: 'one' }),
        newParagraph({ text: 'two' }),
        newParagraph({ text: 'three' }),
      ]),
    );
    const untouched = await add('b');
    const [first, second, third] = note.paragraphs;
    note.paragraphs[0]!.title = 'gone';
    await notes.save(note);
    await rewrite(note.id, (raw) => {
      raw.name = 'renamed';
      raw.paragraphs[0]!['text'] = 'one, by somebody else';
      delete raw.paragraphs[0]!['title'];
      raw.paragraphs = [raw.paragraphs[2]!, raw.paragraphs[0]!, { text: 'new' }];
    });
    const told: string[] = [];
    notes.onChange = (id) => told.push(id);
    expect(await notes.reload()).toEqual({ added: [], changed: [note.id], removed: [] });
    expect(told).toEqual([note.id]);
    expect(notes.get(note.id)).toBe(note);
    expect(note.name).toBe('renamed');
    expect(note.paragraphs.map(({ text }) => text)).toEqual([
      'three',
      'one, by somebody else',
      'new',
    ]);
    expect([note.paragraphs[0], note.paragraphs[1]]).toEqual([third, first]);
    expect(note.paragraphs[0]).toBe(third);
    expect(note.paragraphs[1]).toBe(first);
    expect(note.paragraphs).not.toContain(second);
    expect('title' in first!).toBe(false);
    // The changed text has a new revision, so that edits of the old one are noticed; the others
    // keep theirs.
    expect([first!.rev, third!.rev]).toEqual([2, 1]);
    expect(await notes.reload()).toEqual({ added: [], changed: [], removed: [] });
    await notes.save(note);
    expect((await stored(note.id)).paragraphs.map(({ text }) => text)).toEqual([
      'three',
      'one, by somebody else',
      'new',
    ]);
    expect(await notes.reload()).toEqual({ added: [], changed: [], removed: [] });
    expect(untouched.name).toBe('b');
  });

  it('reports added and removed notes, also if only the file is gone', async () => {
    const [folderGone, fileGone] = [await add('a'), await add('b')];
    await mkdir(join(data, 'notebook', '2NEW'));
    await writeFile(file('2NEW'), '{"name":"new","paragraphs":[]}');
    await rm(join(data, 'notebook', folderGone.id), { recursive: true });
    await rm(file(fileGone.id));
    expect(await notes.reload()).toEqual({
      added: ['2NEW'],
      changed: [],
      removed: [folderGone.id, fileGone.id],
    });
    expect(notes.all().map(({ id }) => id)).toEqual(['2NEW']);
    // Changes after the first reload are noticed too, and so are changes of a note that a reload
    // found.
    await rewrite('2NEW', (raw) => (raw.name = 'newer'));
    expect(await notes.reload()).toMatchObject({ changed: ['2NEW'] });
    expect(notes.get('2NEW').name).toBe('newer');
  });

  it('leaves a note with unsaved changes alone', async () => {
    const note = await add();
    await rewrite(note.id, (raw) => (raw.name = 'theirs'));
    note.name = 'mine';
    const saving = notes.save(note);
    expect(await notes.reload()).toMatchObject({ changed: [] });
    await saving;
    expect(note.name).toBe('mine');
    expect((await stored(note.id)).name).toBe('mine');
    expect(await notes.reload()).toMatchObject({ changed: [] });
  });

  it('leaves a note alone that is stored while its file is read', async () => {
    const note = await add();
    await rewrite(note.id, (raw) => (raw.name = 'theirs'));
    const reloading = notes.reload();
    note.name = 'mine';
    await Promise.all([reloading, notes.save(note)]);
    expect(note.name).toBe('mine');
    expect((await stored(note.id)).name).toBe('mine');
  });

  it('leaves a note alone that could not be stored, or that is running', async () => {
    const [failed, running] = [await add('failed'), await add('running')];
    const heal = await broken(failed.id);
    failed.paragraphs[0]!.text = 'only in memory';
    await expect(notes.save(failed)).rejects.toThrow('file system');
    running.paragraphs[0]!.status = 'RUNNING';
    await rewrite(running.id, (raw) => (raw.paragraphs[0]!['text'] = 'theirs'));
    expect(await notes.reload()).toEqual({ added: [], changed: [], removed: [] });
    expect(failed.paragraphs[0]!.text).toBe('only in memory');
    expect(running.paragraphs[0]).toMatchObject({ text: 'one', status: 'RUNNING' });
    running.paragraphs[0]!.status = 'FINISHED';
    expect(await notes.reload()).toMatchObject({ changed: [running.id] });
    expect(running.paragraphs[0]!.text).toBe('theirs');
    await heal();
    await expect.poll(() => notes.isHealthy).toBe(true);
    expect((await stored(failed.id)).paragraphs).toMatchObject([{ text: 'only in memory' }]);
  });

  it.each(['{"torn', '[]', ''])(
    'keeps the note in memory if the file is damaged (%j)',
    async (content) => {
      const note = await add();
      await writeFile(file(note.id), content);
      expect(await notes.reload()).toEqual({ added: [], changed: [], removed: [] });
      expect(notes.get(note.id).paragraphs).toMatchObject([{ text: 'one' }]);
    },
  );

  it('forgets nothing if the data folder is missing', async () => {
    const note = await add();
    await rename(join(data, 'notebook'), join(data, 'away'));
    await expect(notes.reload()).rejects.toThrow('ENOENT');
    expect(notes.get(note.id)).toBe(note);
    await rename(join(data, 'away'), join(data, 'notebook'));
  });
});

describe('saving', () => {
  it('resolves when the note is on disk, however many saves run concurrently', async () => {
    const note = await add();
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        note.paragraphs = [...note.paragraphs, newParagraph({ text: `text ${n}` })];
        await notes.save(note);
        expect((await stored(note.id)).paragraphs.map(({ text }) => text)).toContain(`text ${n}`);
      }),
    );
  });

  it("reverts and reports a change that can't be stored", async () => {
    const note = await add();
    const heal = await broken(note.id);
    note.name = 'changed';
    await expect(notes.save(note, () => (note.name = 'a/b'))).rejects.toThrow(
      'Oops! There is something wrong with the notebook file system (ENOTDIR). ' +
        'Nothing was changed.',
    );
    expect(note.name).toBe('a/b');
    expect(notes.isHealthy).toBe(false);
    await heal();
    expect((await stored(note.id)).name).toBe('a/b');
  });

  it('reverts and rejects changes that arrive during a failing write, newest first', async () => {
    const note = await add();
    const folder = join(data, 'notebook', note.id);
    await broken(note.id);
    const undone: string[] = [];
    const save = (name: string, before: string) => {
      note.name = name;
      return notes
        .save(note, () => {
          undone.push(name);
          note.name = before;
          if (name !== '1') return;
          // The disk works again before the next write begins, so that write succeeds, but without
          // its change.
          rmSync(folder);
          renameSync(`${folder}.away`, folder);
        })
        .then(
          () => 'stored',
          () => 'refused',
        );
    };
    const first = save('1', 'a/b');
    await Promise.resolve();
    expect(await Promise.all([first, save('2', '1'), save('3', '2')])).toEqual([
      'refused',
      'refused',
      'refused',
    ]);
    expect(undone).toEqual(['3', '2', '1']);
    expect(note.name).toBe('a/b');
    expect((await stored(note.id)).name).toBe('a/b');
    expect(notes.isHealthy).toBe(true);
  });

  it('stores changes without an undo by itself once the disk works again', async () => {
    const note = await add();
    const heal = await broken(note.id);
    note.paragraphs[0]!.status = 'FINISHED';
    await expect(notes.save(note)).rejects.toThrow('file system');
    await heal();
    await expect.poll(() => notes.isHealthy).toBe(true);
    expect((await stored(note.id)).paragraphs).toMatchObject([{ status: 'FINISHED' }]);
  });

  it("adds a note that can't be stored neither to memory nor to the disk", async () => {
    const folder = join(data, 'notebook');
    await rename(folder, `${folder}.away`);
    await writeFile(folder, '');
    await expect(add()).rejects.toThrow('file system (ENOTDIR)');
    expect(notes.all()).toEqual([]);
    await rm(folder);
    await rename(`${folder}.away`, folder);
    expect(await readdir(folder)).toEqual([]);
    expect(notes.isHealthy).toBe(true);
  });
});

describe('removing', () => {
  it('leaves nothing behind, also while the note is being saved', async () => {
    for (let n = 0; n < 20; n += 1) {
      const note = await add(`note ${n}`);
      const saves = Array.from({ length: 3 }, () =>
        notes.save(note).catch((error: Error) => error.message),
      );
      await Promise.resolve();
      await notes.remove(note.id);
      for (const end of await Promise.all(saves))
        expect([undefined, `No such note: ${note.id}`]).toContain(end);
      expect(notes.find(note.id)).toBeUndefined();
    }
    expect(await readdir(join(data, 'notebook'))).toEqual([]);
    expect((await open()).all()).toEqual([]);
  });

  it('is not undone by a concurrent reload', async () => {
    const note = await add();
    await Promise.all([notes.remove(note.id), notes.reload(), notes.reload()]);
    expect(notes.all()).toEqual([]);
  });

  it('keeps the note if the disk rejects the removal', async () => {
    const note = await add();
    const folder = join(data, 'notebook');
    await rename(folder, `${folder}.away`);
    await writeFile(folder, '');
    await expect(notes.remove(note.id)).rejects.toThrow('Nothing was changed.');
    expect(notes.find(note.id)).toBe(note);
    await rm(folder);
    await rename(`${folder}.away`, folder);
    await notes.save(note);
    expect((await stored(note.id)).name).toBe('a/b');
  });

  it('rejects a note that does not exist or is already being removed', async () => {
    await expect(notes.remove('2NOSUCHID')).rejects.toThrow('No such note: 2NOSUCHID');
    const note = await add();
    const first = notes.remove(note.id);
    await expect(notes.remove(note.id)).rejects.toThrow('No such note');
    await first;
  });
});

describe('closing', () => {
  it('waits for saves that have begun, and stores nothing afterwards', async () => {
    const note = await add();
    const saves = ['b', 'c', 'd'].map((name) => {
      note.name = name;
      return notes.save(note);
    });
    await notes.close();
    expect((await stored(note.id)).name).toBe('d');
    await Promise.all(saves);

    note.name = 'e';
    const late = notes.save(note, () => (note.name = 'd'));
    await expect(late).rejects.toMatchObject({ status: 503 });
    expect(note.name).toBe('d');
    expect((await stored(note.id)).name).toBe('d');
    await expect(notes.remove(note.id)).rejects.toMatchObject({ status: 503 });
    await expect(add('f')).rejects.toMatchObject({ status: 503 });
    expect((await open()).all().map(({ name }) => name)).toEqual(['d']);
  });

  it('waits for a save that the disk rejects', async () => {
    const note = await add();
    const repair = await broken(note.id);
    note.name = 'b';
    const save = expect(notes.save(note, () => (note.name = 'a/b'))).rejects.toThrow('Oops!');
    await notes.close();
    await save;
    await repair();
    expect((await stored(note.id)).name).toBe('a/b');
  });
});
