import { type Mounted, mount, same, waitUntil } from '../../result/test-support.tsx';
import { strictPage } from '../../ui/testing/test-setup.ts';
import { type CodeEditorProps, editorSheets, ParagraphEditor } from '../index.ts';

type Check = NonNullable<CodeEditorProps['check']>;
const unused = { line: 2, column: 1, endLine: 2, endColumn: 4, message: 'Unused', code: 'F401' };
const broken = { line: 3, column: 3, endLine: 9, endColumn: 9, message: 'Expected )' };

describe('mistakes in code', () => {
  strictPage();
  let shown: Mounted;
  let asked: string[] = [];
  const draw = (
    answer: Awaited<ReturnType<Check>>,
    { language = 'python', errors = [] }: Partial<CodeEditorProps> = {},
  ) => {
    asked = [];
    const check: Check = async (text) => (asked.push(text), answer);
    return (
      <ParagraphEditor
        value={'%python\nold = 1\nf(x\n'}
        language={language}
        label="Code"
        onChange={() => {}}
        errors={errors}
        check={check}
        autoFocus
      />
    );
  };
  const marked = (kind: string) =>
    shown.all(`.cm-lintRange-${kind}`).map(({ textContent }) => textContent);

  it('are underlined, warnings and syntax errors, beside the errors of the last run', async () => {
    shown = mount(
      draw([unused, broken], { errors: [{ line: 1, message: 'NameError' }] }),
      editorSheets,
    );
    await waitUntil(() => marked('warning').length > 0, 'a mistake');
    same([marked('warning'), marked('error')], [['old'], ['%python', 'x']]);
    same(asked, ['%python\nold = 1\nf(x\n']);
  });

  it('go when the code has none', async () => {
    let answer: readonly (typeof unused)[] = [unused];
    shown = mount(
      <ParagraphEditor
        value={'%python\nold = 1'}
        language="python"
        label="Code"
        onChange={() => {}}
        check={() => Promise.resolve(answer)}
        autoFocus
      />,
      editorSheets,
    );
    await waitUntil(() => marked('warning').length > 0, 'a mistake');
    answer = [];
    shown.find('.cm-content').focus();
    document.execCommand('insertText', false, 'x');
    await waitUntil(() => marked('warning').length === 0, 'no mistake');
  });

  it('are not asked for in other languages', async () => {
    shown = mount(draw([unused], { language: 'sql' }), editorSheets);
    await waitUntil(() => shown.root.querySelector('.cm-content'), 'the editor');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    same(asked, []);
  });
});
