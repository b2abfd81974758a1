import { sendKeys } from '@web/test-runner-commands';
import type { Paragraph } from 'tiding/protocol';
import { notebook } from '../note/notebook.tsx';
import { pageServer, type PageServer } from '../note/test-server.ts';
import { elementClass } from '../runtime/define-element.ts';
import { check, pause, same, until } from '../result/test-kit.tsx';
import { settledMagic } from '../paragraph/use-editor-setting.ts';

const tag = 'tiding-notebook-with-editors';
let shown: HTMLElement & { client: unknown; note: string };
let server: PageServer;
const paragraph = (id: string, text: string, more: Partial<Paragraph> = {}): Paragraph => ({
  id,
  text,
  status: 'READY',
  config: {},
  settings: { params: {}, forms: {} },
  rev: 1,
  ...more,
});
const article = (id: string) =>
  shown.shadowRoot!.querySelector<HTMLElement>(`[data-paragraph="${id}"]`)!;
const find = (id: string, selector: string) => article(id).querySelector<HTMLElement>(selector);
const asked = () =>
  server.received
    .filter(({ op }) => op === 'EDITOR_SETTING')
    .map(({ data }) => [data['paragraphId'], data['magic']]);

async function open(paragraphs: Paragraph[]): Promise<void> {
  server = pageServer(paragraphs);
  shown = document.createElement(tag) as typeof shown;
  shown.client = server.client;
  shown.note = 'note';
  document.body.append(shown);
  await until(() => article(paragraphs[0]!.id), 'the first paragraph');
}
async function edit(id: string): Promise<void> {
  find(id, '.code-closed')!.focus();
  await until(() => find(id, '.cm-content') === shown.shadowRoot!.activeElement, 'editor');
  await sendKeys({ press: 'Control+Home' });
}

before(() =>
  customElements.define(tag, elementClass({ ...notebook, tag: tag as `tiding-${string}` })),
);
afterEach(async () => {
  shown?.remove();
  server?.client.close();
  window.scrollTo(0, 0);
  await pause(200);
});

