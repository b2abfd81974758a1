import { type Client, createClient, type Note } from '@tiding/client';
import { memoryServer } from '@tiding/client/testing';
import { check, same } from '../result/test-support.tsx';
import { collaborationTexts } from './presence/texts.ts';
import { UndoStack } from './undo-stack.ts';

/** Two clients with the same note; the first has an undo stack. */
describe('the undo stack of a note', () => {
  let clients: Client[];
  let note: Note;
  let other: Note;
  let steps: UndoStack;

  const texts = () => note.paragraphs.map((paragraph) => paragraph.text);
  const ids = () => note.state.order;
  const settle = async (wanted: () => boolean): Promise<void> => {
    for (let turn = 0; turn < 200 && !wanted(); turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    check(wanted(), `the texts stay ${JSON.stringify(texts())}`);
  };
  const failure = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'none',
      (error: Error) => error.message,
    );

  beforeEach(async () => {
    const memory = memoryServer({
      notes: [
        {
          id: 'note',
          path: 'note',
          paragraphs: ['one', 'two\nmore', 'three'].map((text, index) => ({
            id: `p${index}`,
            text,
            title: `T${index}`,
          })),
        },
      ],
    });
    clients = [0, 1].map(() =>
      createClient({ server: memory.server, transport: memory.transport, fetch: memory.fetch }),
    );
    [note, other] = (await Promise.all(clients.map((client) => client.open('note')))) as [
      Note,
      Note,
    ];
    steps = new UndoStack(note, 3);
  });
  afterEach(() => clients.forEach((client) => client.close()));

  it('undoes and redoes an insertion, a move and a removal in order', async () => {
    await steps.insert(1, 'new');
    await steps.move(ids()[0]!, 2);
    same(texts(), ['new', 'two\nmore', 'one', 'three']);
    await steps.remove(ids()[1]!);
    same([texts(), steps.state.get()], [['new', 'one', 'three'], { undo: 'remove' }]);
    same(await steps.undo(), 'remove');
    same(
      [texts(), note.paragraphs[1]!.state.server.title],
      [['new', 'two\nmore', 'one', 'three'], 'T1'],
    );
    same(
      [await steps.undo(), await steps.undo(), (await steps.undo()) ?? 'nothing'],
      ['move', 'insert', 'nothing'],
    );
    same(texts(), ['one', 'two\nmore', 'three']);
    same(
      [
        await steps.redo(),
        await steps.redo(),
        await steps.redo(),
        (await steps.redo()) ?? 'nothing',
      ],
      ['insert', 'move', 'remove', 'nothing'],
    );
    same(texts(), ['new', 'one', 'three']);
  });

  it('undoes a split and a join', async () => {
    await steps.split('p1', 4);
    same(
      texts().map((text) => text.trim()),
      ['one', 'two', 'more', 'three'],
    );
    await steps.undo();
    same(
      texts().map((text) => text.replace(/\n+/g, '\n')),
      ['one', 'two\nmore', 'three'],
    );
    await steps.join('p0', ids()[1]!);
    same(note.paragraphs.length, 2);
    await steps.undo();
    same(
      texts().map((text) => text.replace(/\n+/g, '\n')),
      ['one', 'two\nmore', 'three'],
    );
  });

  it('refuses to undo an insertion that somebody has written in since', async () => {
    const made = await steps.insert(3, 'mine');
    await settle(() => other.state.order.length === 4);
    other.paragraph(made.id).edit('theirs');
    await other.commit();
    await settle(() => texts()[3] === 'theirs');
    same(await failure(steps.undo()), collaborationTexts.written);
    same(texts()[3], 'theirs');
    note.paragraphs[0]!.edit('a draft');
    const drafted = await steps.insert(3, 'again');
    note.paragraph(drafted.id).edit('again, typed');
    same(await failure(steps.undo()), collaborationTexts.written);
    same(note.paragraph(drafted.id).text, 'again, typed');
  });

  it('keeps a limited number of steps, and drops redo steps after a new one', async () => {
    for (const text of ['a', 'b', 'c', 'd']) await steps.insert(0, text);
    same(
      [
        await steps.undo(),
        await steps.undo(),
        await steps.undo(),
        (await steps.undo()) ?? 'nothing',
      ],
      ['insert', 'insert', 'insert', 'nothing'],
    );
    same(texts(), ['a', 'one', 'two\nmore', 'three']);
    await steps.move(ids()[0]!, 1);
    // An undone insertion holds a paragraph that exists nowhere else, so it can still be redone.
    same(steps.state.get(), { undo: 'move', redo: 'insert' });
    same(await steps.redo(), 'insert');
    same(texts().length, 5);
  });

  it('brings unsaved text back even if another user restored the paragraph first', async () => {
    const before = other.snapshot('p1');
    note.paragraph('p1').edit('two\nmore, unsaved');
    await steps.remove('p1');
    await settle(() => !other.state.order.includes('p1'));
    await other.restore(before);
    await settle(() => ids().includes('p1'));
    same(note.paragraph('p1').text, 'two\nmore');
    same(await steps.undo(), 'remove');
    same(note.paragraph('p1').text, 'two\nmore, unsaved');
  });

  it('merges unsaved text with text typed since; keeps it if that fails', async () => {
    for (const [typed, wanted] of [
      ['first\ntwo\nmore', 'first\ntwo\nmore, unsaved'],
      ['two\nmore or less', 'two\nmore or less'],
    ] as const) {
      const before = other.snapshot('p1');
      note.paragraph('p1').edit('two\nmore, unsaved');
      await steps.remove('p1');
      await settle(() => !other.state.order.includes('p1'));
      await other.restore(before);
      await settle(() => ids().includes('p1'));
      note.paragraph('p1').edit(typed);
      const failed = await failure(steps.undo());
      same(note.paragraph('p1').text, wanted);
      same(
        [failed, steps.held.length],
        wanted === typed ? ['The paragraph already has other unsaved text.', 1] : ['none', 0],
      );
      note.paragraph('p1').discard();
      await settle(() => other.paragraph('p1').text === 'two\nmore');
    }
  });

  it('brings the newest text back even if another user restored an older one', async () => {
    for (const [old, wanted, conflict] of [
      ['two', 'two\nmore\nlate', false],
      ['other', 'two\nmore\nlate', true],
    ] as const) {
      other.paragraph('p1').edit(old);
      await other.commit();
      await settle(() => texts()[1] === old);
      const before = other.snapshot('p1');
      note.paragraph('p1').edit('two\nmore\nlate');
      await note.commit();
      await steps.remove('p1');
      await settle(() => !other.state.order.includes('p1'));
      await other.restore(before);
      await settle(() => ids().includes('p1'));
      same(note.paragraph('p1').text, old);
      same(await steps.undo(), 'remove');
      same(
        [note.paragraph('p1').text, note.paragraph('p1').state.conflict?.theirs],
        [wanted, conflict ? old : undefined],
      );
      await (conflict ? note.paragraph('p1').keepMine() : note.commit());
      await settle(() => other.paragraph('p1').text === wanted);
    }
  });

  it('runs operations in the order in which they were requested', async () => {
    const both = Promise.all([steps.insert(0, 'first'), steps.insert(0, 'second'), steps.undo()]);
    same((await both)[2], 'insert');
    same(texts(), ['first', 'one', 'two\nmore', 'three']);
  });
});
