/** Counts and failures of a test run, by room; printed as one table at the end. */
import { styleText } from 'node:util';

const COUNTS = ['passed', 'failed', 'skipped'];
const rooms = new Map();
const failures = [];

/** Rooms with subfolders that are reported on their own. */
const GROUPS = ['test/contract', 'test/e2e', 'test/security'];

/** Room of a test file, by its path from the root. */
export const roomOf = (path) =>
  GROUPS.find((group) => path.startsWith(`${group}/`)) ?? path.split('/')[0];

/** Adds counts to a room; `ms` is the time its tests took, summed over processes. */
export function addCounts(room, { passed = 0, failed = 0, skipped = 0, ms = 0 }) {
  const sum = rooms.get(room) ?? { passed: 0, failed: 0, skipped: 0, ms: 0 };
  sum.passed += passed;
  sum.failed += failed;
  sum.skipped += skipped;
  sum.ms += ms;
  rooms.set(room, sum);
}

/** Adds a failure to the list at the end of the output. The room's count is added separately. */
export function addFailure(name, reason = '') {
  failures.push({ name, reason });
}

/** Adds one check (format, types) as one test. */
export function addCheck(room, name, passed, reason) {
  addCounts(room, passed ? { passed: 1 } : { failed: 1 });
  if (!passed) addFailure(`${room} › ${name}`, reason);
}

/** First lines of an error: its message, and the first place in the project's own code. */
export function shorten(message = '') {
  const lines = message.split('\n');
  const place = lines.find((line) => /^\s+at /.test(line) && !/node_modules|node:/.test(line));
  const text = lines.filter((line) => !/^\s+at /.test(line)).slice(0, 12);
  return [...text, ...(place ? [place] : [])].join('\n').trimEnd();
}

/** Prints the table by room, then the failures; returns whether the run passed. */
export function printReport(startedAt) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const rows = [...rooms].map(([room, counts]) => {
    for (const key of COUNTS) total[key] += counts[key];
    return [
      room,
      ...COUNTS.map((key) => String(counts[key])),
      counts.ms > 0 ? `${(counts.ms / 1_000).toFixed(0)} s` : '',
    ];
  });
  const table = [['room', ...COUNTS, 'test time'], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  console.log();
  for (const row of table)
    console.log(
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]),
        )
        .join('  ')
        .trimEnd(),
    );
  const seconds = (Date.now() - startedAt) / 1_000;
  console.log(`\nFinished in ${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s.`);
  for (const { name, reason } of failures) {
    console.log(`\n${styleText('red', `✗ ${name}`)}`);
    if (reason) console.log(reason.replace(/^/gm, '    '));
  }
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
  return total.failed === 0 && total.passed > 0;
}