describe('an editor in a note', () => {
  it('knows when magic stands complete', () => {
    for (const [text, magic] of [
      ['%sql\nselect', 'sql'],
      ['%sq', ''],
      ['%sql select', 'sql'],
      ['%sql(limit=5)', 'sql'],
      ['\n%sql\n', 'sql'],
      ['\n%sql', 'sql'],
      ['select', ''],
      ['%spark.sql\n', 'spark.sql'],
      ['a %sql x', ''],
    ] as const)
      same(settledMagic(text), magic, text);
  });

  it('asks how its language is treated when it comes near, and not again while the magic is the same', async () => {
    const stored = {
      editorMode: 'ace/mode/python',
      editorSetting: { language: 'python', completionKey: 'TAB' },
    };
    await open([
      paragraph('a', '%mine\nselect 1'),
      paragraph('b', '%python\nx', { config: stored }),
      ...Array.from({ length: 60 }, (_, n) => paragraph(`far${n}`, '%far\nx')),
    ]);
    await until(() => asked().some(([id]) => id === 'a'), 'the question');
    await pause(100);
    check(!asked().some(([id]) => id === 'b'), 'a stored mode is not asked for');
    check(!asked().some(([id]) => id === 'far59'), 'what is far from the window does not ask');
    check(!find('a', '.tok-keyword'), 'nobody knows this magic yet');
    server.say('EDITOR_SETTING', {
      paragraphId: 'a',
      editor: {
        language: 'sql',
        editOnDblClick: false,
        completionKey: 'TAB',
        completionSupport: true,
      },
    });
    await until(
      () => find('a', '.tok-keyword')?.textContent === 'select',
      'the answer sets the language',
    );
    const note = await server.client.open('note');
    same(
      [
        note.paragraph('a').state.server.config?.editorSetting?.completionKey,
        note.paragraph('a').state.server.config?.editorMode,
      ],
      ['TAB', 'ace/mode/sql'],
    );
    check(
      !server.received.some(({ op }) => op === 'COMMIT_PARAGRAPH'),
      'opening a note writes nothing',
    );
    await edit('a');
    const before = asked().filter(([id]) => id === 'a').length;
    const since = () =>
      asked()
        .filter(([id]) => id === 'a')
        .slice(before)
        .map(([, magic]) => magic);
    await sendKeys({ press: 'Control+End' });
    await sendKeys({ type: ' + 1' });
    await pause(100);
    same(since(), [], 'the same magic is not asked for again');
    await sendKeys({ press: 'Control+Home' });
    for (let n = 0; n < 5; n += 1) await sendKeys({ press: 'Delete' });
    await sendKeys({ type: '%python' });
    await until(() => since().at(-1) === 'python', 'another magic');
    same(since().length, new Set(since()).size, 'none twice');
    // Nobody answers: the magic itself tells.
    await pause(50);
    note.close();
  });

  it('asks again when text with magic is pasted, and for a paragraph without magic when bindings are saved', async () => {
    await open([paragraph('a', ''), paragraph('b', 'select 1')]);
    await until(() => asked().length === 2, 'both ask, the second before the first is answered');
    await edit('a');
    const data = new DataTransfer();
    data.setData('text/plain', '%md\n# Title');
    find('a', '.cm-content')!.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
    await until(() => asked().length === 3 && asked().at(-1)?.[1] === 'md', 'pasted');
    const bound = (...ids: string[]) =>
      server.say('INTERPRETER_BINDINGS', {
        interpreterBindings: ids.map((id) => ({ id, name: id, selected: true, interpreters: [] })),
      });
    bound('sql', 'python');
    await pause(80);
    same(asked().length, 3, 'bindings that are only looked up ask nothing');
    bound('python', 'sql');
    await until(() => asked().length === 4, 'saved bindings');
    same(asked().at(-1), ['b', '']);
  });

  it('marks the line of an error until it is edited, or the paragraph runs again', async () => {
    const failed = (more: Partial<Paragraph> = {}) =>
      paragraph('a', '%python\nx = 1\nx / 0', {
        status: 'ERROR',
        dateStarted: 'Nov 21, 2026, 4:00:00 PM',
        dateFinished: 'Nov 21, 2026, 4:00:01 PM',
        dateUpdated: 'Nov 21, 2026, 3:59:00 PM',
        results: {
          code: 'ERROR',
          msg: [
            {
              type: 'TEXT',
              data: 'Traceback (most recent call last)\nCell In[1], line 2\n      1 x = 1\n----> 2 x / 0\n\nZeroDivisionError: division by zero',
            },
          ],
        },
        ...more,
      });
    await open([failed()]);
    const marked = () =>
      [...article('a').querySelectorAll('.error-line')].map(({ textContent }) =>
        textContent!.trim(),
      );
    await until(() => marked().length === 1, 'mark');
    same(marked(), ['x / 0']);
    await edit('a');
    await until(() => find('a', '.cm-lintRange-error'), 'mark of the editor');
    await sendKeys({ press: 'Control+End' });
    await sendKeys({ press: 'ArrowUp' });
    await sendKeys({ type: '1' });
    await pause(80);
    same(marked(), ['x / 0'], 'another line was edited');
    await sendKeys({ press: 'Control+End' });
    await sendKeys({ type: '1' });
    await until(
      () => marked().length === 0 && !find('a', '.cm-lintRange-error'),
      'gone with its line',
    );
    server.say('PARAGRAPH', {
      paragraph: failed({
        text: '%python\n11\nx / 0',
        dateStarted: 'Nov 21, 2026, 4:01:00 PM',
        rev: 5,
      }),
    });
    server.say('PARAGRAPH', { paragraph: { ...failed(), status: 'RUNNING', rev: 6 } });
    await pause(80);
    same(marked(), [], 'none while it runs');
  });

  it('shows the fields of forms as they are typed, before a run', async () => {
    await open([paragraph('a', '%sql\nselect ')]);
    await edit('a');
    await sendKeys({ press: 'Control+End' });
    const labels = () =>
      [...article('a').querySelectorAll('.form-field .label')].map(
        ({ textContent }) => textContent,
      );
    await sendKeys({ type: '${n=5' });
    await until(() => labels().join() === 'n', 'a field');
    same(find('a', '.form-field input')!.getAttribute('type'), 'text');
    await sendKeys({ type: ',5|10' });
    await until(() => find('a', '.form-field select'), 'a choice');
    same(
      [...article('a').querySelectorAll('option')].map(({ textContent }) => textContent),
      ['5', '10'],
    );
    // After a run the server's own win.
    server.say('PARAGRAPH', {
      paragraph: paragraph('a', '%sql\nselect ${n=5,5|10}', {
        status: 'FINISHED',
        rev: 9,
        dateStarted: 'Nov 21, 2026, 4:00:00 PM',
        dateFinished: 'Nov 21, 2026, 4:00:01 PM',
        dateUpdated: 'Nov 21, 2026, 3:59:00 PM',
        settings: {
          params: {},
          forms: { made: { name: 'made', type: 'TextBox', defaultValue: 'x' } },
        },
      }),
    });
    await until(() => labels().join() === 'made', "the server's forms");
  });

  it('opens at the first click on a note that was just loaded', async () => {
    for (let n = 0; n < 4; n += 1) {
      await open([paragraph('a', '%sql\nselect 1')]);
      const closed = await until(() => find('a', '.code-closed'), 'code');
      const line = closed.querySelectorAll('.static-line')[1]!.getBoundingClientRect();
      const point = {
        bubbles: true,
        composed: true,
        clientX: line.left + 60,
        clientY: line.top + 5,
        pointerType: 'mouse',
        isPrimary: true,
        button: 0,
      };
      // As a browser does it: the editor may take the text's place between press and release, and then the click goes to neither.
      closed.dispatchEvent(new PointerEvent('pointerover', point));
      closed.dispatchEvent(new PointerEvent('pointermove', point));
      closed.dispatchEvent(new PointerEvent('pointerdown', point));
      closed.dispatchEvent(new MouseEvent('mousedown', point));
      closed.focus();
      if (n % 2 === 1) {
        await until(() => find('a', '.cm-editor') ?? performance.now() > 0, 'a moment');
        await pause(60);
      }
      const under = find('a', '.code')!;
      under.dispatchEvent(new PointerEvent('pointerup', point));
      if (closed.isConnected) closed.dispatchEvent(new MouseEvent('click', point));
      await until(
        () => shown.shadowRoot!.activeElement?.matches('.cm-content'),
        'the editor with the focus',
      );
      if (n < 3) {
        shown.remove();
        server.client.close();
        await pause(200);
      }
    }
  });
});
