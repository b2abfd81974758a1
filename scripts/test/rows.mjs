/** Tests by name that a script runs one after another, with one table at the end. */

/** Returns the names that are chosen, or all. Exits if a chosen one does not exist. */
export function namesToRun(tests, chosen, what = 'test') {
  const names = Object.keys(tests);
  const unknown = chosen.find((name) => !names.includes(name));
  if (unknown === undefined)
    return chosen.length > 0 ? names.filter((name) => chosen.includes(name)) : names;
  console.error(`There is no ${what} '${unknown}'. Choose from: ${names.join(', ')}.`);
  return process.exit(2);
}

/** Seconds since a time in ms, as text. */
export const secondsSince = (startedAt) => `${Math.round((Date.now() - startedAt) / 1_000)} s`;

/** Prints the rows (name, result, time, text) and returns the exit code. */
export function printRows(rows) {
  const width = Math.max(...rows.map(([name]) => name.length));
  console.log();
  for (const [name, result, took, about] of rows)
    console.log(`${name.padEnd(width)}  ${result.padEnd(7)}  ${took.padStart(6)}  ${about}`);
  return rows.some(([, result]) => result === 'FAILED') ? 1 : 0;
}
