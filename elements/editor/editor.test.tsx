import { sendKeys, sendMouse } from '@web/test-runner-commands';
import { useState } from 'react';
import {
  check,
  mount,
  pause,
  same,
  strictPolicy,
  until,
  type Mounted,
} from '../result/test-kit.tsx';
import { Editor, editorSheets, type EditorProps } from './index.ts';

const sql = '%duckdb\nselect origin, count(*) as flights\n\nfrom flights where delay > 15';
const python = '%python\n\ndef fit(x):\n    return x + 1  # why';

/** An editor with an owner that keeps its text. */
function Owned({ value, ...rest }: Partial<EditorProps> & { value: string }) {
  const [text, setText] = useState(value);
  return (
    <Editor
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
  const violations = strictPolicy();
  let shown: Mounted;
  afterEach(async () => {
    shown.remove();
    await sendMouse({ type: 'move', position: [1090, 790] });
    // Longer than a key counts as the cause of a focus.
    await pause(200);
  });
  after(() => same(violations, [], 'page policy'));

  const code = (): HTMLElement => shown.find('.code');
  const open = async (place: 'start' | 'end' = 'end'): Promise<HTMLElement> => {
    const closed = await until(() => shown.find('.code-closed'), 'closed editor');
    closed.focus();
    await until(() => shown.find('.cm-content'), 'editor');
    if (place === 'start') await sendKeys({ press: 'Control+Home' });
    return shown.find('.cm-content');
  };
  const text = (): string => [...shown.all('.cm-line')].map((line) => line.textContent).join('\n');

  it('shows highlighted text without an editor', async () => {
    shown = mount(<Owned value={sql} language="sql" />, editorSheets);
    await until(() => shown.find('.tok-keyword').textContent === 'select', 'keyword');
    same(shown.find('.tok-magic').textContent, '%duckdb');
    same(shown.find('.tok-function').textContent, 'count');
    check(!shown.root.querySelector('.cm-editor'), 'an editor is there already');
    const closed = shown.find('.code-closed');
    same(
      [closed.getAttribute('role'), closed.tabIndex, closed.getAttribute('aria-label')],
      ['textbox', 0, 'Code'],
    );
    // The last line, which ends the text, has no line break of its own.
    same(shown.find('.static-content').textContent, sql);
  });

  for (const [name, value, language, lineNumbers] of [
    ['numbered SQL', sql, 'sql', true],
    ['Python without numbers', python, 'python', false],
    ['empty text', '', 'text', true],
  ] as const) {
    it(`moves nothing when the editor takes the place: ${name}`, async () => {
      shown = mount(
        <Owned value={value} language={language} lineNumbers={lineNumbers} />,
        editorSheets,
      );
      await until(
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
      await until(() => shown.root.querySelector('.cm-editor'), 'editor');
      await pause(60);
      same(geometry(code()), before, 'geometry');
    });
  }

  it('puts the cursor where it was clicked', async () => {
    shown = mount(<Owned value={sql} language="sql" />, editorSheets);
    await until(() => shown.root.querySelector('.tok-keyword'), 'language');
    const line = shown.all('.static-line')[1]!.getBoundingClientRect();
    // After the sixth letter, "select".
    const x = line.x + 6 * letterWidth(shown.all('.static-line')[1]!);
    await sendMouse({ type: 'click', position: [Math.round(x), Math.round(line.y + 10)] });
    await until(() => shown.root.activeElement?.matches('.cm-content'), 'focus');
    await sendKeys({ type: '!' });
    same(text().split('\n')[1], 'select! origin, count(*) as flights');
  });

  it('opens for a focus, but lets Tab pass by; then typing opens it', async () => {
    shown = mount(<Owned value="a" language="text" />, editorSheets);
    const closed = await until(() => shown.find('.code-closed'), 'closed editor');
    await sendKeys({ press: 'Tab' });
    closed.focus();
    await pause(300);
    check(!shown.root.querySelector('.cm-editor'), 'Tab has opened it');
    await sendKeys({ type: 'bc' });
    await until(() => text() === 'abc', 'typed text');
  });

  it('replaces only what differs and keeps the cursor', async () => {
    let set: (value: string) => void = () => {};
    const changes: string[] = [];
    function Outside() {
      const [value, setValue] = useState('one\ntwo\nthree');
      set = setValue;
      return (
        <Editor value={value} onChange={(next) => changes.push(next)} autoFocus placeAt="end" />
      );
    }
    shown = mount(<Outside />, editorSheets);
    await until(() => shown.root.activeElement?.matches('.cm-content'), 'focus');
    set('ONE more\ntwo\nthree');
    await until(() => text().startsWith('ONE'), 'outside text');
    same(changes, [], 'an outside change is not reported');
    await sendKeys({ type: '!' });
    same(text(), 'ONE more\ntwo\nthree!');
  });

  it('is not undone by the echo of what was typed', async () => {
    function Late() {
      const [value, setValue] = useState('');
      return (
        <Editor
          value={value}
          onChange={(next) => void setTimeout(() => setValue(next), 120)}
          autoFocus
        />
      );
    }
    shown = mount(<Late />, editorSheets);
    await until(() => shown.root.activeElement?.matches('.cm-content'), 'focus');
    await sendKeys({ type: 'typed faster than stored' });
    await pause(300);
    same(text(), 'typed faster than stored');
  });

  it('runs, cuts and pastes lines, leaves over the edges, and keeps its keys', async () => {
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
      'keys that left',
    );
    await sendKeys({ press: 'F7' });
    same(outside.at(-1), 'F7', 'a key nobody took goes on');
  });

  it('completes with labels cut at 42 characters, in the order of the server', async () => {
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
    await until(() => shown.all('.cm-completionLabel').length === 3, 'list');
    same(asked, [['select a', 8]]);
    const labels = shown.all('.cm-completionLabel').map(({ textContent }) => textContent);
    same(labels, ['abs', `${long.slice(0, 42 - 'column'.length - 3)}...`, 'aa']);
    same(labels[1]!.length + 'column'.length, 42);
    await sendKeys({ press: 'Enter' });
    same(text(), 'select abs(');
  });

  it('takes Tab for completion, and for indenting in leading blanks', async () => {
    let asked = 0;
    const complete = async () => (asked++, [{ name: 'value', value: 'value' }]);
    shown = mount(<Owned value="" complete={complete} completionKey="TAB" />, editorSheets);
    await open();
    await sendKeys({ press: 'Tab' });
    same([asked, text()], [0, '\t']);
    await sendKeys({ type: 'va' });
    await sendKeys({ press: 'Tab' });
    await until(() => shown.root.querySelector('.cm-completionLabel'), 'list');
    same(asked, 1);
    await sendKeys({ press: 'Tab' });
    same(text(), '\tvalue');
  });

  it('indents by Tab where the setting of the language has no such key', async () => {
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

  it("shows the server's entries and the language's, a keyword of both once; of an interpreter that completes the server's alone", async () => {
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
    await until(() => labels().includes('sells'), 'list');
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
    await until(() => labels().length > 0, 'list');
    same(labels().sort(), ['select', 'self', 'sells']);
  });

  it('offers the words of the language when the server knows none', async () => {
    shown = mount(<Owned value="sel" language="sql" complete={async () => []} />, editorSheets);
    await open();
    await sendKeys({ press: 'Control+End' });
    await sendKeys({ press: 'Control+.' });
    await until(
      () =>
        shown
          .all('.cm-completionLabel')
          .some(({ textContent }) => textContent?.toLowerCase() === 'select'),
      'keyword',
    );
  });

  it('changes language, numbers and access without a new editor', async () => {
    shown = mount(
      <Editor value={'select 1'} language="sql" onChange={() => {}} autoFocus />,
      editorSheets,
    );
    await until(() => shown.root.querySelector('.cm-content .tok-keyword'), 'SQL');
    const editor = shown.find('.cm-editor');
    shown.render(
      <Editor
        value={'select 1'}
        language="text"
        lineNumbers
        readOnly
        onChange={() => {}}
        autoFocus
      />,
    );
    await until(
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

/** Place of the first character of each line, and the height of the whole. */
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
