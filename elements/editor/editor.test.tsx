import { sendKeys, sendMouse } from '@web/test-runner-commands';
import { useState } from 'react';
import { check, type Mounted, mount, pause, same, waitUntil } from '../result/test-support.tsx';
import { strictPage } from '../ui/testing/test-setup.ts';
import { type EditorProps, editorSheets, ParagraphEditor } from './index.ts';

const sql = '%duckdb\nselect origin, count(*) as flights\n\nfrom flights where delay > 15';
const python = '%python\n\ndef fit(x):\n    return x + 1  # why';

/** An editor whose owner stores its text. */
function Owned({ value, ...rest }: Partial<EditorProps> & { value: string }) {
  const [text, setText] = useState(value);
  return (
    <ParagraphEditor
      lineNumbers
      label="Code"
      {...rest}
      value={text}
      onChange={(next) => {
        setText(next);
        rest.onChange?.(next);
      }}
    />
  );
}

describe('editor', () => {
  strictPage();
  let shown: Mounted;
  afterEach(async () => {
    await sendMouse({ type: 'move', position: [1090, 790] });
    // Longer than the time within which a key counts as the cause of a focus.
    await pause(200);
  });

  const code = (): HTMLElement => shown.find('.code');
  const open = async (place: 'start' | 'end' = 'end'): Promise<HTMLElement> => {
    const closed = await waitUntil(() => shown.find('.code-closed'), 'closed editor');
    closed.focus();
    await waitUntil(() => shown.find('.cm-content'), 'editor');
    if (place === 'start') await sendKeys({ press: 'Control+Home' });
    return shown.find('.cm-content');
  };
  const text = (): string => [...shown.all('.cm-line')].map((line) => line.textContent).join('\n');

  it('shows a hint in a focused editor without code', async () => {
    const hint = 'Write Python, or drop a file';
    shown = mount(
      <>
        <Owned value={'%python\n'} language="python" hint={hint} />
        <button type="button">Other</button>
      </>,
      editorSheets,
    );
    const content = await open();
    const shownHint = () => shown.root.querySelector<HTMLElement>('.code-hint');
    const hinted = await waitUntil(shownHint, 'hint');
    same(hinted.dataset['text'], hint);
    same(content.getAttribute('aria-placeholder'), hint);
    same(text(), '%python\n', 'the hint is not part of the text');
    const { height } = code().getBoundingClientRect();
    await sendKeys({ type: 'x' });
    await waitUntil(() => !shownHint(), 'hint to go');
    same(code().getBoundingClientRect().height, height, 'height of the code');
    await sendKeys({ press: 'Backspace' });
    await waitUntil(shownHint, 'hint again');
    shown.find('button').focus();
    await waitUntil(() => !shownHint(), 'hint to go with the focus');
  });

  it('completes magics at the start, and continues below them', async () => {
    const magics = async () => ['sql', 'python', 'python.ipython', 'md'];
    shown = mount(<Owned value="" language="sql" magics={magics} />, editorSheets);
    await open();
    await sendKeys({ type: '%' });
    const labels = () => shown.all('.cm-completionLabel').map((label) => label.textContent);
    await waitUntil(() => labels().length === 4, 'all magics');
    await sendKeys({ type: 'py' });
    await waitUntil(
      () => labels().join() === '%python,%python.ipython',
      'magics that begin with py',
    );
    await sendKeys({ press: 'Enter' });
    await sendKeys({ type: 'x' });
    await waitUntil(() => text() === '%python\nx', 'code below the magic');
    await sendKeys({ press: 'Control+Home' });
    await sendKeys({ press: 'End' });
    await sendKeys({ press: 'Enter' });
    await sendKeys({ type: '%' });
    await pause(600);
    same(labels(), [], 'magics in the second line');
  });

  it('begins the next line after a complete magic, also while magics are listed', async () => {
    const magics = async () => ['markdown', 'md'];
    shown = mount(<Owned value="" language="markdown" magics={magics} />, editorSheets);
    await open();
    await sendKeys({ type: '%md' });
    await waitUntil(() => shown.find('.cm-completionLabel'), 'magics');
    await sendKeys({ press: 'Enter' });
    await sendKeys({ type: '%jdbc' });
    await waitUntil(() => text() === '%md\n%jdbc', 'text in the next line');
  });

  it('asks for no completion after a magic', async () => {
    const asked: string[] = [];
    shown = mount(
      <Owned
        value=""
        language="markdown"
        magics={async () => ['md']}
        complete={async (code) => {
          asked.push(code);
          return [{ name: 'word', value: 'word' }];
        }}
      />,
      editorSheets,
    );
    await open();
    await sendKeys({ type: '%m' });
    await waitUntil(() => shown.find('.cm-completionLabel'), 'magics');
    await sendKeys({ type: 'd ' });
    await sendKeys({ type: 'text' });
    await waitUntil(() => !shown.root.querySelector('.cm-completionLabel'), 'list to close');
    await pause(600);
    same(asked, []);
    same(text(), '%md text');
  });

  it('shows highlighted text without an editor', async () => {
    shown = mount(<Owned value={sql} language="sql" />, editorSheets);
    await waitUntil(() => shown.find('.tok-keyword').textContent === 'select', 'keyword');
    same(shown.find('.tok-magic').textContent, '%duckdb');
    same(shown.find('.tok-function').textContent, 'count');
    check(!shown.root.querySelector('.cm-editor'), 'the editor is open already');
    const closed = shown.find('.code-closed');
    same(
      [closed.getAttribute('role'), closed.tabIndex, closed.getAttribute('aria-label')],
      ['textbox', 0, 'Code'],
    );
    // The last line has no line break.
    same(shown.find('.static-content').textContent, sql);
  });

  for (const [name, value, language, lineNumbers] of [
    ['numbered SQL', sql, 'sql', true],
    ['Python without numbers', python, 'python', false],
    ['empty text', '', 'text', true],
  ] as const) {
    it(`does not move anything when the editor replaces the static code: ${name}`, async () => {
      shown = mount(
        <Owned value={value} language={language} lineNumbers={lineNumbers} />,
        editorSheets,
      );
      await waitUntil(
        () =>
          language === 'text'
            ? shown.root.querySelector('.code')
            : shown.root.querySelector('[class^=tok-]:not(.tok-magic)'),
        'language',
      );
      const before = geometry(code());
      const box = code().getBoundingClientRect();
      await sendMouse({
        type: 'move',
        position: [Math.round(box.x + 200), Math.round(box.y + 10)],
      });
      await waitUntil(() => shown.root.querySelector('.cm-editor'), 'editor');
      await pause(60);
      same(geometry(code()), before, 'geometry');
    });
  }

  it('puts the cursor where the user clicked', async () => {
    shown = mount(<Owned value={sql} language="sql" />, editorSheets);
    await waitUntil(() => shown.root.querySelector('.tok-keyword'), 'language');
    const line = shown.all('.static-line')[1]!.getBoundingClientRect();
    // After "select".
    const x = line.x + 6 * letterWidth(shown.all('.static-line')[1]!);
    await sendMouse({ type: 'click', position: [Math.round(x), Math.round(line.y + 10)] });
    await waitUntil(() => shown.root.activeElement?.matches('.cm-content'), 'focus');
    await sendKeys({ type: '!' });
    same(text().split('\n')[1], 'select! origin, count(*) as flights');
  });

  it('opens on focus but not on Tab; typing then opens it', async () => {
    shown = mount(<Owned value="a" language="text" />, editorSheets);
    const closed = await waitUntil(() => shown.find('.code-closed'), 'closed editor');
    await sendKeys({ press: 'Tab' });
    closed.focus();
    await pause(300);
    check(!shown.root.querySelector('.cm-editor'), 'opened by Tab');
    await sendKeys({ type: 'bc' });
    await waitUntil(() => text() === 'abc', 'typed text');
  });

  it('draws selections and several cursors, and leaves one cursor to the browser', async () => {
    shown = mount(<Owned value={sql} />, editorSheets);
    await open('start');
    const drawn = () =>
      ['.cm-activeLine', '.cm-selectionBackground', '.cm-cursor'].map(
        (part) => shown.all(part).length,
      );
    same(drawn(), [1, 0, 0], 'one cursor');
    await sendKeys({ press: 'Shift+End' });
    await waitUntil(() => drawn()[1] === 1, 'selection');
    // The background of the line would cover it.
    same(drawn(), [0, 1, 1], 'a selection within a line');
    await sendKeys({ press: 'Home' });
    await sendKeys({ press: 'Control+Alt+ArrowDown' });
    await waitUntil(() => drawn()[2] === 2, 'cursors');
    same(drawn(), [2, 0, 2], 'two cursors');
  });

  it('reports what was typed over a selection, although it has the same letters', async () => {
    const reports: unknown[] = [];
    shown = mount(
      <ParagraphEditor
        value={'abc\nd'}
        onChange={(...report) => reports.push(report)}
        autoFocus
        placeAt="end"
      />,
      editorSheets,
    );
    await waitUntil(() => shown.root.activeElement?.matches('.cm-content'), 'focus');
    await sendKeys({ press: 'Control+a' });
    await sendKeys({ type: 'a' });
    same(reports, [['a', 'abc\nd', [[5, 'a']]]]);
  });

  it('replaces only what differs and keeps the cursor', async () => {
    let set: (value: string) => void = () => {};
    const changes: string[] = [];
    function Outside() {
      const [value, setValue] = useState('one\ntwo\nthree');
      set = setValue;
      return (
        <ParagraphEditor
          value={value}
          onChange={(next) => changes.push(next)}
          autoFocus
          placeAt="end"
        />
      );
    }
    shown = mount(<Outside />, editorSheets);
    await waitUntil(() => shown.root.activeElement?.matches('.cm-content'), 'focus');
    set('ONE more\ntwo\nthree');
    await waitUntil(() => text().startsWith('ONE'), 'outside text');
    same(changes, [], 'an outside change is not reported');
    await sendKeys({ type: '!' });
    same(text(), 'ONE more\ntwo\nthree!');
    await sendKeys({ press: 'ArrowUp' });
    set('1 ONE more\ntwo\nthree! and more');
    await waitUntil(() => text().startsWith('1 '), 'outside text before and after the cursor');
    await sendKeys({ type: '?' });
    same(text(), '1 ONE more\ntwo?\nthree! and more');
  });

  it('is not reset by the echo of typed text', async () => {
    function Late() {
      const [value, setValue] = useState('');
      return (
        <ParagraphEditor
          value={value}
          onChange={(next) => void setTimeout(() => setValue(next), 120)}
          autoFocus
        />
      );
    }
    shown = mount(<Late />, editorSheets);
    await waitUntil(() => shown.root.activeElement?.matches('.cm-content'), 'focus');
    await sendKeys({ type: 'typed faster than stored' });
    await pause(300);
    same(text(), 'typed faster than stored');
  });

  it('runs, cuts and pastes lines, leaves past the edges, and does not leak its keys', async () => {
    const seen: string[] = [];
    const outside: string[] = [];
    shown = mount(
      <Owned
        value={'one\ntwo\nthree'}
        onRun={() => seen.push('run')}
        onEdge={(edge) => seen.push(edge)}
        onKey={(event) => event.key === 'F4'}
      />,
      editorSheets,
    );
    shown.host.addEventListener('keydown', ({ key }) => outside.push(key));
    await open('start');
    outside.length = 0;
    await sendKeys({ press: 'Shift+Enter' });
    await sendKeys({ press: 'ArrowUp' });
    await sendKeys({ press: 'Control+k' });
    await sendKeys({ press: 'Control+k' });
    same(text(), 'three');
    await sendKeys({ press: 'ArrowDown' });
    await sendKeys({ press: 'Control+y' });
    same(text(), 'one\ntwo\nthree');
    await sendKeys({ press: 'F4' });
    same(seen, ['run', 'up', 'down']);
    same(
      outside.filter((key) => !['Shift', 'Control'].includes(key)),
      [],
      'keys that reached the page',
    );
    await sendKeys({ press: 'F7' });
    same(outside.at(-1), 'F7', 'an unhandled key reaches the page');
  });

  it("completes with labels shortened to 42 characters, in the server's order [W140]", async () => {
    const asked: [string, number][] = [];
    const long = 'a_column_with_a_name_that_is_far_too_long_for_lists';
    const complete = async (value: string, offset: number) => {
      asked.push([value, offset]);
      return [
        { name: 'abs', value: 'abs(', meta: 'function' },
        { name: long, value: long, meta: 'column' },
        { name: 'aa', value: 'aa' },
      ];
    };
    shown = mount(
      <Owned value="select a" language="sql" complete={complete} completionSupport />,
      editorSheets,
    );
    await open();
    await sendKeys({ press: 'Control+End' });
    await sendKeys({ press: 'Control+.' });
    await waitUntil(() => shown.all('.cm-completionLabel').length === 3, 'list');
    same(asked, [['select a', 8]]);
    const labels = shown.all('.cm-completionLabel').map(({ textContent }) => textContent);
    same(labels, ['abs', `${long.slice(0, 42 - 'column'.length - 3)}...`, 'aa']);
    same(labels[1]!.length + 'column'.length, 42);
    await sendKeys({ press: 'Enter' });
    same(text(), 'select abs(');
  });

  it('lists what the server knows before keywords that match as well', async () => {
    const complete = async () => [
      { name: 'sensors', value: 'sensors', meta: 'table' },
      { name: 'sequence_of_days', value: 'sequence_of_days', meta: 'table' },
    ];
    shown = mount(<Owned value="se" language="sql" complete={complete} />, editorSheets);
    await open();
    await sendKeys({ press: 'Control+End' });
    await sendKeys({ press: 'Control+.' });
    await waitUntil(() => shown.all('.cm-completionLabel').length > 2, 'list');
    const labels = shown.all('.cm-completionLabel').map(({ textContent }) => textContent);
    same(labels.slice(0, 2), ['sensors', 'sequence_of_days']);
    check(labels.includes('select'), 'keywords follow');
  });

  it('uses Tab for completion, and for indenting in leading whitespace', async () => {
    let asked = 0;
    const complete = async () => (asked++, [{ name: 'value', value: 'value' }]);
    shown = mount(<Owned value="" complete={complete} completionKey="TAB" />, editorSheets);
    await open();
    await sendKeys({ press: 'Tab' });
    same([asked, text()], [0, '\t']);
    await sendKeys({ type: 'va' });
    await sendKeys({ press: 'Tab' });
    await waitUntil(() => shown.root.querySelector('.cm-completionLabel'), 'list');
    same(asked, 1);
    await sendKeys({ press: 'Tab' });
    same(text(), '\tvalue');
  });

  it('indents with Tab if the language has no Tab completion', async () => {
    let asked = 0;
    shown = mount(
      <Owned value="" complete={async () => (asked++, [{ name: 'value', value: 'value' }])} />,
      editorSheets,
    );
    await open();
    await sendKeys({ type: 'va' });
    await sendKeys({ press: 'Tab' });
    same([asked, text()], [0, 'va\t']);
  });

  it('merges entries of server and language, unless the interpreter completes', async () => {
    const complete = async () => [
      { name: 'select', value: 'select', meta: 'keyword' },
      { name: 'SELF', value: 'SELF', meta: 'keyword' },
      { name: 'sells', value: 'sells', meta: 'table' },
    ];
    const labels = () =>
      shown.all('.cm-completionLabel').map(({ textContent }) => textContent!.toLowerCase());
    shown = mount(<Owned value="sel" language="sql" complete={complete} />, editorSheets);
    await open();
    await sendKeys({ press: 'Control+End' });
    await sendKeys({ press: 'Control+.' });
    await waitUntil(() => labels().includes('sells'), 'list');
    same(
      [labels().slice(0, 2).sort(), labels().filter((label) => label === 'select')],
      [['self', 'sells'], ['select']],
      'the server first',
    );
    await sendKeys({ press: 'Escape' });
    shown.remove();
    shown = mount(
      <Owned value="sel" language="sql" complete={complete} completionSupport />,
      editorSheets,
    );
    await open();
    await sendKeys({ press: 'Control+End' });
    await sendKeys({ press: 'Control+.' });
    await waitUntil(() => labels().length > 0, 'list');
    same(labels().sort(), ['select', 'self', 'sells']);
  });

  it('offers the words of the language if the server has no entries', async () => {
    shown = mount(<Owned value="sel" language="sql" complete={async () => []} />, editorSheets);
    await open();
    await sendKeys({ press: 'Control+End' });
    await sendKeys({ press: 'Control+.' });
    await waitUntil(
      () =>
        shown
          .all('.cm-completionLabel')
          .some(({ textContent }) => textContent?.toLowerCase() === 'select'),
      'keyword',
    );
  });

  it('changes language, line numbers and access without creating a new editor', async () => {
    shown = mount(
      <ParagraphEditor value={'select 1'} language="sql" onChange={() => {}} autoFocus />,
      editorSheets,
    );
    await waitUntil(() => shown.root.querySelector('.cm-content .tok-keyword'), 'SQL');
    const editor = shown.find('.cm-editor');
    shown.render(
      <ParagraphEditor
        value={'select 1'}
        language="text"
        lineNumbers
        readOnly
        onChange={() => {}}
        autoFocus
      />,
    );
    await waitUntil(
      () => !shown.root.querySelector('.tok-keyword') && shown.root.querySelector('.cm-gutters'),
      'plain text',
    );
    same(
      [
        shown.find('.cm-editor') === editor,
        shown.find('.cm-content').getAttribute('aria-readonly'),
      ],
      [true, 'true'],
    );
    await sendKeys({ type: 'x' });
    same(text(), 'select 1', 'a read-only editor keeps its text');
  });
});

