import { sendKeys } from '@web/test-runner-commands';
import { useState } from 'react';
import { check, type Mounted, mount, pause, same, waitUntil } from '../../result/test-support.tsx';
import { strictPage } from '../../ui/testing/test-setup.ts';
import { type EditorProps, editorSheets, ParagraphEditor, PlainCode } from '../index.ts';

function Owned({ value, ...rest }: Partial<EditorProps> & { value: string }) {
  const [text, setText] = useState(value);
  return <ParagraphEditor label="Code" {...rest} value={text} onChange={setText} />;
}

/** A text in each language, and the expected highlighting of some of its parts. */
const texts: readonly [
  language: string,
  text: string,
  colours: Readonly<Record<string, string>>,
][] = [
  ['scala', '%spark\nval a = "x" // why', { keyword: 'val', string: '"x"', comment: '// why' }],
  ['kotlin', '%kotlin\nval a = "x" // why', { keyword: 'val', string: '"x"', comment: '// why' }],
  ['groovy', '%groovy\ndef a = "x" // why', { keyword: 'def', string: '"x"', comment: '// why' }],
  ['julia', '%julia\na = "x" # why', { string: '"x"', comment: '# why' }],
  ['java', '%java\nint a = 12; // why', { number: '12', comment: '// why' }],
  [
    'sql',
    "%sql\nselect 'x', count(*) from t -- why",
    { keyword: 'select', string: "'x'", function: 'count', comment: '-- why' },
  ],
  ['python', '%python\nif x: # why', { keyword: 'if', comment: '# why' }],
  ['r', '%r\nx <- "a" # why', { string: '"a"', comment: '# why' }],
  ['sh', '%sh\nfor f in *; do echo "x"; done # why', { keyword: 'for', comment: '# why' }],
  [
    'markdown',
    '%md\n**strong** <b class="x">y</b>',
    { strong: 'strong', function: 'class', string: '"x"' },
  ],
  ['javascript', '%js\nconst a = 12;', { keyword: 'const', number: '12' }],
  ['json', '{"a": 12}', { number: '12' }],
  ['html', '%html\n<b class="x">y</b>', { string: '"x"', function: 'class' }],
  ['yaml', 'a: 12 # why', { comment: '# why' }],
  [
    'magpie',
    '%magpie\nCREATE schema {"name": "core"}; // why',
    { keyword: 'CREATE', function: '"name"', string: '"core"', comment: '// why' },
  ],
];

/** Languages whose code stays plain if nobody may edit it. */
const unscanned = new Set(['markdown', 'html', 'yaml']);

