import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Note } from '../../protocol/objects.ts';
import { fromMarkdown, toMarkdown } from './markdown.ts';
import { fromPercent as importPercent, toPercent } from './percent.ts';

const fromPercent = (...given: Parameters<typeof importPercent>) =>
  importPercent(...given).paragraphs;

type Cell = { text: string; title?: string };

const note = (cells: readonly (string | Cell)[], rest: Partial<Note> = {}): Note => ({
  id: '2A',
  name: 'n',
  paragraphs: cells.map((each, at) => ({
    id: `p${at}`,
    ...(typeof each === 'string' ? { text: each } : each),
  })),
  ...rest,
});
const cellsOf = (paragraphs: readonly { text?: string; title?: string }[]): (string | Cell)[] =>
  paragraphs.map(({ text = '', title }) => (title === undefined ? text : { text, title }));

const FORMATS = [
  ['percent script', toPercent, fromPercent],
  ['Markdown', toMarkdown, fromMarkdown],
] as const;

/** Pieces that are special in one of the formats, for random texts. */
const PIECES = [
  ...['%python\n', '%md\n', '%sql\n', '%sql(limit=3)\n', '%spark.pyspark ', '%sh\n', '%html\n'],
  ...['# %%', '# %% x', '%% y', '\\%% z', '# In[3]:', 'In[3]:', '#', '# ', "'''", '"""', '\\'],
  ...['```', '```python', '````', '~~~', '<!-- #region -->', '<!-- #endregion -->', '-->', '`'],
  ...['%time x', '!ls', '# !ls', '%raw\n', '${x}', '${y=1}', '\\${z}', 'x = "'],
  ...['<!-- \\#endregion -->', 'text', ' ', '\n', '\n\n', '\t', '---', 'jupyter:', 'ü', '\u2028'],
];
const TITLES = [
  'A title',
  'x {1}',
  'x={}',
  '[markdown]',
  'a="b"',
  '%% x',
  ' spaces ',
  'a --> `b`',
  'two\nlines',
];

const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 7 }).map((parts) => parts.join(''));
const cell: fc.Arbitrary<string | Cell> = fc.oneof(
  { weight: 3, arbitrary: text },
  { weight: 1, arbitrary: fc.record({ text, title: fc.constantFrom(...TITLES) }) },
);