/** Position of the first character of each line, and the total size. */
function geometry(element: HTMLElement): unknown {
  const top = element.getBoundingClientRect();
  const lines = [...element.querySelectorAll('.static-line, .cm-line')].map((line) => {
    const letter = document
      .createTreeWalker(line, NodeFilter.SHOW_TEXT, (node) =>
        node.textContent?.trim() ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP,
      )
      .nextNode();
    if (!letter) return [Math.round(line.getBoundingClientRect().top - top.top)];
    const range = document.createRange();
    range.setStart(letter, 0);
    range.setEnd(letter, 1);
    const { left, top: y } = range.getBoundingClientRect();
    return [Math.round((left - top.left) * 10) / 10, Math.round(y - top.top)];
  });
  const numbers = [
    ...element.querySelectorAll('.static-gutter > div, .cm-lineNumbers .cm-gutterElement'),
  ].filter((number) => number.getBoundingClientRect().height > 0);
  return {
    height: top.height,
    width: top.width,
    lines,
    numbers: numbers.map((number) => [
      number.textContent,
      Math.round(number.getBoundingClientRect().top - top.top),
    ]),
  };
}

function letterWidth(line: Element): number {
  const range = document.createRange();
  const node = document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode()!;
  range.setStart(node, 0);
  range.setEnd(node, 1);
  return range.getBoundingClientRect().width;
}
