import type { Output } from '@tiding/client';
import { sendKeys } from '@web/test-runner-commands';
import { HostContext } from '../runtime/hooks.ts';
import type { ResultContext } from './contract.ts';
import { ResultView, resultSheets } from './index.ts';
import { check, type Mounted, mount, same, strictPolicy, waitUntil } from './test-support.tsx';

describe('terminal output', () => {
  const violations = strictPolicy();
  let shown: Mounted;
  let typed: string;
  let sizes: [number, number][];
  const context = (mayNotType?: string): ResultContext =>
    ({
      paragraph: {
        typeInTerminal: (text: string) => (typed += text),
        resizeTerminal: (columns: number, rows: number) => sizes.push([columns, rows]),
      },
      mayNotType,
    }) as unknown as ResultContext;
  const output = (...chunks: string[]): Output => ({
    type: 'TERMINAL',
    chunks,
    count: chunks.length,
  });
  const view = (of: Output, status = 'RUNNING', on = context()) => (
    <HostContext.Provider value={shown.host}>
      <ResultView outputs={[of]} status={status} frameUrl="" context={on} />
    </HostContext.Provider>
  );
  const rows = (): string => shown.find('.xterm-rows').innerText;
  const shows = (text: string) => waitUntil(() => rows().includes(text), `${text} on the screen`);
  const area = (): HTMLElement => shown.find('.xterm-helper-textarea');

  beforeEach(() => {
    typed = '';
    sizes = [];
    shown = mount(null, resultSheets);
  });

  it('shows control sequences as a screen, and adds what arrives', async () => {
    const chunks = ['\u001b[31mred\u001b[0m\r\none', ' two'];
    shown.render(view({ type: 'TERMINAL', chunks, count: 1 }));
    await shows('one');
    check(!rows().includes('two'), 'it shows what belongs to no output yet');
    shown.render(view({ type: 'TERMINAL', chunks, count: 2 }));
    await shows('one two');
    const red = [...shown.root.querySelectorAll('.xterm-rows span')].find(
      ({ textContent }) => textContent === 'red',
    );
    check(red && getComputedStyle(red).color !== getComputedStyle(shown.host).color, 'no colour');
    same(violations, []);
  });

  it('shows any colour under a strict policy', async () => {
    shown.render(view(output('\u001b[48;2;0;200;100mfull\u001b[0m')));
    await shows('full');
    const full = [...shown.root.querySelectorAll('.xterm-rows span')].find(
      ({ textContent }) => textContent === 'full',
    )!;
    same(getComputedStyle(full).backgroundColor, 'rgb(0, 200, 100)');
    same(violations, []);
  });

  it('passes on what is typed and the size of the screen, while it runs', async () => {
    shown.render(view(output('$ ')));
    await shows('$');
    await waitUntil(() => sizes.length > 0, 'a size');
    const [columns, lines] = sizes.at(-1)!;
    check(columns > 80 && lines > 5, `unexpected size ${columns} ${lines}`);
    shown.find('.terminal-box').focus();
    await sendKeys({ press: 'Enter' });
    await waitUntil(() => shown.root.activeElement === area(), 'focus');
    await sendKeys({ type: 'ls' });
    await sendKeys({ press: 'Enter' });
    await waitUntil(() => typed === 'ls\r', 'typed text');
    await sendKeys({ press: 'Tab' });
    await waitUntil(() => typed === 'ls\r\t', 'a tab for the program');
    await sendKeys({ press: 'Escape' });
    await sendKeys({ press: 'Tab' });
    check(shown.root.activeElement !== area(), 'the keyboard is trapped');
    same(typed, 'ls\r\t\u001b');
    shown.host.style.width = '390px';
    await waitUntil(() => sizes.at(-1)![0] < columns / 2, 'a smaller size');
    shown.render(view(output('$ '), 'FINISHED'));
    await waitUntil(() => !shown.root.querySelector('.terminal-note'), 'no hint');
    area().focus();
    await sendKeys({ type: 'rm' });
    same(typed, 'ls\r\t\u001b');
  });

  it('can only be watched by users who may not change the paragraph', async () => {
    shown.render(view(output('$ '), 'RUNNING', context('You may not.')));
    await shows('$');
    check(shown.find('.terminal-note').textContent.includes('You may not.'), 'no reason');
    shown.find('.terminal-box').focus();
    await sendKeys({ press: 'Enter' });
    area().focus();
    await sendKeys({ type: 'ls' });
    same([typed, sizes], ['', []]);
  });

  it('does not answer what programs of an earlier time have asked', async () => {
    shown.render(view(output('$ ')));
    await shows('$');
    area().focus();
    shown.render(view(output('old\u001b[6n')));
    await shows('old');
    same(typed, '');
    const chunks = ['old\u001b[6n', '\u001b[c'];
    shown.render(view({ type: 'TERMINAL', chunks, count: 2 }));
    await waitUntil(() => typed !== '', 'an answer');
    check(typed.startsWith('\u001b[?'), JSON.stringify(typed));
  });

  it('keeps its lines when the server has cut the beginning', async () => {
    shown.render(view(output('first\r\n', 'second\r\n')));
    await shows('second');
    shown.render(view(output('second\r\n')));
    shown.render(view(output('second\r\nthird')));
    await shows('third');
    same(
      rows()
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
      ['first', 'second', 'third'],
    );
  });

  it('has a screen reader mode', async () => {
    shown.render(view(output('hello')));
    await shows('hello');
    check(!shown.root.querySelector('.xterm-accessibility'), 'it is on');
    const button = shown.find('.terminal-note button');
    button.click();
    await waitUntil(() => shown.find('.xterm-accessibility').textContent.includes('hello'), 'text');
    same(button.getAttribute('aria-pressed'), 'true');
  });
});
