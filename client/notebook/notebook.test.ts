import { beforeEach, describe, expect, it } from 'vitest';
import { TextConflict, TextHistory } from '../model/text/text-history.ts';
import type { Sends } from '../protocol/index.ts';
import {
  applyChange,
  copiedNote,
  createNote,
  createParagraph,
  filledForms,
  folderRename,
  folderTrashing,
  importedNote,
  type NotebookRules,
  type NoteChange,
  type NoteOperationName,
  noteMoveChange,
  noteOperation,
  noteRename,
  noteTrashing,
  type ParagraphContent,
  paragraphRemoval,
  RemovedValues,
  runContents,
  runEnd,
  runGrowth,
  runnableContent,
  runningNotes,
  runStart,
  runWholeNote,
  type StoredNote,
  updatedPath,
  validPath,
  versionChange,
} from './index.ts';

const limits = { maxParagraphs: 4, maxTextBytes: 10, maxPathDepth: 3, maxNameBytes: 20 };
let rules: NotebookRules;
let note: StoredNote;

function noteOf(name: string, ...texts: string[]): StoredNote {
  const paragraphs = texts.map((text) => createParagraph(rules.ids, { text }));
  return createNote(rules.ids, name, paragraphs);
}

beforeEach(() => {
  let count = 0;
  rules = {
    ids: {
      note: () => `n${(count += 1)}`,
      paragraph: () => ({ id: `p${(count += 1)}`, jobName: 'job' }),
    },
    limits,
    canSchedule: false,
    texts: new TextHistory(),
    removedValues: new RemovedValues(10, 1_000),
  };
  note = noteOf('a/b', '%sql one', 'two', 'three');
});

/** Applies a change and returns the names of its messages. */
function make(change: NoteChange): string[] {
  applyChange(note, change);
  return change.messages.map(({ op }) => op);
}
const act = <Op extends NoteOperationName>(op: Op, data: Sends[Op], isSequential = false) =>
  make(noteOperation(op)({ note, data, user: 'ann', isSequential }, rules));
const texts = () => note.paragraphs.map(({ text }) => text);
const commit = (paragraph: string, baseRev: number, author: string, authorSeq = 1) =>
  act('COMMIT_PARAGRAPH', { id: 'p1', paragraph, baseRev, author, authorSeq });

describe('changes of a note', () => {
  it.each<[NoteOperationName, object, string[], string[]]>([
    ['INSERT_PARAGRAPH', { index: 1 }, ['%sql one', '%sql\n', 'two', 'three'], ['PARAGRAPH_ADDED']],
    ['INSERT_PARAGRAPH', { index: 2 }, ['%sql one', 'two', '', 'three'], ['PARAGRAPH_ADDED']],
    [
      'COPY_PARAGRAPH',
      { index: 3, paragraph: 'two' },
      ['%sql one', 'two', 'three', 'two'],
      ['PARAGRAPH_ADDED', 'PARAGRAPH'],
    ],
    ['MOVE_PARAGRAPH', { id: 'p1', index: 2 }, ['two', 'three', '%sql one'], ['PARAGRAPH_MOVED']],
    ['COMMIT_PARAGRAPH', { id: 'p2', paragraph: 'x' }, ['%sql one', 'x', 'three'], ['PARAGRAPH']],
    ['PARAGRAPH_CLEAR_ALL_OUTPUT', { id: 'n4' }, ['%sql one', 'two', 'three'], ['NOTE']],
  ])('%s %j', (op, data, expected, messages) => {
    expect(act(op, data as Sends[typeof op])).toEqual(messages);
    expect(texts()).toEqual(expected);
  });

  it.each<[NoteOperationName, object, string]>([
    ['INSERT_PARAGRAPH', { index: 4 }, 'Paragraph index 4 is outside this note.'],
    ['INSERT_PARAGRAPH', { index: 0.5 }, 'Paragraph index 0.5 is outside this note.'],
    ['MOVE_PARAGRAPH', { id: 'p1', index: 3 }, 'newIndex 3 is out of bounds'],
    ['MOVE_PARAGRAPH', { id: 'p9', index: 0 }, 'No such paragraph: p9'],
    ['COMMIT_PARAGRAPH', { id: 'p1', paragraph: 'äöüäöü' }, 'at most 10 bytes of text'],
    ['UPDATE_PERSONALIZED_MODE', { id: 'n4', personalized: 'yes' }, 'must be "true" or "false"'],
    [
      'TIDING_RESTORE_PARAGRAPH',
      { index: 0, paragraph: { id: '../p' } },
      'the paragraph id is invalid',
    ],
  ])('%s %j is rejected and changes nothing', (op, data, message) => {
    const before = structuredClone(note);
    expect(() => act(op, data as Sends[typeof op])).toThrow(message);
    expect(note).toEqual(before);
  });

  it('modifies nothing before it is applied', () => {
    const before = structuredClone(note);
    const change = noteOperation('MOVE_PARAGRAPH')(
      { note, data: { id: 'p1', index: 2 }, user: 'ann', isSequential: false },
      rules,
    );
    expect(note).toEqual(before);
    applyChange(note, change);
    expect(note).not.toEqual(before);
  });

  it('adds no paragraph to a full note', () => {
    act('INSERT_PARAGRAPH', { index: 0 });
    expect(() => act('INSERT_PARAGRAPH', { index: 0 })).toThrow('at most 4 paragraphs');
  });
});

