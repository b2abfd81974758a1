import type { Paragraph } from '@tiding/client/protocol';
import { check, same, waitUntil } from '../../result/test-support.tsx';
import { testPage } from '../../ui/testing/test-page.ts';
import { notebook } from '../notebook.tsx';
import { type PageServer, pageServer, paragraph } from '../test-server.ts';
import type { NoteUi } from '../ui/note-ui.ts';
import { outputChanges, settingChanges } from './changes.ts';
import { diffText, foldRows, MAX_LINES, markedPieces } from './diff.ts';
import { goToRevision } from './revisions.ts';

const page = testPage<{ note: string; revision: string }>(notebook);
const { root, button } = page;
let server: PageServer;

/** Shows a note, or the revision whose id `prepare` returns. */
async function open(
  paragraphs: Paragraph[],
  prepare?: (made: PageServer) => Promise<string>,
): Promise<void> {
  server = pageServer(paragraphs);
  const revision = await prepare?.(server);
  await page.show(
    server.client,
    { note: 'note', ...(revision === undefined ? {} : { revision }) },
    null,
  );
}
const checkpoint = async (made: PageServer): Promise<string> => {
  const note = await made.client.open('note');
  const id = (await note.revisions.checkpoint('as it was'))[1]!.id;
  note.paragraph('a').edit('changed since');
  await note.commit();
  note.close();
  return id;
};

/** Opens the menu of the note, and returns the words of its entries. */
async function menu(): Promise<(string | null)[]> {
  button('More')!.click();
  const entries = () => [...root().querySelectorAll('[role=menu] [role^=menuitem]')];
  await waitUntil(() => entries().length > 5, 'the menu');
  return entries().map(({ textContent }) => textContent);
}

describe('the revisions of a notebook', () => {
  it('are in the bar only if the server supports them', async () => {
    await open([paragraph('a', 'one')]);
    await waitUntil(() => button('Revision: Head'), 'the version control');
    check((await menu()).includes('Compare revisions'), 'the comparator');
    page.close();
    await open([paragraph('a', 'one')], async (made) => {
      await made.client.notes.configurations();
      made.say('CONFIGURATIONS_INFO', { configurations: { isRevisionSupported: 'false' } });
      await waitUntil(
        () => made.client.state.configurations?.['isRevisionSupported'] === 'false',
        'the answer',
      );
      const note = await made.client.open('note');
      same(await note.revisions.supported(), false);
      note.close();
      return undefined as unknown as string;
    });
    await waitUntil(() => root().querySelector('article'), 'the note');
    check(!button('Revision: Head'), 'no version control');
    check(!(await menu()).includes('Compare revisions'), 'no comparator');
  });

  it('are shown unchanged and read-only [W19 D39]', async () => {
    await open([paragraph('a', 'one', { config: { title: true }, title: 'A title' })], checkpoint);
    const article = await waitUntil(() => root().querySelector('article'), 'the revision');
    check(
      article.textContent!.includes('one') && !article.textContent!.includes('changed since'),
      'the old text',
    );
    same(article.querySelectorAll('header button').length, 0);
    same(root().querySelectorAll('.add-bar, .insert').length, 0);
    const sent = server.received.length;
    article.dispatchEvent(
      new KeyboardEvent('keydown', {
        key: 'd',
        code: 'KeyD',
        ctrlKey: true,
        altKey: true,
        bubbles: true,
        composed: true,
      }),
    );
    same(
      server.received
        .slice(sent)
        .filter(
          ({ op }) =>
            op !== 'LIST_NOTES' && op !== 'LIST_CONFIGURATIONS' && op !== 'LIST_REVISION_HISTORY',
        ).length,
      0,
    );
  });

  it('without an id report a problem and do not navigate [W103]', () => {
    const told: string[] = [];
    const host = document.createElement('div');
    host.addEventListener('tiding-open-note', (event) => {
      event.preventDefault();
      told.push(JSON.stringify((event as CustomEvent).detail));
    });
    const ui = {
      note: { noteId: 'n', revision: undefined },
      host,
      messages: { error: (message: string) => told.push(message) },
    } as unknown as NoteUi;
    for (const id of ['', 'r1', 'Head']) goToRevision(ui, id);
    goToRevision({ ...ui, note: { noteId: 'n', revision: 'r1' } } as unknown as NoteUi, 'Head');
    same(told, [
      'There is a problem with this Revision',
      '{"noteId":"n","revisionId":"r1"}',
      '{"noteId":"n"}',
    ]);
  });
});

