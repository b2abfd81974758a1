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
import { chooseKeys, Editor, editorSheets, keyChoice, type EditorProps } from './index.ts';

function Owned({ value, ...rest }: Partial<EditorProps> & { value: string }) {
  const [text, setText] = useState(value);
  return <Editor label="Code" {...rest} value={text} onChange={setText} />;
}

describe('keys of the editor', () => {
  const violations = strictPolicy();
  let shown: Mounted;
  let outside: string[] = [];
  let runs = 0;
  afterEach(async () => {
    shown.remove();
    chooseKeys('default');
    await pause(200);
  });
  after(() => {
    localStorage.removeItem('tiding-editor-keys');
    same(violations, [], 'page policy');
  });
  const open = async (value: string, more: Partial<EditorProps> = {}): Promise<void> => {
    runs = 0;
    shown = mount(
      <>
        <Owned value={value} autoFocus placeAt="start" onRun={() => (runs += 1)} {...more} />
        <Owned value="other" autoFocus={false} />
      </>,
      editorSheets,
    );
    outside = [];
    await until(() => shown.root.activeElement?.matches('.cm-content'), 'focus');
    shown.host.addEventListener('keydown', ({ key }) => outside.push(key));
  };
  const text = (): string => shown.all('.cm-content')[0]!.innerText.replace(/\n$/, '');
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await sendKeys({ press: key });
  };
  const vim = async (): Promise<void> => {
    chooseKeys('vim');
    await until(() => shown.root.querySelector('.cm-vimMode'), 'Vim');
  };

  it("are Vim's when the reader wants them, at once; Shift+Enter runs in each mode, Escape stays", async () => {
    await open('one\ntwo\nthree');
    await vim();
    same(localStorage.getItem('tiding-editor-keys'), 'vim');
    await press('x');
    same(text(), 'ne\ntwo\nthree', 'x takes a letter');
    await press('j', 'd', 'd');
    same(text(), 'ne\nthree');
    await press('Shift+Enter');
    await press('i', 'A', 'Shift+Enter');
    same([text(), runs], ['ne\nAthree', 2]);
    await press('Escape', 'Escape');
    check(shown.root.activeElement?.matches('.cm-content'), 'Escape left the editor');
    same(
      outside.filter((key) => key !== 'Shift' && key.length > 1),
      [],
      'keys that left',
    );
    await press('u', 'u');
    same(text(), 'ne\ntwo\nthree', 'undone');
    chooseKeys('default');
    await press('x');
    same(text().includes('x'), true, 'the usual keys are back at once');
  });

  it('are found again on the next visit, and followed by an editor that opens later', async () => {
    chooseKeys('vim');
    await open('one');
    await until(() => shown.root.querySelector('.cm-vimMode'), 'Vim');
    await press('x');
    same([text(), keyChoice.get().keys], ['ne', 'vim']);
  });

  it('take a command line in Vim, inside the editor', async () => {
    await open('one\ntwo\none');
    await vim();
    await press('Shift+Semicolon');
    const field = await until(
      () => shown.root.querySelector<HTMLInputElement>('.cm-vim-panel input'),
      'command line',
    );
    check(shown.root.activeElement === field, 'the focus is elsewhere');
    await sendKeys({ type: '%s/one/1/' });
    await press('Enter');
    await until(() => text() === '1\ntwo\n1', 'replaced');
  });

  it("are Emacs' when the reader wants them", async () => {
    await open('one two\nthree');
    chooseKeys('emacs');
    await pause(50);
    await until(() => keyChoice.get().keys === 'emacs', 'choice');
    await press('Control+f', 'Control+f', 'Control+f');
    await press('Control+k');
    await until(() => text() === 'one\nthree', 'the rest of the line is cut');
    await press('Control+n', 'Control+e', 'Control+y');
    same(text(), 'one\nthree two');
    await press('Control+a', 'Control+d');
    same(text(), 'one\nhree two');
    await press('Control+s');
    await until(() => shown.root.activeElement?.matches('.search-inside input'), 'search');
    await sendKeys({ type: 'tw' });
    await until(
      () => shown.root.querySelector('.cm-searchMatch')?.textContent === 'tw',
      'found while typing',
    );
    await press('Escape');
    await until(() => shown.root.activeElement?.matches('.cm-content'), 'back');
    await sendKeys({ type: 'Z' });
    same(text(), 'one\nhree Zo', 'what was found is selected');
  });

  it('give several cursors: Alt+click, and Ctrl+D for the next of the same', async () => {
    await open('a b a\na b a');
    await press('Shift+ArrowRight', 'Control+d', 'Control+d');
    await sendKeys({ type: 'x' });
    same(text(), 'x b x\nx b a');
    await press('Escape', 'Control+Home');
    const { left, top } = shown.all('.cm-line')[1]!.getBoundingClientRect();
    await sendKeys({ down: 'Alt' });
    await sendMouse({
      type: 'click',
      position: [
        Math.round(left) +
          (Number.parseFloat(getComputedStyle(shown.all('.cm-line')[1]!).paddingLeft) || 0),
        Math.round(top) + 8,
      ],
    });
    await sendKeys({ up: 'Alt' });
    await sendKeys({ type: '>' });
    same(text(), '>x b x\n>x b a');
    await sendMouse({ type: 'move', position: [1090, 790] });
  });
});