describe('text', () => {
  beforeEach(() => {
    rules = { ...rules, limits: { ...limits, maxTextBytes: 100 } };
    note.paragraphs[0]!.text = 'one\ntwo\nthree';
  });

  it('is merged with changes since the base, also if they overlap', () => {
    commit('ONE\ntwo\nthree', 1, 'ann');
    commit('one\ntwo\nTHREE', 1, 'ben');
    expect(note.paragraphs[0]).toMatchObject({ text: 'ONE\ntwo\nTHREE', rev: 3, author: 'ben' });
    commit('1\ntwo\nthree', 1, 'cleo');
    expect(() => commit('one', 7, 'dan')).toThrow(TextConflict);
    expect(note.paragraphs[0]).toMatchObject({ text: '1ONE\ntwo\nTHREE', rev: 4 });
  });

  it('counts once if it is sent again', () => {
    commit('ONE\ntwo\nthree', 1, 'ann');
    commit('ONE\ntwo\nTHREE', 2, 'ben');
    commit('ONE\ntwo\nthree', 1, 'ann');
    expect(note.paragraphs[0]).toMatchObject({ text: 'ONE\ntwo\nTHREE', rev: 3 });
  });

  it('marks the result as outdated only if the text or a value changes', () => {
    const [paragraph] = note.paragraphs;
    Object.assign(paragraph!, { dateUpdated: 'before' });
    act('COMMIT_PARAGRAPH', { id: 'p1', title: 'T', config: { colWidth: 6 }, params: {} });
    expect(paragraph).toMatchObject({ title: 'T', dateUpdated: 'before' });
    expect(paragraph!.config).toEqual({ enabled: true, colWidth: 6 });
    act('COMMIT_PARAGRAPH', { id: 'p1', params: { x: 1 } });
    expect(paragraph!.dateUpdated).not.toBe('before');
  });

  it('is patched for the others, and answered to a sender who names a revision', () => {
    const patch = '@@ -1,7 +1,7 @@\n-one\n+ONE\n %0Atwo\n';
    const data = { id: 'p1', noteId: note.id, patch };
    const messages = (baseRev?: number) =>
      noteOperation('PATCH_PARAGRAPH')(
        { note, data: { ...data, baseRev }, user: 'ann', isSequential: false },
        rules,
      ).messages.map((message) => ('to' in message ? message.to : undefined));
    expect(messages()).toEqual(['others']);
    expect(messages(1)).toEqual(['others', 'sender']);
    expect(() => messages(7)).toThrow('The patch does not fit');
    expect(() => act('PATCH_PARAGRAPH', data, true)).toThrow('running sequentially');
  });
});

