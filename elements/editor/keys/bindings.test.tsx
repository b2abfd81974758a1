import { sendKeys, sendMouse } from '@web/test-runner-commands';
import { useState } from 'react';
import {
  check,
  type Mounted,
  mount,
  pause,
  same,
  strictPolicy,
  waitUntil,
} from '../../result/test-support.tsx';
import {
  chooseCompletion,
  chooseKeys,
  type EditorProps,
  editorSheets,
  keyChoice,
  ParagraphEditor,
} from '../index.ts';
import { loadKeySet } from './load-keys.ts';

function Owned({ value, ...rest }: Partial<EditorProps> & { value: string }) {
  const [text, setText] = useState(value);
  return <ParagraphEditor label="Code" {...rest} value={text} onChange={setText} />;
}

describe('keyboard modes of the editor', () => {
  const violations = strictPolicy();
  let shown: Mounted;
  let outside: string[] = [];
  let runs = 0;
  afterEach(async () => {
    chooseKeys('default');
    await pause(200);
  });
  after(() => {
    localStorage.removeItem('tiding-editor-keys');
    localStorage.removeItem('tiding-editor-completion');
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
    await waitUntil(() => shown.root.activeElement?.matches('.cm-content'), 'focus');
    shown.host.addEventListener('keydown', ({ key }) => outside.push(key));
  };
  const text = (): string => shown.all('.cm-content')[0]!.innerText.replace(/\n$/, '');
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await sendKeys({ press: key });
  };
  const vim = async (): Promise<void> => {
    chooseKeys('vim');
    await waitUntil(() => shown.root.querySelector('.cm-vimMode'), 'Vim');
  };

  it('complete while typing if the reader wants it, in names only', async () => {
    const asked: string[] = [];
    const complete = (text: string): Promise<[{ name: string; value: string }]> => {
      asked.push(text);
      return Promise.resolve([{ name: 'select_all', value: 'select_all' }]);
    };
    const list = () => shown.root.querySelector('.cm-tooltip-autocomplete');
    await open('', { complete, completionSupport: true });
    await press('s');
    await pause(600);
    same([asked, list()], [[], null], 'by key only');
    chooseCompletion(true);
    await press('e');
    await waitUntil(() => list()?.textContent?.includes('select_all'), 'the list');
    await press('Enter');
    same(text(), 'select_all');
    const before = asked.length;
    await press('Space', '7');
    await pause(600);
    same([asked.length, list()], [before, null], 'not in numbers');
    chooseCompletion(false);
    same(localStorage.getItem('tiding-editor-completion'), 'key');
    await press('Space', 's');
    await pause(600);
    same([asked.length, list()], [before, null], 'by key only again');
  });

  it('document the name at the cursor until the cursor moves', async () => {
    const asked: unknown[] = [];
    const inspect = (...request: unknown[]): Promise<string | undefined> => {
      asked.push(request);
      return Promise.resolve(request[1] === 2 ? 'print(*args)\nPrints.' : undefined);
    };
    const shownText = (): string | undefined =>
      shown.root.querySelector('.cm-inspection')?.textContent ?? undefined;
    await open('print\n  x', { inspect });
    await press('ArrowRight', 'ArrowRight', 'Control+Shift+Space');
    await waitUntil(() => shownText() === 'print(*args)\nPrints.', 'documentation');
    same(asked, [['print\n  x', 2, false]]);
    await waitUntil(
      () => shown.root.querySelector('.cm-announced')?.textContent === 'print(*args)',
      'announcement',
    );
    await press('Escape');
    same(shownText(), undefined, 'after Escape');
    await press('Control+Shift+Space');
    await waitUntil(() => shownText(), 'documentation again');
    await press('ArrowRight');
    same(shownText(), undefined, 'after the cursor has moved');
    await press('Control+Shift+Space');
    await waitUntil(() => shownText() === 'There is no documentation here.', 'no documentation');

    chooseKeys('jupyter');
    await loadKeySet('jupyter');
    await press('ArrowLeft', 'Shift+Tab');
    await waitUntil(() => shownText()?.startsWith('print'), 'documentation by Shift+Tab');
    await press('ArrowDown', 'Home', 'ArrowRight', 'ArrowRight', 'Shift+Tab');
    await waitUntil(() => text() === 'print\nx', 'Shift+Tab before the code removes indentation');
    same(shownText(), undefined);
  });

  it('switch to Vim immediately; Shift+Enter runs in every mode', async () => {
    await open('one\ntwo\nthree');
    await vim();
    same(localStorage.getItem('tiding-editor-keys'), 'vim');
    await press('x');
    same(text(), 'ne\ntwo\nthree', 'x deletes a letter');
    await press('j', 'd', 'd');
    same(text(), 'ne\nthree');
    await press('Shift+Enter');
    await press('i', 'A', 'Shift+Enter');
    same([text(), runs], ['ne\nAthree', 2]);
    await press('Escape', 'Escape');
    check(shown.root.activeElement?.matches('.cm-content'), 'Escape leaves the editor');
    same(
      outside.filter((key) => key !== 'Shift' && key.length > 1),
      [],
      'keys that reached the page',
    );
    await press('u', 'u');
    same(text(), 'ne\ntwo\nthree', 'undone');
    chooseKeys('default');
    await press('x');
    same(text().includes('x'), true, 'the default keys are back immediately');
  });

  it('are restored on the next visit and apply to editors opened later', async () => {
    chooseKeys('vim');
    await open('one');
    await waitUntil(() => shown.root.querySelector('.cm-vimMode'), 'Vim');
    await press('x');
    same([text(), keyChoice.get().keys], ['ne', 'vim']);
  });

  it("support Vim's command line inside the editor", async () => {
    await open('one\ntwo\none');
    await vim();
    await press('Shift+Semicolon');
    const field = await waitUntil(
      () => shown.root.querySelector<HTMLInputElement>('.cm-vim-panel input'),
      'command line',
    );
    check(shown.root.activeElement === field, 'the focus has moved');
    await sendKeys({ type: '%s/one/1/' });
    await press('Enter');
    await waitUntil(() => text() === '1\ntwo\n1', 'replaced');
  });

  it('support Emacs keys', async () => {
    await open('one two\nthree');
    // The keys apply once their code has been loaded.
    await loadKeySet('emacs');
    chooseKeys('emacs');
    await pause(50);
    await waitUntil(() => keyChoice.get().keys === 'emacs', 'choice');
    await press('Control+f', 'Control+f', 'Control+f');
    await press('Control+k');
    await waitUntil(() => text() === 'one\nthree', 'the rest of the line is cut');
    await press('Control+n', 'Control+e', 'Control+y');
    same(text(), 'one\nthree two');
    await press('Control+a', 'Control+d');
    same(text(), 'one\nhree two');
    await press('Control+s');
    await waitUntil(() => shown.root.activeElement?.matches('.search-inside input'), 'search');
    await sendKeys({ type: 'tw' });
    await waitUntil(
      () => shown.root.querySelector('.cm-searchMatch')?.textContent === 'tw',
      'found while typing',
    );
    await press('Escape');
    await waitUntil(() => shown.root.activeElement?.matches('.cm-content'), 'back');
    await sendKeys({ type: 'Z' });
    same(text(), 'one\nhree Zo', 'the match is selected');
  });

  it('support several cursors: Alt+click, and Ctrl+D for the next occurrence', async () => {
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
