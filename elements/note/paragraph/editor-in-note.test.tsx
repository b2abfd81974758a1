import { configForText } from '@tiding/client';
import type { Paragraph } from '@tiding/client/protocol';
import { sendKeys } from '@web/test-runner-commands';
import { check, pause, same, waitUntil } from '../../result/test-support.tsx';
import { testPage } from '../../ui/testing/test-page.ts';
import { notebook } from '../notebook.tsx';
import { type PageServer, pageServer, paragraph } from '../test-server.ts';
import { settledMagic } from './use-editor-setting.ts';

const page = testPage<{ note: string }>(notebook);
let server: PageServer;
const article = (id: string) => page.one(`[data-paragraph="${id}"]`);
const find = (id: string, selector: string) => article(id).querySelector<HTMLElement>(selector);
const asked = () =>
  server.received
    .filter(({ op }) => op === 'EDITOR_SETTING')
    .map(({ data }) => [data['paragraphId'], data['magic']]);

async function open(paragraphs: Paragraph[]): Promise<void> {
  server = pageServer(paragraphs);
  await page.show(server.client, { note: 'note' }, '[data-paragraph]');
}
async function edit(id: string): Promise<void> {
  find(id, '.code-closed')!.focus();
  await waitUntil(() => find(id, '.cm-content') === page.root().activeElement, 'editor');
  await sendKeys({ press: 'Control+Home' });
}

afterEach(async () => {
  window.scrollTo(0, 0);
  await pause(200);
});