describe('removal and undo', () => {
  it('removes a paragraph with its values, and restores both', () => {
    const value = { name: 'v', paragraphId: 'p2', object: 1 };
    note.angularObjects = { group: [value] };
    const removed = structuredClone(note.paragraphs[1]!);
    expect(make(paragraphRemoval(note, 'p2', rules))).toEqual([
      'ANGULAR_OBJECT_REMOVE',
      'PARAGRAPH_REMOVED',
    ]);
    expect(note.angularObjects).toEqual({ group: [] });
    const undo = { noteId: note.id, index: 1, paragraph: removed };
    expect(act('TIDING_RESTORE_PARAGRAPH', undo)).toEqual([
      'PARAGRAPH_ADDED',
      'ANGULAR_OBJECT_UPDATE',
    ]);
    const { rev } = note.paragraphs[1]!;
    expect(note.paragraphs[1]).toEqual({ ...removed, rev, user: 'ann' });
    expect(note.angularObjects).toEqual({ group: [value] });
  });

  it('restores a paragraph with a revision that it never had', () => {
    const seen = structuredClone(note.paragraphs[0]!);
    commit('%sql on', 1, 'bob');
    commit('%sql o', 2, 'bob', 2);
    make(paragraphRemoval(note, 'p1', rules));
    act('TIDING_RESTORE_PARAGRAPH', { noteId: note.id, index: 0, paragraph: seen });
    const { rev } = note.paragraphs[0]!;
    commit('%sql one!', rev, 'cyd');
    // Bob typed this before the removal. It must not be applied to Cyd's text.
    expect(() => commit('%sql o?', 2, 'bob', 3)).toThrow('changed by another user');
    expect(note.paragraphs[0]!.text).toBe('%sql one!');
  });

  it('restores the output of a paragraph that still exists, unless it has a new one', () => {
    const results = { code: 'SUCCESS', msg: [{ type: 'TEXT', data: 'old' }] };
    const before = { ...note.paragraphs[0]!, status: 'FINISHED' as const, results };
    const undo = { noteId: note.id, index: 0, paragraph: before };
    expect(act('TIDING_RESTORE_PARAGRAPH', undo)).toEqual(['PARAGRAPH']);
    expect(note.paragraphs[0]).toMatchObject({ status: 'FINISHED', results });
    expect(() => act('TIDING_RESTORE_PARAGRAPH', undo)).toThrow('has new output');
    act('PARAGRAPH_CLEAR_OUTPUT', { id: 'p1' });
    expect(note.paragraphs[0]).not.toHaveProperty('results');
  });

  it('keeps the last paragraph, and one that was changed since it was seen', () => {
    note.paragraphs[0]!.rev = 3;
    expect(() => paragraphRemoval(note, 'p1', rules, 2)).toThrow('changed by someone else');
    note.paragraphs = [note.paragraphs[0]!];
    expect(() => paragraphRemoval(note, 'p1', rules)).toThrow("can't be deleted");
  });
});

