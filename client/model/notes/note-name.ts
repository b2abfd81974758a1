/** Returns the number n if `text` is `<prefix><n>`, otherwise 0. */
function numberAfter(text: string, prefix: string): number {
  const rest = text.startsWith(prefix) ? text.slice(prefix.length) : '';
  return /^\d{1,15}$/.test(rest) ? Number(rest) : 0;
}

/**
 * Suggests a name for a new note: `Untitled Note {n}`, inside `folder` if one is given.
 *
 * `n` is one more than the highest such number at the top level (as in Zeppelin 0.8.2) and in the
 * folder. The folder counts because the specification asks for a free number; Zeppelin looks only
 * at the top level and may suggest a taken one.
 *
 * @param paths full paths of all notes, without leading slash
 */
export function nextUntitledName(paths: readonly string[], folder = ''): string {
  const prefix = folder === '' ? '' : `${folder}/`;
  let highest = 0;
  for (const path of paths) {
    highest = Math.max(
      highest,
      numberAfter(path, 'Untitled Note '),
      numberAfter(path, `${prefix}Untitled Note `),
    );
  }
  return `${prefix}Untitled Note ${highest + 1}`;
}

/**
 * Suggests a name for a copy: the full path of the original and the next number. A single trailing
 * digit counts as such a number and is replaced; a longer one, such as a year, is part of the name
 * (as in Zeppelin 0.8.2).
 *
 * @param paths full paths of all notes; without them only the number in `name` is considered
 */
export function nextCloneName(name: string, paths: readonly string[] = []): string {
  const stem = /^(.+?)\s\d$/s.exec(name)?.[1] ?? name;
  let highest = numberAfter(name, `${stem} `);
  for (const path of paths) highest = Math.max(highest, numberAfter(path, `${stem} `));
  return `${stem} ${highest + 1}`;
}