describe('comparing two texts', () => {
  it('shows changed lines, with marks on the words that changed', async () => {
    const { rows, added, removed } = await diffText(
      'select 10\nfrom flights\nwhere x',
      'select 15\nfrom flights\nwhere x\nlimit 5',
    );
    same(
      rows.map(({ kind, text, before, after }) => [kind, text, before ?? 0, after ?? 0]),
      [
        ['removed', 'select 10', 1, 0],
        ['added', 'select 15', 0, 1],
        ['same', 'from flights', 2, 2],
        ['same', 'where x', 3, 3],
        ['added', 'limit 5', 0, 4],
      ],
    );
    same([added, removed], [2, 1]);
    same(rows[0]!.marks, [[7, 9]]);
    same(rows[4]!.marks, []);
  });

  it('keeps both texts complete, for any input', async () => {
    const word = (n: number) => ['a', 'b b', '', 'ü 😀', '%sql'][n % 5]!;
    for (let seed = 1; seed < 60; seed += 1) {
      const make = (step: number) =>
        Array.from({ length: seed % 17 }, (_, n) => word((n * step * seed) ^ (n >> 1))).join('\n');
      const [one, two] = [make(3), make(7)];
      const { rows } = await diffText(one, two);
      same(
        rows
          .filter(({ kind }) => kind !== 'added')
          .map(({ text }) => text)
          .join('\n'),
        one,
        `first of ${seed}`,
      );
      same(
        rows
          .filter(({ kind }) => kind !== 'removed')
          .map(({ text }) => text)
          .join('\n'),
        two,
        `second of ${seed}`,
      );
    }
  });

  it('reports that texts over the line limit are cut', async () => {
    const lines = Array.from({ length: MAX_LINES + 5 }, (_, n) => String(n));
    const { rows, cut } = await diffText(lines.join('\n'), lines.slice(2).join('\n'));
    check(cut, 'the text is cut');
    same(rows.filter(({ kind }) => kind === 'removed').length, 2);
  });

  it('folds unchanged lines, except for three lines around a change', async () => {
    const lines = Array.from({ length: 40 }, (_, n) => `line ${n}`);
    const { rows } = await diffText(
      lines.join('\n'),
      lines.map((line, n) => (n === 20 ? 'other' : line)).join('\n'),
    );
    same(
      foldRows(rows).map(({ folded, rows: part }) => [folded, part.length]),
      [
        [true, 17],
        [false, 8],
        [true, 16],
      ],
    );
    same(
      foldRows((await diffText('a\nb', 'a\nb')).rows).map(({ folded }) => folded),
      [false],
    );
  });

  it('keeps syntax colours under marks', () => {
    same(
      markedPieces(
        [
          { text: 'select ', className: 'k' },
          { text: '10', className: 'n' },
        ],
        [[5, 8]],
      ).map(({ text, className, marked }) => [text, className, marked]),
      [
        ['selec', 'k', false],
        ['t ', 'k', true],
        ['1', 'n', true],
        ['0', 'n', false],
      ],
    );
  });
});

describe('comparing a paragraph of two revisions', () => {
  it('includes its settings and outputs', () => {
    const [before, after] = [
      paragraph('a', 'x', {
        title: 'T',
        config: { colWidth: 12, editorMode: 'ace/mode/sql' },
        results: {
          code: 'SUCCESS',
          msg: [
            { type: 'TABLE', data: 'a\n1' },
            { type: 'TEXT', data: 'same' },
          ],
        },
      }),
      paragraph('a', 'x', {
        config: { colWidth: 6 },
        settings: { params: { limit: 5 }, forms: {} },
        results: {
          code: 'SUCCESS',
          msg: [
            { type: 'TABLE', data: 'a\n2' },
            { type: 'TEXT', data: 'same' },
            { type: 'TEXT', data: 'new' },
          ],
        },
      }),
    ];
    same(settingChanges(before, after), [
      { name: 'title', before: '"T"' },
      { name: 'config.colWidth', before: '12', after: '6' },
      { name: 'form.limit', after: '5' },
    ]);
    same(outputChanges(before, after), [
      { index: 0, type: 'TABLE', before: 'a\n1', after: 'a\n2' },
      { index: 2, type: 'TEXT', after: 'new' },
    ]);
  });
});