describe('names', () => {
  it.each([
    ['/x//y/', 'x/y'],
    ['a\\b', 'a/b'],
    ['u\u0308', 'ü'],
  ])('%j is stored as %j', (given, expected) => expect(validPath(given, rules)).toBe(expected));
  it.each(['', '   ', 'a/../b', 'a/b/c/d', 'x'.repeat(21), 'a\nb'])('%j is rejected', (given) => {
    expect(() => validPath(given, rules)).toThrow();
  });

  it('does not take a shortened name for a rename', () => {
    expect(['b', 'a/b', undefined, '', 'c'].map((name) => updatedPath(note, name))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'c',
    ]);
  });

  it('renames a note only to a free name', () => {
    const other = noteOf('a/c', '');
    expect(() => noteRename(note, 'a/c', [note, other], rules)).toThrow("Note '/a/c' existed");
    expect(noteRename(note, 'a/b', [note, other], rules)).toBeUndefined();
  });

  it('moves all notes of a folder or none, and numbers taken names', () => {
    const all = [note, noteOf('a/c', ''), noteOf('x/b', '')];
    const moves = folderRename({ id: 'a', name: 'x' }, all, () => {}, rules);
    for (const move of moves) applyChange(move.note, noteMoveChange(move, all));
    expect(all.map(({ name }) => name)).toEqual(['x/b (1)', 'x/c', 'x/b']);
    expect(() => folderRename({ id: 'x', name: 'x/y' }, all, () => {}, rules)).toThrow('itself');
    const refuse = () => {
      throw new Error('not yours');
    };
    expect(() => folderRename({ id: 'x', name: 'y' }, all, refuse, rules)).toThrow('not yours');
  });

  it('moves to the trash without the schedule, and dates a second folder of that name', () => {
    note.config = { ...note.config, cron: '0 0 0 * * ?' };
    make(noteTrashing(note, [note])!);
    expect(note).toMatchObject({ name: '~Trash/a/b', config: { looknfeel: 'default' } });
    expect(note.config).not.toHaveProperty('cron');
    expect(noteTrashing(note, [note])).toBeUndefined();
    const again = noteOf('a/d', '');
    const now = new Date('2026-01-02T03:04:05Z');
    expect(folderTrashing('a', [note, again], () => {}, now)).toEqual([
      { note: again, to: '~Trash/a 2026-01-02 03:04:05/d' },
    ]);
  });
});

describe('copies and versions', () => {
  it('copies with new ids, without schedule, and with runs as never run', () => {
    note.config = { ...note.config, cron: '0 0 0 * * ?', cronExecutingUser: 'ann' };
    note.paragraphs[0]!.status = 'RUNNING';
    const copy = copiedNote(note, undefined, rules);
    expect(copy).toMatchObject({ name: 'a/b copy', config: { looknfeel: 'default' } });
    expect(copy.config).not.toHaveProperty('cron');
    expect(copy.paragraphs.map(({ text, status }) => [text, status])).toEqual([
      ['%sql one', 'READY'],
      ['two', 'READY'],
      ['three', 'READY'],
    ]);
    const ids = new Set([note, copy].flatMap(({ paragraphs }) => paragraphs.map(({ id }) => id)));
    expect(ids.size).toBe(6);
  });

  it.each([{}, { paragraphs: [] }, { paragraphs: [null] }, { paragraphs: [[]] }])(
    'does not import %j',
    (raw) => expect(() => importedNote(raw, 'Imported', rules)).toThrow('Invalid JSON'),
  );

  it('restores a version, with the present texts as the base of late edits', () => {
    const version = structuredClone(note);
    act('COMMIT_PARAGRAPH', { id: 'p1', paragraph: 'new' });
    make(paragraphRemoval(note, 'p2', rules));
    const [first] = note.paragraphs;
    expect(make(versionChange(note, version, rules))).toEqual(['NOTE']);
    expect(texts()).toEqual(['%sql one', 'two', 'three']);
    expect(note.paragraphs[0]).toBe(first);
    expect(first!.rev).toBe(3);
  });
});

