/** Names that a dialog proposes for a new note and for a copy. */

/** The number at the end of `text` when it reads `<start><number>`, else 0. */
function numberAfter(text: string, start: string): number {
  const rest = text.startsWith(start) ? text.slice(start.length) : '';
  return /^\d{1,15}$/.test(rest) ? Number(rest) : 0;
}

/**
 * Name of a new note: `Untitled Note {n}`, below `folder` if one is given.
 *
 * `n` is one above the highest such name at the top level (upstream 0.8.2) and in the folder itself, because the
 * specification asks for a free number and upstream, which looks at the top level only, may propose a taken one.
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
 * Name of a copy: the source's full path and the next number. A trailing single digit counts as such a number and is
 * replaced; a longer one (a year, say) belongs to the name (upstream 0.8.2).
 *
 * @param paths full paths of all notes; without them only the number in `name` is known
 */
export function nextCloneName(name: string, paths: readonly string[] = []): string {
  const stem = /^(.+?)\s\d$/s.exec(name)?.[1] ?? name;
  let highest = numberAfter(name, `${stem} `);
  for (const path of paths) highest = Math.max(highest, numberAfter(path, `${stem} `));
  return `${stem} ${highest + 1}`;
}
