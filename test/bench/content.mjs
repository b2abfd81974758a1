/** The notes and texts that are measured with. */

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
    `%sql\nselect region, product, sum(amount) as total\nfrom sales_${at}\nwhere year = 2025 and amount > ${at}\ngroup by region, product\norder by total desc`,
  (at) =>
    `%python\nimport math\n\n# Part ${at}\nvalues = [math.sqrt(n) for n in range(${at + 10})]\nfor value in values[:3]:\n    print(f"value {value:.3f}")`,
  (at) =>
    `%js\nconst rows = Array.from({ length: ${at + 5} }, (_, index) => index * 2);\nconst sum = rows.reduce((total, row) => total + row, 0);\nconsole.log('sum', sum);`,
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
    lines.push(
      `${at}\tregion ${at % 17}\tproduct ${(at * 7) % 113}\t${((at * 7919) % 100_000) / 100}\t2025-${String((at % 12) + 1).padStart(2, '0')}-${String((at % 28) + 1).padStart(2, '0')}`,
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

/** How much the large note holds. */
export const large = { paragraphs: 200, everyNth: 10, rows: 1000 };

/** Two hundred paragraphs with their results, twenty of them tables of a thousand rows. */
export const largeNote = (name) => ({
  name,
  paragraphs: Array.from({ length: large.paragraphs }, (_, at) =>
    at % large.everyNth === 3 ? table(at, large.rows) : text(at),
  ),
});

/** How many paragraphs the longest note has; twenty of them are tables of a thousand rows, as in the large one. */
export const longest = 1000;

export const longestNote = (name) => ({
  name,
  paragraphs: Array.from({ length: longest }, (_, at) =>
    at % (longest / 20) === 3 ? table(at, large.rows) : text(at),
  ),
});

const words = 'of the stream, with as many words as a line of a log has';

/** The stream: so many lines, `burst` of them every `pauseMs`; a server sends them on every `everyMs`. */
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
  if (at % ${streamed.burst} === 0) await new Promise((resolve) => setTimeout(resolve, ${streamed.pauseMs}));
}`;

/** An editor to type into, a paragraph that streams, and one more: running the last one would add another. */
export const typingNote = (name) => ({
  name,
  paragraphs: [{ text: '%sql\nselect 1' }, { text: streamCode }, { text: '%md\nend' }],
});

/** Paragraphs that print something else each time. */
export const runNote = (name) => ({
  name,
  paragraphs: [
    { text: '%js\nconsole.log(performance.now())' },
    { text: '%md\nrun' },
    { text: '%sql\nselect 1 as one' },
    { text: '%md\nend' },
  ],
});

/** A note of a usual size, to be edited. */
export const editNote = (name) => ({
  name,
  paragraphs: Array.from({ length: 10 }, (_, at) => text(at)),
});
