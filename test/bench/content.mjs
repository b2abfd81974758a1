/** Notes and texts for the measurements. */

const dates = {
  dateCreated: 'Jan 5, 2026 9:00:00 AM',
  dateStarted: 'Jan 5, 2026 9:00:01 AM',
  dateFinished: 'Jan 5, 2026 9:00:02 AM',
};

const done = (text, type, data) => ({
  text,
  status: 'FINISHED',
  config: { enabled: true, colWidth: 12 },
  results: { code: 'SUCCESS', msg: [{ type, data }] },
  ...dates,
});

const codes = [
  (at) =>
    [
      '%sql',
      'select region, product, sum(amount) as total',
      `from sales_${at}`,
      `where year = 2025 and amount > ${at}`,
      'group by region, product',
      'order by total desc',
    ].join('\n'),
  (at) =>
    [
      '%python',
      'import math',
      '',
      `# Part ${at}`,
      `values = [math.sqrt(n) for n in range(${at + 10})]`,
      'for value in values[:3]:',
      '    print(f"value {value:.3f}")',
    ].join('\n'),
  (at) =>
    [
      '%js',
      `const rows = Array.from({ length: ${at + 5} }, (_, index) => index * 2);`,
      'const sum = rows.reduce((total, row) => total + row, 0);',
      "console.log('sum', sum);",
    ].join('\n'),
];

const text = (at) =>
  done(
    codes[at % codes.length](at),
    'TEXT',
    `value ${at}.000\nvalue ${at + 1}.414\nvalue ${at + 2}.732\n`,
  );

function tableOf(rows) {
  const lines = ['id\tregion\tproduct\tamount\tday'];
  for (let at = 0; at < rows; at += 1) {
    const [month, day] = [(at % 12) + 1, (at % 28) + 1].map((n) => String(n).padStart(2, '0'));
    lines.push(
      [
        at,
        `region ${at % 17}`,
        `product ${(at * 7) % 113}`,
        ((at * 7919) % 100_000) / 100,
        `2025-${month}-${day}`,
      ].join('\t'),
    );
  }
  return `${lines.join('\n')}\n`;
}

const table = (at, rows) => done(codes[0](at), 'TABLE', tableOf(rows));

/** Five paragraphs with their results. */
export const smallNote = (name) => ({
  name,
  paragraphs: [text(1), table(2, 5), text(4), text(5), text(7)],
});

/** Paragraphs of the large and of the long note, each with 20 tables of this many rows. */
export const large = { paragraphs: 200, tables: 20, rows: 1000 };
export const long = { ...large, paragraphs: 1000 };
/** A note of 13 MB. */
export const longest = { paragraphs: 3000, tables: 300, rows: 1000 };

/** Paragraphs with their results, some of them tables. */
const noteOf = ({ paragraphs, tables, rows }, name) => ({
  name,
  paragraphs: Array.from({ length: paragraphs }, (_, at) =>
    at % (paragraphs / tables) === 3 ? table(at, rows) : text(at),
  ),
});

const oneNote = (name) => ({ name, paragraphs: [text(1)] });

/** Size of the wide table. */
export const wide = { rows: 100_000, columns: 10 };

/** A statement whose result is the wide table. */
const wideNote = (name) => ({
  name,
  paragraphs: [
    {
      text: [
        "%sql\nselect i as id, 'region ' || i % 17 as region, 'product ' || i % 113 as product",
        ...Array.from(
          { length: wide.columns - 3 },
          (_, at) => `  , (i * ${at + 3}) % 9973 as n${at}`,
        ),
        `from range(${wide.rows}) t(i)`,
      ].join('\n'),
    },
    { text: '%md\nend' },
  ],
});