describe('an editor in a note', () => {
  it('recognizes a completely typed magic', () => {
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

  it('asks for its editor setting when near, and again only for another magic [D34]', async () => {
    const stored = {
      editorMode: 'ace/mode/python',
      editorSetting: { language: 'python', completionKey: 'TAB' },
    };
    await open([
      paragraph('a', '%mine\nselect 1'),
      paragraph('b', '%python\nx', { config: stored }),
      ...Array.from({ length: 60 }, (_, n) => paragraph(`far${n}`, '%far\nx')),
    ]);
    await waitUntil(() => asked().some(([id]) => id === 'a'), 'the question');
    await pause(100);
    check(!asked().some(([id]) => id === 'b'), 'no request for a stored mode');
    check(!asked().some(([id]) => id === 'far59'), 'no request far from the window');
    check(!find('a', '.tok-keyword'), 'an unknown magic');
    server.say('EDITOR_SETTING', {
      paragraphId: 'a',
      editor: {
        language: 'sql',
        editOnDblClick: false,
        completionKey: 'TAB',
        completionSupport: true,
      },
    });
    await waitUntil(
      () => find('a', '.tok-keyword')?.textContent === 'select',
      'the answer sets the language',
    );
    const note = await server.client.open('note');
    const { editorSetting, editorMode } = configForText(
      note.paragraph('a').state,
      '%mine\nselect 1',
    );
    same([editorSetting?.completionKey, editorMode], ['TAB', 'ace/mode/sql']);
    check(
      !server.received.some(({ op }) => op === 'COMMIT_PARAGRAPH'),
      'opening a note saves nothing',
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
    same(since(), [], 'no second request for the same magic');
    await sendKeys({ press: 'Control+Home' });
    for (let n = 0; n < 5; n += 1) await sendKeys({ press: 'Delete' });
    await sendKeys({ type: '%python' });
    await waitUntil(() => since().at(-1) === 'python', 'another magic');
    same(since().length, new Set(since()).size, 'no request is repeated');
    // Nobody answers, so the language follows from the magic.
    await pause(50);
    note.close();
  });

  it('asks again on pasting a magic, or on new bindings without one', async () => {
    await open([paragraph('a', ''), paragraph('b', 'select 1')]);
    await waitUntil(() => asked().length === 2, 'two requests, the second before the first answer');
    await edit('a');
    const data = new DataTransfer();
    data.setData('text/plain', '%md\n# Title');
    find('a', '.cm-content')!.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
    await waitUntil(() => asked().length === 3 && asked().at(-1)?.[1] === 'md', 'pasted');
    const bound = (...ids: string[]) =>
      server.say('INTERPRETER_BINDINGS', {
        interpreterBindings: ids.map((id) => ({ id, name: id, selected: true, interpreters: [] })),
      });
    bound('sql', 'python');
    await pause(80);
    same(asked().length, 3, 'no request after reading bindings');
    bound('python', 'sql');
    await waitUntil(() => asked().length === 4, 'saved bindings');
    same(asked().at(-1), ['b', '']);
  });

  it('stores the settings of the new magic when prose becomes code, with its output', async () => {
    await open([
      paragraph('a', '%md\n# Title', {
        config: {
          editorMode: 'ace/mode/markdown',
          editorSetting: { language: 'markdown', editOnDblClick: true },
          // As after a double-click on the text.
          tableHide: true,
        },
      }),
    ]);
    await edit('a');
    await sendKeys({ press: 'Control+a' });
    await sendKeys({ type: '%sh echo 1' });
    await sendKeys({ press: 'Shift+Enter' });
    const run = await waitUntil(
      () => server.received.find(({ op }) => op === 'RUN_PARAGRAPH'),
      'the run',
    );
    same(run.data['paragraph'], '%sh echo 1');
    same(run.data['config'], {
      enabled: true,
      tableHide: false,
      editorSetting: { language: 'sh', editOnDblClick: false },
      editorMode: 'ace/mode/sh',
    });
  });

  it('marks the line of an error until it is edited or the paragraph runs again', async () => {
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
              data:
                'Traceback (most recent call last)\nCell In[1], line 2\n      1 x = 1\n' +
                '----> 2 x / 0\n\nZeroDivisionError: division by zero',
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
    await waitUntil(() => marked().length === 1, 'mark');
    same(marked(), ['x / 0']);
    await edit('a');
    await waitUntil(() => find('a', '.cm-lintRange-error'), 'mark of the editor');
    await sendKeys({ press: 'Control+End' });
    await sendKeys({ press: 'ArrowUp' });
    await sendKeys({ type: '1' });
    await pause(80);
    same(marked(), ['x / 0'], 'another line was edited');
    await sendKeys({ press: 'Control+End' });
    await sendKeys({ type: '1' });
    await waitUntil(
      () => marked().length === 0 && !find('a', '.cm-lintRange-error'),
      'removed with its line',
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

  it('shows form fields while they are typed, before a run', async () => {
    await open([paragraph('a', '%sql\nselect ')]);
    await edit('a');
    await sendKeys({ press: 'Control+End' });
    const labels = () =>
      [...article('a').querySelectorAll('.form-field .label')].map(
        ({ textContent }) => textContent,
      );
    await sendKeys({ type: '${n=5' });
    await waitUntil(() => labels().join() === 'n', 'a field');
    same(find('a', '.form-field input')!.getAttribute('type'), 'text');
    await sendKeys({ type: ',5|10' });
    await waitUntil(() => find('a', '.form-field select'), 'a choice');
    same(
      [...article('a').querySelectorAll('option')].map(({ textContent }) => textContent),
      ['5', '10'],
    );
    // After a run, the server's forms are shown.
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
    await waitUntil(() => labels().join() === 'made', "the server's forms");
  });

  it('opens on the first click in a note that was just loaded', async () => {
    for (let n = 0; n < 4; n += 1) {
      await open([paragraph('a', '%sql\nselect 1')]);
      const closed = await waitUntil(() => find('a', '.code-closed'), 'code');
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
      // As in a browser: the editor may replace the static code between press and release, and then
      // neither gets the click.
      closed.dispatchEvent(new PointerEvent('pointerover', point));
      closed.dispatchEvent(new PointerEvent('pointermove', point));
      closed.dispatchEvent(new PointerEvent('pointerdown', point));
      closed.dispatchEvent(new MouseEvent('mousedown', point));
      closed.focus();
      if (n % 2 === 1) {
        await waitUntil(() => find('a', '.cm-editor') ?? performance.now() > 0, 'a short delay');
        await pause(60);
      }
      const under = find('a', '.code')!;
      under.dispatchEvent(new PointerEvent('pointerup', point));
      if (closed.isConnected) closed.dispatchEvent(new MouseEvent('click', point));
      await waitUntil(
        () => page.root().activeElement?.matches('.cm-content'),
        'the editor with the focus',
      );
      if (n < 3) {
        page.shown.remove();
        server.client.close();
        await pause(200);
      }
    }
  });
});
