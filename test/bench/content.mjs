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

/** Size of the large note: number of paragraphs, distance of its tables, rows per table. */
export const large = { paragraphs: 200, everyNth: 10, rows: 1000 };

/** Two hundred paragraphs with their results, twenty of them tables of a thousand rows. */
export const largeNote = (name) => ({
  name,
  paragraphs: Array.from({ length: large.paragraphs }, (_, at) =>
    at % large.everyNth === 3 ? table(at, large.rows) : text(at),
  ),
});

/** Number of paragraphs of the longest note, which has 20 tables like those of the large note. */
export const longest = 1000;

export const longestNote = (name) => ({
  name,
  paragraphs: Array.from({ length: longest }, (_, at) =>
    at % (longest / 20) === 3 ? table(at, large.rows) : text(at),
  ),
});

const words = 'of the stream, with as many words as a line of a log has';

/** The stream: prints `burst` lines every `pauseMs`; the server forwards them every `everyMs`. */
export const streamed = {
  lines: 10_000,
  burst: 50,
  pauseMs: 10,
  everyMs: 50,
  line: (at) => `line ${at} ${words}`,
};

const streamCode = `%js
for (let at = 1; at <= ${streamed.lines}; at += 1) {
  console.log('line', at, '${words}');
  if (at % ${streamed.burst} === 0)
    await new Promise((resolve) => setTimeout(resolve, ${streamed.pauseMs}));
}`;

/**
 * An editor to type into, a paragraph that streams, and one more, because running the last
 * paragraph would append another.
 */
export const typingNote = (name) => ({
  name,
  paragraphs: [{ text: '%sql\nselect 1' }, { text: streamCode }, { text: '%md\nend' }],
});

/** Paragraphs whose output differs in each run. */
export const runNote = (name) => ({
  name,
  paragraphs: [
    { text: '%js\nconsole.log(performance.now())' },
    { text: '%md\nrun' },
    { text: '%sql\nselect 1 as one' },
    { text: '%md\nend' },
  ],
});

/** A note of typical size, to be edited. */
export const editNote = (name) => ({
  name,
  paragraphs: Array.from({ length: 10 }, (_, at) => text(at)),
});