/** The same table as a paragraph of the bare page. */
export const wideTable = () => ({
  text: '',
  results: {
    msg: [
      {
        type: 'TABLE',
        data: Array.from({ length: wide.rows + 1 }, (_, at) =>
          [
            at === 0 ? 'id' : at - 1,
            `region ${at % 17}`,
            `product ${at % 113}`,
            ...Array.from({ length: wide.columns - 3 }, (_column, n) => (at * (n + 3)) % 9973),
          ].join('\t'),
        ).join('\n'),
      },
    ],
  },
});

/** Size of the DataFrame, and its least price as the table shows it. */
export const frame = { rows: 1_000_000, columns: 20, leastPrice: '0.25' };

/** Makes the DataFrame, shows it, and does the same tasks without a server. */
const frameNote = (name) => ({
  name,
  paragraphs: [
    {
      text: `%python
import numpy as np, pandas as pd
i = np.arange(${frame.rows})
frame = pd.DataFrame({'id': i, 'price': ((i + 1) * 7919 % 1000003) / 4})
frame['region'] = 'region ' + pd.Series(i % 17).astype(str)
for at in range(${frame.columns - 3}):
    frame[f'n{at}'] = i * (at + 3) % 9973`,
    },
    { text: '%python\nframe' },
    {
      text: `%python
import json, os, tempfile, time
import pyarrow as pa, pyarrow.feather
def ms(act):
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000
def store():
    with tempfile.TemporaryDirectory() as folder:
        pa.feather.write_feather(pa.Table.from_pandas(frame), os.path.join(folder, 'frame'))
print(json.dumps({
    'first': ms(lambda: pa.Table.from_pandas(frame.head(1000)).to_pydict()),
    'stored': ms(store),
    'end': ms(lambda: frame.tail(500).to_dict('list')),
    'sorted': ms(lambda: frame.sort_values('price').head(500).to_dict('list')),
    'chart': ms(lambda: frame.groupby('region')['price'].sum().to_dict()),
}))`,
    },
  ],
});

const words = 'of the stream, with as many words as a line of a log has';

/** The stream: prints `burst` lines every `pauseMs`. */
export const streamed = {
  lines: 20_000,
  burst: 100,
  pauseMs: 25,
  line: (at) => `line ${at} ${words}`,
};

const streamCode = `%js
for (let at = 1; at <= ${streamed.lines}; at += 1) {
  console.log('line', at, '${words}');
  if (at % ${streamed.burst} === 0)
    await new Promise((resolve) => setTimeout(resolve, ${streamed.pauseMs}));
}`;

/** The stream in Python. */
export const pythonStream = `import sys, time
for at in range(1, ${streamed.lines} + 1):
    print('line', at, '${words}')
    if at % ${streamed.burst} == 0:
        sys.stdout.flush()
        time.sleep(${streamed.pauseMs / 1000})`;

/** A script that streams, and a paragraph after it. */
const streamNote = (name) => ({
  name,
  paragraphs: [{ text: `%python\n${pythonStream}` }, { text: '%md\nend' }],
});

/**
 * An editor to type into, a paragraph that streams, and one more, because running the last
 * paragraph would append another.
 */
const typingNote = (name) => ({
  name,
  paragraphs: [{ text: '%sql\nselect 1' }, { text: streamCode }, { text: '%md\nend' }],
});

/** Paragraphs whose output differs in each run. */
const runNote = (name) => ({
  name,
  paragraphs: [
    { text: '%js\nconsole.log(performance.now())' },
    { text: '%md\nrun' },
    { text: '%sql\nselect 1 as one' },
    { text: '%python\nimport time\nprint(time.perf_counter())' },
    { text: '%md\nend' },
  ],
});

/** The notes of the measurements, by name. */
export const noteMakers = {
  one: oneNote,
  small: smallNote,
  large: (name) => noteOf(large, name),
  long: (name) => noteOf(long, name),
  longest: (name) => noteOf(longest, name),
  wide: wideNote,
  frame: frameNote,
  run: runNote,
  stream: streamNote,
  typing: typingNote,
};
