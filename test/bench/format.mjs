/** Formats the report as one text table with aligned columns. */

const heads = [
  '',
  'unit',
  'n',
  'min',
  'median',
  'max',
  'floor min',
  'median',
  'max',
  '× floor',
  'goal',
];

/** Formats a number with its significant digits. */
export function figure(value) {
  if (value === undefined) return '–';
  if (value === 0 || Math.abs(value) >= 100) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

function cells({ name, unit, ours, floor, ratio, goal }) {
  return [
    `  ${name}`,
    unit,
    String(ours?.n ?? 0),
    ...[ours?.min, ours?.median, ours?.max, floor?.min, floor?.median, floor?.max, ratio].map(
      figure,
    ),
    goal === undefined ? '' : figure(goal),
  ];
}

/**
 * The table of all sections.
 *
 * @param {readonly { title: string, rows: readonly object[] }[]} sections
 */
export function table(sections) {
  const lines = [heads, ...sections.flatMap(({ title, rows }) => [[title], ...rows.map(cells)])];
  // A section's title may be longer than its column.
  const widths = heads.map((_, at) =>
    Math.max(...lines.filter((line) => line.length > 1).map((line) => line[at].length)),
  );
  const reasons = sections.flatMap(({ rows }) =>
    rows.flatMap(({ name, skipped }) => (skipped ? [`Not measured: ${name}: ${skipped}`] : [])),
  );
  const text = (line) =>
    line
      .map((cell, at) => (at < 2 ? cell.padEnd(widths[at]) : cell.padStart(widths[at])))
      .join('  ')
      .trimEnd();
  const rule = '-'.repeat(text(heads.map((_, at) => '-'.repeat(widths[at]))).length);
  return [text(heads), rule, ...lines.slice(1).map(text), ...reasons].join('\n');
}