describe('runs', () => {
  it('starts as PENDING without the last result, and a disabled paragraph is only saved', () => {
    const [paragraph, , disabled] = note.paragraphs;
    Object.assign(paragraph!, { results: { code: 'SUCCESS' }, dateFinished: 'x', tookMs: 1 });
    const { fields, isEnabled } = runStart(paragraph!, { paragraph: 'x' }, 'ann', rules);
    applyChange(note, {
      paragraphs: new Map([[paragraph!, fields]]),
      messages: [],
      changesJob: true,
    });
    expect([isEnabled, paragraph!.status, paragraph!.text]).toEqual([true, 'PENDING', 'x']);
    for (const key of ['results', 'dateFinished', 'tookMs'])
      expect(paragraph).not.toHaveProperty(key);
    expect(() => runStart(paragraph!, {}, 'ann', rules)).toThrow('already running');
    const off = runStart(disabled!, { config: { enabled: false } }, 'ann', rules);
    expect([off.isEnabled, off.fields.status]).toEqual([false, undefined]);
    expect(runEnd('ABORT', [], 1.6)).toMatchObject({ results: { code: 'ERROR' }, tookMs: 2 });
  });

  it('tells a run that brings new content from one that does not', () => {
    const [paragraph] = note.paragraphs;
    Object.assign(paragraph!, { config: { editorHide: true }, settings: { params: { n: 1 } } });
    const bringsNew = (content: ParagraphContent) =>
      runStart(paragraph!, content, 'ann', rules).hasNewContent;
    const { text, rev: baseRev } = paragraph!;
    expect([
      bringsNew({}),
      bringsNew({ paragraph: text, baseRev, config: { editorHide: true }, params: { n: 1 } }),
      bringsNew({ paragraph: `${text}!`, baseRev }),
      bringsNew({ config: { editorHide: false } }),
      bringsNew({ params: { n: 2 } }),
    ]).toEqual([false, false, true, true, true]);
  });

  it('lets users who may not write run only the stored text', () => {
    const [paragraph] = note.paragraphs;
    const refuse = () => {
      throw new Error('may not write');
    };
    const given = { paragraph: '%sql one', title: 'T', params: { x: 1 } };
    expect(runnableContent(paragraph!, given, false, refuse)).toEqual({ params: { x: 1 } });
    expect(runnableContent(paragraph!, given, true, refuse)).toBe(given);
    expect(() => runnableContent(paragraph!, { paragraph: 'y' }, false, refuse)).toThrow('write');
  });

  it('reads the contents of a whole run', () => {
    const read = (given: string | undefined) =>
      runContents(note, given, JSON.parse, (_, content) => content);
    expect(read(undefined).size).toBe(0);
    expect(read('[{"id":"p2","paragraph":"x","title":1}]')).toEqual(
      new Map([['p2', { paragraph: 'x' }]]),
    );
    expect(() => read('{}')).toThrow('must be a JSON array');
    expect(() => read('[{"id":"p9"}]')).toThrow('None of these paragraphs');
  });

  it('fills in forms; bound and locked values override the values of forms', () => {
    const [paragraph] = note.paragraphs;
    paragraph!.text = '${a=1} ${b=2} ${c=3} $${n=4}';
    note.angularObjects = { group: [{ name: 'b', object: 'bound' }] };
    const { text, change } = filledForms(note, paragraph!, undefined, { c: 'locked' });
    expect(text).toBe('1 bound locked 4');
    expect(make(change)).toEqual(['SAVE_NOTE_FORMS']);
    expect(Object.keys(paragraph!.settings!.forms!)).toEqual(['a', 'c']);
    expect(make(filledForms(note, paragraph!, undefined).change)).toEqual([]);
  });

  it('adds an empty paragraph below the last one, unless that is empty', () => {
    expect(make(runGrowth(note, note.paragraphs[2]!, 'ann', rules)!)).toEqual(['PARAGRAPH_ADDED']);
    expect(runGrowth(note, note.paragraphs[3]!, 'ann', rules)).toBeUndefined();
  });

  it.each([
    ['to the end', 'FINISHED', ['p1', 'p2', 'p3'], 'FINISHED'],
    ['until the first failure', 'ERROR', ['p1', 'p2'], 'ERROR'],
  ] as const)('runs a whole note %s', async (_, status, expected, end) => {
    const started: string[] = [];
    const sent: string[] = [];
    let entry: { status: string } | undefined;
    await runWholeNote(note, new Map(), {
      user: 'ann',
      signal: new AbortController().signal,
      async start(id) {
        started.push(id);
        expect(runningNotes.has(note)).toBe(true);
        note.paragraphs.find((each) => each.id === id)!.status = id === 'p2' ? status : 'FINISHED';
      },
      send: ({ op }) => void sent.push(op),
      onError: () => {},
      onEnd: (given) => (entry = given),
    });
    expect([started, entry?.status, runningNotes.has(note)]).toEqual([expected, end, false]);
    expect(sent).toEqual(['NOTE_RUNNING_STATUS', 'NOTE_RUNNING_STATUS']);
  });
});
