import { sendKeys } from '@web/test-runner-commands';
import { createRef } from 'react';
import { type Mounted, mount, pause, same, waitUntil } from '../../result/test-support.tsx';
import { strictPage } from '../../ui/testing/test-setup.ts';
import { type EditorHandle, editorSheets, type FindMark, ParagraphEditor } from '../index.ts';

const lines = Array.from({ length: 300 }, (_, index) => `select ${index} from flights`);
const value = lines.join('\n');
const at = (line: number, current = false): FindMark => {
  const from = value.indexOf(lines[line]!) + 'select '.length;
  return { from, to: from + String(line).length, ...(current ? { current } : {}) };
};
const marked = (shown: Mounted): unknown =>
  shown
    .all('.find-match')
    .map((mark) => [mark.textContent, mark.classList.contains('find-current')]);

describe('find marks', () => {
  strictPage();
  let shown: Mounted;
  const changes: string[] = [];
  const handle = createRef<EditorHandle>();
  const draw = (marks: readonly FindMark[], text = value, open = false) => (
    <ParagraphEditor
      handle={handle}
      value={text}
      language="sql"
      onChange={(next) => changes.push(next)}
      marks={marks}
      autoFocus={open}
    />
  );
  afterEach(async () => {
    window.scrollTo(0, 0);
    await pause(200);
  });

  it('are shown in static code on top of highlighting, and follow the owner', async () => {
    shown = mount(draw([at(3), at(5, true)]), editorSheets);
    await waitUntil(
      () => shown.root.querySelector('.tok-keyword') && shown.root.querySelector('.find-current'),
      'marks',
    );
    same(marked(shown), [
      ['3', false],
      ['5', true],
    ]);
    same(shown.find('.static-content').textContent, value, 'text');
    shown.render(draw([{ from: 0, to: value.indexOf('\n') + 3, current: true }]));
    // A mark across a line break and differently highlighted pieces.
    await waitUntil(
      () =>
        shown
          .all('.find-current')
          .map((mark) => mark.textContent)
          .join('') === 'select 0 from flightsse',
      'a mark over two lines',
    );
    shown.render(draw([]));
    await waitUntil(() => shown.all('.find-match').length === 0, 'none');
  });

  it('are shown in the open editor, move with its text, and report no change', async () => {
    changes.length = 0;
    shown = mount(draw([at(3), at(5, true)], value, true), editorSheets);
    await waitUntil(
      () =>
        shown.root.activeElement?.matches('.cm-content') &&
        shown.all('.cm-line .find-match').length === 2,
      'marks',
    );
    same(marked(shown), [
      ['3', false],
      ['5', true],
    ]);
    handle.current!.focus('start');
    handle.current!.insert('-- what\n');
    await waitUntil(() => shown.find('.cm-line').textContent === '-- what', 'text');
    same(
      marked(shown),
      [
        ['3', false],
        ['5', true],
      ],
      'after an insertion before them',
    );
    same(changes, [`-- what\n${value}`], 'only the insertion is reported');
    shown.render(draw([], changes[0], true));
    await waitUntil(() => shown.all('.find-match').length === 0, 'none');
  });

  for (const open of [false, true]) {
    it(`scroll into view on request without focus: ${open ? 'open' : 'closed'}`, async () => {
      shown = mount(
        <>
          {draw([at(250, true)], value, open)}
          <button type="button">else</button>
        </>,
        editorSheets,
      );
      await waitUntil(() => shown.root.querySelector(open ? '.cm-editor' : '.tok-keyword'), 'code');
      if (open) await waitUntil(() => shown.root.activeElement?.matches('.cm-content'), 'focus');
      shown.find('button').focus({ preventScroll: true });
      window.scrollTo(0, 0);
      const { from, to } = at(250);
      handle.current!.reveal(from, to);
      const mark = await waitUntil(() => shown.root.querySelector('.find-current'), 'mark');
      const third = (window.innerHeight - 103) / 3;
      await waitUntil(
        () => Math.abs(mark.getBoundingClientRect().bottom - (window.innerHeight - third)) < 30,
        'one third from the lower edge',
      );
      same(shown.root.activeElement?.tagName, 'BUTTON');
    });
  }

  it('scrolls the page with the cursor while typing, but only near an edge', async () => {
    shown = mount(draw([], value, true), editorSheets);
    await waitUntil(() => shown.root.activeElement?.matches('.cm-content'), 'focus');
    const cursor = async () =>
      (
        await waitUntil(
          () =>
            shown
              .all('.cm-line')
              .find(
                (line) =>
                  line.textContent?.startsWith('select x') ||
                  line.textContent === 'select 150 from flights',
              ),
          'line',
        )
      ).getBoundingClientRect();
    const { from } = at(150);
    const top = shown.find('.cm-content').getBoundingClientRect().top + window.scrollY;
    const line = top + 150 * shown.find('.cm-line').getBoundingClientRect().height;
    const third = (window.innerHeight - 103) / 3;
    for (const [where, expected] of [
      [window.innerHeight - 30, window.innerHeight - third],
      [103 + 20, 103 + third],
      [window.innerHeight / 2, window.innerHeight / 2],
    ] as const) {
      handle.current!.focus({ offset: from });
      await pause(50);
      window.scrollTo(0, line - where);
      await pause(120);
      await sendKeys({ type: 'x' });
      await pause(80);
      const { top: now } = await cursor();
      if (Math.abs(now - expected) > 30)
        throw new Error(`the line is at ${now} instead of ${expected}`);
    }
  });

  it('returns the selection and the offset at a point', async () => {
    shown = mount(draw([], 'one two', true), editorSheets);
    await waitUntil(() => shown.root.activeElement?.matches('.cm-content'), 'focus');
    handle.current!.focus({ offset: 4 });
    same(handle.current!.selection(), { from: 4, to: 4 });
    const { left, top } = shown.find('.cm-line').getBoundingClientRect();
    const text = shown.find('.cm-line').firstChild!;
    const range = document.createRange();
    range.setStart(text, 3);
    range.setEnd(text, 4);
    same(handle.current!.offsetAt(range.getBoundingClientRect().left + 1, top + 5), 3);
    same(handle.current!.offsetAt(left - 5000, top - 5000), null);
  });
});
