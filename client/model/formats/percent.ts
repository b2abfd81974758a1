/**
 * Scripts in the percent format of Jupytext, VS Code and Spyder: `# %%` begins a cell. Cells of
 * other languages are comments.
 */
import type { Note } from '../../protocol/objects.ts';
import {
  formatAttributes,
  fromTextCell,
  parseAttributes,
  type TextCell,
  type TextParagraph,
  toTextCells,
} from './cells.ts';

/** Begins a cell. `# In[1]:` is the marker of `jupyter nbconvert --to script`. */
const MARKER = /^# ?%%+(?:\s+(.*))?$|^# In\[[\d ]*\]:$/;
/** Begins the content of a cell whose cell magic is a comment, as Jupytext writes it. */
const CELL_MAGIC = /^# ?%%(\w+)[^\S\n]*(?=\n|$)/;
const PLAIN_TITLE = /^[^\s%="[\]][^="[\]\r\n\u2028\u2029]*$/;
/** A line that would begin a cell once it is a comment; escaped with a backslash. */
const LIKE_MARKER = /^\\*(?:%%|In\[)/;

const markerOf = (line: string): RegExpExecArray | null => MARKER.exec(line.trimEnd());

const commented = (script: string): string =>
  script
    .split('\n')
    .map((line) => (line === '' ? '#' : `# ${LIKE_MARKER.test(line) ? '\\' : ''}${line}`))
    .join('\n');

function uncommented(lines: readonly string[]): string {
  const text = lines.join('\n').trim();
  const quoted = /^(?:"""|''')\n?([\s\S]*?)\n?(?:"""|''')$/.exec(text);
  if (quoted) return quoted[1]!;
  return text
    .split('\n')
    .map((line) => line.replace(/^# ?/, '').replace(/^\\(?=\\*(?:%%|In\[))/, ''))
    .join('\n');
}

function formatCell(cell: TextCell): string {
  const { title, language, script, magic, end } = cell;
  const isPlain = title === undefined || (PLAIN_TITLE.test(title) && title === title.trim());
  const isMarkdown = language === 'markdown';
  const isPython =
    language === 'python' &&
    !CELL_MAGIC.test(script) &&
    !script.split('\n').some((line) => markerOf(line));
  const head = [
    '# %%',
    isPlain ? title : undefined,
    isMarkdown ? '[markdown]' : undefined,
    formatAttributes({
      title: isPlain ? undefined : title,
      language: isMarkdown || isPython ? undefined : language,
      magic,
      end,
    }),
  ];
  const body = script === '' ? '' : `${isPython ? script : commented(script)}\n`;
  return `${head.filter(Boolean).join(' ')}\n${body}`;
}

/**
 * Converts a note to a Python script in percent format, without results. {@link fromPercent}
 * restores the texts and titles of the same paragraphs.
 */
export const toPercent = (note: Note): string => toTextCells(note).map(formatCell).join('\n');

function parseCell(head: string, lines: readonly string[], language: string): TextCell {
  const { values, rest } = parseAttributes(head);
  const kind = /\[(\w+)\]/.exec(rest)?.[1];
  const title = values['title'] ?? (rest.replace(/\[\w+\]/, '').trim() || undefined);
  const text = lines.join('\n').trim();
  const isMarkdown = kind === 'markdown' || kind === 'md';
  const magic = CELL_MAGIC.exec(text);
  const isComment = lines.every((line) => line.trim() === '' || line.startsWith('#'));
  const about = {
    ...(title === undefined ? {} : { title }),
    ...(values['magic'] === undefined ? {} : { magic: values['magic'] }),
    ...(values['end'] === undefined ? {} : { end: values['end'] }),
  };
  if (isMarkdown) return { ...about, language: 'markdown', script: uncommented(lines) };
  if (values['language'] !== undefined)
    return { ...about, language: values['language'], script: uncommented(lines) };
  if (magic && isComment)
    return {
      ...about,
      language: magic[1]!,
      script: uncommented(text.slice(magic[0].length).split('\n')).trim(),
    };
  return { ...about, language, script: text };
}

/**
 * Converts a script to paragraphs. Each marker begins one; a script without markers is one
 * paragraph. SQL scripts use `-- %%`.
 */
export function fromPercent(text: string, language: 'python' | 'sql' = 'python'): TextParagraph[] {
  const cells: { head: string | undefined; lines: string[] }[] = [{ head: undefined, lines: [] }];
  for (const line of withoutHeader(text).split('\n')) {
    const marker = markerOf(language === 'sql' ? line.replace(/^-- ?/, '# ') : line);
    if (marker) cells.push({ head: marker[1] ?? '', lines: [] });
    else cells.at(-1)!.lines.push(line);
  }
  return cells
    .filter(({ head, lines }) => head !== undefined || lines.some((line) => line.trim() !== ''))
    .map(({ head, lines }) => fromTextCell(parseCell(head ?? '', lines, language)));
}

/** Removes the header that Jupytext writes, which describes the notebook. */
const withoutHeader = (text: string): string =>
  text.replace(/^# ---\n(?:#.*\n)*?# jupyter:\n(?:#.*\n)*?# ---\n/, '');
