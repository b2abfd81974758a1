import { sendKeys, sendMouse } from '@web/test-runner-commands';
import { type Mounted, mount, pause, same, waitUntil } from '../../result/test-support.tsx';
import { strictPage } from '../../ui/testing/test-setup.ts';
import { editorSheets, type LineError, ParagraphEditor } from '../index.ts';

const value = '%python\nx = 1\nx / 0\n';
const error: LineError = { line: 3, message: 'ZeroDivisionError: division by zero' };

describe('errors of a run', () => {
  strictPage();
  let shown: Mounted;
  const draw = (errors: readonly LineError[], open: boolean, lineNumbers = true) => (
    <ParagraphEditor
      value={value}
      language="python"
      label="Code"
      lineNumbers={lineNumbers}
      onChange={() => {}}
      errors={errors}
      autoFocus={open}
    />
  );
  afterEach(async () => {
    await sendMouse({ type: 'move', position: [1090, 790] });
    await pause(200);
  });

  for (const numbers of [true, false]) {
    it(`are marked without moving text, ${numbers ? 'with' : 'without'} line numbers`, async () => {
      shown = mount(draw([error], false, numbers), editorSheets);
      await waitUntil(() => shown.root.querySelector('.error-text'), 'mark');
      same(
        [
          shown.all('.error-line').map(({ textContent }) => textContent),
          shown
            .all('.error-text')
            .map(({ textContent }) => textContent)
            .join(''),
          shown.find('.error-line').title,
        ],
        [['x / 0\n'], 'x / 0', error.message],
      );
      same(
        shown.all('.error-number').map(({ textContent }) => textContent),
        numbers ? ['3'] : [],
      );
      const closed = shown.find('.code-closed');
      same(
        [closed.getAttribute('aria-invalid'), closed.getAttribute('aria-description')],
        ['true', `Line 3: ${error.message} Press Enter to edit.`],
      );
      const width = (selector: string) => shown.find(selector).getBoundingClientRect().height;
      const before = [width('.code'), width('.error-line')];
      shown.render(draw([error], true, numbers));
      await waitUntil(() => shown.root.querySelector('.cm-lintRange-error'), 'mark of the editor');
      same(
        [
          shown.all('.cm-line.error-line').map(({ textContent }) => textContent),
          shown.find('.cm-lintRange-error').textContent,
        ],
        [['x / 0'], 'x / 0'],
      );
      same(
        shown
          .all('.cm-foldGutter .error-number')
          .map((mark) => getComputedStyle(mark, '::before').content),
        numbers ? ['none'] : [],
        'one mark',
      );
      same(
        shown
          .all('.cm-lineNumbers .error-number')
          .map(({ textContent }) => textContent)
          .filter(Boolean),
        numbers ? ['3'] : [],
      );
      same([width('.code'), width('.error-line')], before, 'heights');
      const content = shown.find('.cm-content');
      same(
        [content.getAttribute('aria-invalid'), content.getAttribute('aria-description')],
        ['true', `Line 3: ${error.message} Press Escape, then Tab, to leave the code.`],
      );
      shown.render(draw([], true, numbers));
      await waitUntil(
        () =>
          !shown.root.querySelector('.cm-lintRange-error') &&
          !shown.root.querySelector('.error-line'),
        'none',
      );
      same(content.hasAttribute('aria-invalid'), false);
    });
  }

  it('are shown on hover and with F8', async () => {
    shown = mount(draw([error], true), editorSheets);
    const mark = await waitUntil(() => shown.root.querySelector('.cm-lintRange-error'), 'mark');
    const { x, y } = mark.getBoundingClientRect();
    await sendMouse({ type: 'move', position: [Math.round(x) + 6, Math.round(y) + 6] });
    await waitUntil(
      () => shown.root.querySelector('.cm-diagnostic')?.textContent === error.message,
      'tooltip',
    );
    await sendMouse({ type: 'move', position: [1090, 790] });
    await waitUntil(() => !shown.root.querySelector('.cm-diagnostic'), 'no tooltip');
    await sendKeys({ press: 'F8' });
    await waitUntil(
      () => shown.root.querySelector('.cm-diagnostic')?.textContent === error.message,
      'tooltip by key',
    );
  });
});