describe.each(FORMATS)('a %s', (_name, write, read) => {
  test('restores texts and titles', () => {
    const cells = [
      '%md\n# Head\n\ntext',
      '%python\nprint(1)\n\nprint(2)',
      { title: 'Totals [sum]', text: '%sql\nselect 1' },
      '%sql(limit=5)\nselect 2\n',
      '%md\none',
      '%md\ntwo\n\n```python\nx\n```',
      '%sh\necho hi',
      '%spark.pyspark\ndf.show()',
      'no magic',
      '',
      '%magpie\nlist jobs;',
      '%html\n<b>x</b>',
      '%md\n---\ntitle: no header\n---',
      { title: 'Quotes in a magic', text: "!ls'''\n'''" },
      "'''",
      { title: 'Empty', text: '' },
    ];
    expect(cellsOf(read(write(note(cells))))).toEqual(cells);
  });

  test('restores random paragraphs', () => {
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 4 }), (cells) => {
        expect(cellsOf(read(write(note(cells))))).toEqual(cells);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a percent script', () => {
  test('shows Python as it is and everything else as comments', () => {
    const text = toPercent(
      note([
        { title: '', text: '%md\n# Head\n\ntext' },
        { title: 'First step', text: '%python\nprint(1)\n' },
        '%sql\nselect 1',
      ]),
    );
    expect(text).toBe(`# %% [markdown]
# # Head
#
# text

# %% First step end="\\n"
print(1)

# %% language="sql"
# select 1
`);
  });

  test('shows text without a magic in the language of the note', () => {
    expect(toPercent(note(['x = 1'], { defaultInterpreterGroup: 'python' }))).toBe(
      '# %% magic=""\nx = 1\n',
    );
    expect(toPercent(note(['select 1'], { defaultInterpreterGroup: 'sql' }))).toBe(
      '# %% language="sql" magic=""\n# select 1\n',
    );
  });

  test.each([
    ['print(1)\n', ['%python\nprint(1)']],
    [
      'import x\n\n# %%\nx.a()\n\n#%% Second\nx.b()\n',
      ['%python\nimport x', '%python\nx.a()', '%python\nx.b()'],
    ],
    ['# In[1]:\n\n\n1 + 1\n\n\n# In[ ]:\n\n2\n', ['%python\n1 + 1', '%python\n2']],
    ['# %% [markdown]\n"""\n# Head\ntext\n"""\n', ['%md\n# Head\ntext']],
    ['# %% [md]\n# a\n#b\n', ['%md\na\nb']],
    ['# %% language="bash"\n# ls\n', ['%sh\nls']],
    ['# %%\n# %%sql\n# select 1\n', ['%sql\nselect 1']],
    ['# ---\n# jupyter:\n#   jupytext: {}\n# ---\n\n# %%\n1\n', ['%python\n1']],
    ['#!/bin/env python\n\n# %%\n1\n', ['%python\n#!/bin/env python', '%python\n1']],
    [
      '# %% tags=["active-ipynb"]\n# # A\n# %matplotlib inline\n',
      ['%python\n# A\n%matplotlib inline'],
    ],
    ['# %% tags=["active-py"]\n# A\n', ['%python\n# A']],
    ['# %%\n# only a comment\n', ['%python\n# only a comment']],
    ['# %% [raw]\n# raw ${a}\n', ['%raw\nraw ${a}']],
    ['# %% [markdown]\n# Costs ${a}\n', ['%md\nCosts \\${a}']],
    ['# %%\nprint(f"${n} due")\n', ['%python\nprint(f"${n} due")']],
    [
      '# %%\n# %matplotlib inline\n# !pip install x\nx\n',
      ['%python\n%matplotlib inline\n!pip install x\nx'],
    ],
    [
      '# %%\ntext = """\n# %% not a cell\n# !x\n"""\n# %%\n2\n',
      ['%python\ntext = """\n# %% not a cell\n# !x\n"""', '%python\n2'],
    ],
    ["# %%\n# it's\nx = '''open\n# %%\n2\n", ["%python\n# it's\nx = '''open", '%python\n2']],
  ])('reads %j of other programs', (text, texts) => {
    expect(fromPercent(text).map((paragraph) => paragraph.text)).toEqual(texts);
  });

  test('keeps the header, titles, tags and other metadata', () => {
    const text = `# ---
# jupyter:
#   kernelspec:
#     display_name: Analytics
#     language: python
#     name: analytics
# ---

# %% [markdown]
# # Title

# %% tags=["parameters"]
alpha = 1

# %% tags=["active-ipynb"]
# %matplotlib inline
# # only there

# %% Named slideshow={"slide_type": "slide"} n=1
beta = 2

# %% A heading with "quotes" [markdown]
# text

# %% [raw] raw_mimetype="text/latex"
# raw text
`;
    const { paragraphs, config } = importPercent(text);
    expect(paragraphs.map((each) => [each.title, each.config?.jupyter?.['metadata']])).toEqual([
      [undefined, undefined],
      [undefined, { tags: ['parameters'] }],
      [undefined, { tags: ['active-ipynb'] }],
      ['Named', { slideshow: { slide_type: 'slide' }, n: 1 }],
      ['A heading with "quotes"', undefined],
      [undefined, { raw_mimetype: 'text/latex' }],
    ]);
    expect(config['jupyter']).toMatchObject({
      metadata: { kernelspec: { name: 'analytics', display_name: 'Analytics' } },
    });
    expect(toPercent({ ...note([]), config, paragraphs: paragraphs as Note['paragraphs'] })).toBe(
      text,
    );
    expect(importPercent('# %% {"tags": ["a"]}\n1').paragraphs[0]?.config?.jupyter).toEqual({
      metadata: { tags: ['a'] },
    });
  });

  test('of SQL has one paragraph, or one for each marker', () => {
    const texts = (text: string) => fromPercent(text, 'sql').map((each) => each.text);
    expect(texts('-- a comment\nselect 1;\nselect 2;\n')).toEqual([
      '%sql\n-- a comment\nselect 1;\nselect 2;',
    ]);
    expect(fromPercent('-- %% One\nselect 1;\n\n-- %% Two\nselect 2;\n', 'sql')).toMatchObject([
      { title: 'One', text: '%sql\nselect 1;' },
      { title: 'Two', text: '%sql\nselect 2;' },
    ]);
    expect(texts('\n')).toEqual([]);
    expect(texts("select '${a}' as literal;\n")).toEqual(["%sql\nselect '\\${a}' as literal;"]);
  });
});

describe('a Markdown file', () => {
  test('shows text as it is and code in fences', () => {
    const text = toMarkdown(
      note([
        '%md\n# Head',
        { title: 'First', text: '%python\nprint(1)' },
        '%sql(limit=3)\nselect 1',
      ]),
    );
    expect(text).toBe(`# Head

\`\`\`python title="First"
print(1)
\`\`\`

\`\`\`sql magic="%sql(limit=3)\\n"
select 1
\`\`\`
`);
  });

  test('keeps the options of chunks', () => {
    const text = '---\ntitle: "A"\n---\n\n```{r setup, include=FALSE}\nx <- 1\n```\n';
    expect(toMarkdown({ ...note([]), paragraphs: fromMarkdown(text) as Note['paragraphs'] })).toBe(
      text,
    );
  });

  test.each([
    ['# Only text\n\n\nmore\n', ['%md\n# Only text\n\n\nmore']],
    ['a\n```bash\nls\n```\nb\n', ['%md\na', '%sh\nls', '%md\nb']],
    ['```{python}\n1\n```\n', ['%python\n1']],
    ['```{r setup, include=FALSE}\nx <- 1\n```\n', ['%r\nx <- 1']],
    ['a ${b}\n\n```bash\nX=5; echo "${X}"\n```\n', ['%md\na \\${b}', '%sh\nX=5; echo "\\${X}"']],
    [
      'a\n\n```yaml\nx: 1\n```\n\n```\n$ ls\n```\n',
      ['%md\na\n\n```yaml\nx: 1\n```\n\n```\n$ ls\n```'],
    ],
    ['~~~\n```python\n1\n```\n~~~\n', ['%md\n~~~\n```python\n1\n```\n~~~']],
    ['- x\n\n  ```python\n  1\n  ```\n', ['%md\n- x\n\n  ```python\n  1\n  ```']],
    ['```sql\nselect 1', ['%sql\nselect 1']],
    ['---\njupyter:\n  x: 1\n---\n\ntext\n', ['%md\ntext']],
    ['---\ntitle: x\n---\n\ntext\n', ['%raw\n---\ntitle: x\n---', '%md\ntext']],
    ['---\n\ntext\n\n---\n', ['%md\n---\n\ntext\n\n---']],
    ['\n\n', []],
  ])('reads %j of other programs', (text, texts) => {
    expect(fromMarkdown(text).map((paragraph) => paragraph.text)).toEqual(texts);
  });
});