describe('languages of the editor', () => {
  strictPage();
  let shown: Mounted;
  afterEach(async () => {
    await pause(200);
  });
  const text = (): string =>
    shown
      .all('.cm-line')
      .map((line) => line.textContent)
      .join('\n');
  const open = async (): Promise<void> => {
    await waitUntil(() => shown.root.activeElement?.matches('.cm-content'), 'focus');
    await waitUntil(
      () => shown.root.querySelector('.cm-line [class^=tok-]:not(.tok-magic)'),
      'language',
    );
  };

  for (const [language, value, colours] of texts) {
    it(`highlights ${language} the same way in static code and in the editor [O61]`, async () => {
      shown = mount(<Owned value={value} language={language} />, editorSheets);
      const [first] = Object.keys(colours);
      await waitUntil(() => shown.root.querySelector(`.static-line .tok-${first}`), 'colours');
      const seen = (within: string) =>
        Object.keys(colours).map((name) =>
          shown
            .all(`${within} .tok-${name}`)
            .find((part) => part.textContent!.trim() === colours[name])
            ?.textContent?.trim(),
        );
      same(seen('.static-line'), Object.values(colours));
      if (!unscanned.has(language)) {
        shown.render(<PlainCode text={value} language={language} />);
        await waitUntil(() => !shown.root.querySelector('.code-closed'), 'code nobody may edit');
        same(seen('.static-line'), Object.values(colours));
      }
      shown.render(<Owned value={value} language={language} autoFocus />);
      await waitUntil(
        () => shown.root.querySelector(`.cm-line .tok-${first}`),
        'colours of the editor',
      );
      same(seen('.cm-line'), Object.values(colours));
    });
  }

  it('highlights code that nobody may edit without its language', async () => {
    const text = "%sql\nselect 'it''s /* no', a.sum -- 'b\n/* c\nd */ 1";
    shown = mount(<PlainCode text={text} language="sql" />, editorSheets);
    await waitUntil(() => shown.all('.static-line').length === 4, 'the code');
    same(
      shown.all('.static-line span').map(({ textContent }) => textContent),
      ['%sql', 'select', "'it''s /* no'", 'sum', "-- 'b", '/* c', 'd */', '1'],
    );
  });

  const classOf = (word: string): string =>
    shown.all('.static-line span').find((part) => part.textContent === word)?.className ?? '';
  it('recognizes the words of the command language by context [O61]', async () => {
    const value = [
      '%magpie',
      'grant read on table core.table to role analyst;',
      'list read;',
      'drop user ana+1@example.org;',
      '/* over',
      'lines */ create table t {"f": int, scale: -1.5e3};',
      'alter job j add python task {"name": "fetch"} with script $$',
      'create = "x" // no comment',
      '$$;',
      "select 'it''s', `my name` from t where n=-5 and m = 3-2;",
    ].join('\n');
    shown = mount(<Owned value={value} language="magpie" />, editorSheets);
    await waitUntil(() => classOf('grant') === 'tok-keyword', 'language');
    const lines = shown.all('.static-line');
    const parts = (line: number) =>
      [...lines[line]!.querySelectorAll('span')].map((part) => [
        part.textContent,
        part.className.replace('tok-', ''),
      ]);
    same(
      parts(1).map(([word]) => word),
      ['grant', 'read', 'on', 'table', 'role'],
      'rights are keywords after grant, a word after a period is a name',
    );
    same(parts(2), [['list', 'keyword']], 'read is a name elsewhere');
    same(parts(3), [
      ['drop', 'keyword'],
      ['user', 'keyword'],
      ['ana+1@example.org', 'string'],
    ]);
    same([parts(4), parts(5)[0]], [[['/* over', 'comment']], ['lines */', 'comment']]);
    same(
      parts(5)
        .slice(1)
        .map(([word, colour]) => `${word} ${colour}`),
      [
        'create keyword',
        'table keyword',
        '"f" function',
        'int type',
        'scale function',
        '-1.5e3 number',
      ],
    );
    same(parts(7), [], 'a script has no keywords');
    same(
      parts(9)
        .filter(([, colour]) => colour !== 'keyword' && colour !== 'operator')
        .map(([word]) => word),
      ["'it''s'", '`my name`', '-5', '3', '2'],
    );
  });

  it('completes the words of the command language [O61]', async () => {
    shown = mount(
      <Owned value={'%magpie\ncreate x; descr'} language="magpie" autoFocus placeAt="end" />,
      editorSheets,
    );
    await open();
    await sendKeys({ press: 'Control+.' });
    await waitUntil(
      () => shown.all('.cm-completionLabel').some(({ textContent }) => textContent === 'describe'),
      'words',
    );
    await sendKeys({ press: 'Enter' });
    same(text(), '%magpie\ncreate x; describe');
  });

  it('indents and closes brackets according to the language', async () => {
    for (const [language, value, keys, expected] of [
      ['python', 'if x:', ['Enter'], 'if x:\n    '],
      ['javascript', 'if (x) ', ['{', 'Enter'], 'if (x) {\n  \n}'],
      ['magpie', 'create schema ', ['{', 'Enter'], 'create schema {\n  \n}'],
      ['magpie', 'print ', ['`', 'a'], 'print `a`'],
      ['sql', 'select 1', ['Home', 'Tab'], '  select 1'],
      ['yaml', 'a: 1', ['Home', 'Tab'], '  a: 1'],
      ['markdown', '**a**\n\n1. b', ['Enter', 'c'], '**a**\n\n1. b\n2. c'],
      ['markdown', '**a** <i>b</i>\n\n', ['<', 'p', '>'], '**a** <i>b</i>\n\n<p></p>'],
    ] as const) {
      shown?.remove();
      shown = mount(
        <Owned key={value} value={value} language={language} autoFocus placeAt="end" />,
        editorSheets,
      );
      await open();
      for (const key of keys) await sendKeys(key.length === 1 ? { type: key } : { press: key });
      same(text(), expected, language);
    }
  });

  it('folds by keyboard and by the gutter marker, without moving any text', async () => {
    const value = 'def f(x):\n    a = 1\n    return a\n\nf(2)';
    shown = mount(
      <Owned value={value} language="python" lineNumbers autoFocus placeAt="start" />,
      editorSheets,
    );
    await open();
    await sendKeys({ press: 'Control+Shift+BracketLeft' });
    const placeholder = await waitUntil(
      () => shown.root.querySelector<HTMLElement>('.cm-foldPlaceholder'),
      'fold',
    );
    same(
      [shown.all('.cm-line').length, placeholder.getAttribute('aria-label')],
      [3, 'Folded code, press to unfold'],
    );
    placeholder.click();
    await waitUntil(() => shown.all('.cm-line').length === 5, 'unfolded');
    const mark = await waitUntil(
      () => shown.all('.fold-mark').find((one) => one.offsetWidth > 0),
      'mark',
    );
    mark.click();
    await waitUntil(() => shown.all('.cm-line').length === 3, 'folded by the marker');
    check(shown.root.querySelector('.fold-mark.closed'), 'the fold marker');
    await sendKeys({ press: 'Control+Shift+BracketRight' });
    await waitUntil(() => shown.all('.cm-line').length === 5, 'unfolded by keys');
    shown.remove();
    const headings = '# a\n## b\nc\n# d';
    shown = mount(
      <Owned value={headings} language="markdown" autoFocus placeAt="start" />,
      editorSheets,
    );
    await open();
    await sendKeys({ press: 'Control+Shift+BracketLeft' });
    await waitUntil(() => shown.all('.cm-line').length === 2, 'a folded heading');
  });

  it('highlights forms while they are typed', async () => {
    shown = mount(<Owned value={'%python\nf"${n}"'} language="python" />, editorSheets);
    await waitUntil(() => shown.all('.tok-string').length > 0, 'highlighted code');
    same(shown.all('.tok-form').length, 0);
    shown.remove();
    const value = '%sql\nselect ${n=5,5|10} from ${t(Table)=flights} where a = \\${no}';
    shown = mount(<Owned value={value} language="sql" />, editorSheets);
    await waitUntil(() => shown.all('.tok-form').length > 0, 'forms');
    const forms = (within: string) =>
      shown
        .all(`${within} .tok-form`)
        .map(({ textContent }) => textContent)
        .join('')
        .replaceAll('}${', '} ${');
    same(forms('.static-line'), '${n=5,5|10} ${t(Table)=flights}');
    shown.render(<Owned value={value} language="sql" autoFocus placeAt="end" />);
    await open();
    await sendKeys({ type: ' + ${m' });
    await waitUntil(() => text().includes('${m}'), 'brackets');
    await waitUntil(
      () => forms('.cm-line') === '${n=5,5|10} ${t(Table)=flights} ${m}',
      'a typed form',
    );
  });
});
