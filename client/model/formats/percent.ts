/**
 * Scripts in the percent format of Jupytext, VS Code and Spyder: `# %%` begins a cell. Cells of
 * other languages are comments.
 */
import type { JsonObject } from '../../protocol/define.ts';
import type { Note } from '../../protocol/objects.ts';
import { jsonObjectOf } from '../json-object.ts';
import {
  formatAttributes,
  fromTextCell,
  magicFor,
  parseAttributes,
  type TextCell,
  type TextParagraph,
  toTextCells,
  withMetadata,
} from './cells.ts';

/** Begins a cell. `# In[1]:` is the marker of `jupyter nbconvert --to script`. */
const MARKER = /^\s*# ?%%+(?:\s+(.*))?$|^# In\[[\d ]*\]:$/;
/** Begins the content of a cell whose cell magic is a comment, as Jupytext writes it. */
const CELL_MAGIC = /^# ?%%(\w+)[^\S\n]*(?=\n|$)/;
const PLAIN_TITLE = /^[^\s%={}[\]][^={}[\]\r\n\u2028\u2029]*$/;
/** A line that would begin a cell once it is a comment; escaped with a backslash. */
const LIKE_MARKER = /^\\*\s*(?:%%|In\[)/;
/**
 * A magic, a shell command or help of IPython, which Jupytext writes as a comment; not the program
 * of a script, `#!/usr/bin/env python`.
 */
const MAGIC =
  /^(?!#!\/)(?:# ?)*(?:%{1,2}[A-Za-z]|[!?]{1,2}\s*[A-Za-z.~$\\/{}]|\w+\s*=\s*[%!][A-Za-z])/;

const markerOf = (line: string): RegExpExecArray | null => MARKER.exec(line.trimEnd());

/** Returns the quotes of the string of Python that is open after a line, or ''. */
function quotesAfter(line: string, quotes: string): string {
  // A magic is a comment in the script, where its quotes open nothing.
  if (quotes === '' && MAGIC.test(line)) return '';
  let open = quotes;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at]!;
    if (char === '\\') at += 1;
    else if (open !== '') {
      if (!line.startsWith(open, at)) continue;
      at += open.length - 1;
      open = '';
    } else if (char === '#') break;
    else if (char === '"' || char === "'") {
      open = line.startsWith(char.repeat(3), at) ? char.repeat(3) : char;
      at += open.length - 1;
    }
  }
  return open.length === 3 || line.endsWith('\\') ? open : '';
}

/** Returns for each line whether it begins inside a string, and whether one is open at the end. */
function stringLines(lines: readonly string[]): { inString: boolean[]; isOpen: boolean } {
  const inString: boolean[] = [];
  let open = '';
  for (const line of lines) {
    inString.push(open !== '');
    open = quotesAfter(line, open);
  }
  return { inString, isOpen: open !== '' };
}

/** Writes magics as comments, so that the script is Python, or reads them from comments. */
function withMagics(script: string, change: (line: string) => string): string {
  const lines = script.split('\n');
  const { inString } = stringLines(lines);
  return lines
    .map((line, at) => (inString[at] || !MAGIC.test(line) ? line : change(line)))
    .join('\n');
}
const commentMagic = (line: string): string => `# ${line}`;
const uncommentMagic = (line: string): string => line.replace(/^# ?/, '');

const commented = (script: string): string =>
  script
    .split('\n')
    .map((line) => (line === '' ? '#' : `# ${LIKE_MARKER.test(line) ? '\\' : ''}${line}`))
    .join('\n');

/** Text in quotes, as Jupytext writes it with the option `cell_markers`. */
const QUOTED = /^([rR]?("""|'''))\n([\s\S]*?)\n\2$/;

function uncommented(lines: readonly string[]): string {
  const text = lines.join('\n').trim();
  const [, , , quoted] = QUOTED.exec(text) ?? [];
  if (quoted !== undefined) return quoted;
  return text
    .split('\n')
    .map((line) => line.replace(/^# ?/, '').replace(/^\\(?=\\*\s*(?:%%|In\[))/, ''))
    .join('\n');
}

/** Cell magics of Python for other languages; Jupytext writes them as `language`. */
const LANGUAGE_MAGICS: ReadonlySet<string> = new Set(
  (
    'R bash cython html HTML javascript js latex perl pypy python2 python3 ruby script sh sql ' +
    'svg SVG'
  ).split(' '),
);

/** Returns a cell of Python whose cell magic is another language as a cell of that language. */
function withLanguage(cell: TextCell): TextCell {
  const [, name = '', args, script] =
    /^%%(\w+)(?: (\S[^\n]*))?\n([\s\S]*)$/.exec(cell.script) ?? [];
  const isLanguage = cell.language === 'python' && cell.magic === undefined && script?.trim();
  if (!isLanguage || !LANGUAGE_MAGICS.has(name) || (!args && isOwnLanguage(name))) return cell;
  const metadata = { ...cell.metadata, ...(args ? { magic_args: args } : {}) };
  return { ...cell, language: name, script: script!, metadata };
}

/** Whether a `language` is a paragraph of its own. `R` is a magic of Python, `r` is not. */
const isOwnLanguage = (name: string): boolean => name !== 'R' && magicFor(name) !== undefined;

/** Whether tags such as `active-ipynb` exclude a cell from scripts; Jupytext comments it out. */
const isInactive = (metadata: TextCell['metadata']): boolean =>
  Array.isArray(metadata?.['tags']) &&
  metadata['tags'].some((tag) => /^active-(?!(?:.*-)?py\b)/.test(String(tag)));

function formatCell(given: TextCell): string {
  const cell = withLanguage(given);
  const { title, language, script, magic, end, forms } = cell;
  const { cell_marker: quotes, ...metadata } = cell.metadata ?? {};
  const isPlain = title === undefined || (PLAIN_TITLE.test(title) && title === title.trim());
  const isMarkdown = language === 'markdown';
  const kind = isMarkdown ? '[markdown]' : language === 'raw' ? '[raw]' : undefined;
  const lines = script.split('\n');
  const { inString, isOpen } = stringLines(lines);
  const isOff = language === 'python' && isInactive(metadata);
  const isPython =
    language === 'python' &&
    !isOff &&
    !isCommentedMagic(script, lines) &&
    !isOpen &&
    !lines.some((line, at) => !inString[at] && markerOf(line));
  const head = [
    '# %%',
    isPlain ? title : undefined,
    kind,
    formatAttributes({
      title: isPlain ? undefined : title,
      language: kind || isPython || isOff ? undefined : language,
      magic,
      end,
      forms,
      ...metadata,
    }),
  ];
  const inQuotes = `${quotes}\n${script}\n${String(quotes).slice(-3)}`;
  const isQuoted = kind && typeof quotes === 'string' && QUOTED.exec(inQuotes)?.[3] === script;
  const text = isPython
    ? withMagics(script, commentMagic)
    : isQuoted
      ? inQuotes
      : commented(script);
  return `${head.filter(Boolean).join(' ')}\n${script === '' ? '' : `${text}\n`}`;
}

/**
 * Converts a note to a Python script in percent format, without results. {@link fromPercent}
 * restores the texts and titles of the same paragraphs.
 */
export function toPercent(note: Note): string {
  const { header } = jsonObjectOf(note.config?.jupyter);
  const cells = toTextCells(note).map(formatCell).join('\n');
  return typeof header === 'string' ? `${header}\n${cells}` : cells;
}

/** Whether the reader takes a script, once its magics are comments, for another language. */
const isCommentedMagic = (script: string, lines: readonly string[]): boolean => {
  const [, name = ''] = CELL_MAGIC.exec(script) ?? /^%%(\w+)/.exec(script) ?? [];
  const isComment = ([, ...rest]: readonly string[]) =>
    rest.every((line) => line.trim() === '' || line.startsWith('#') || MAGIC.test(line));
  return name !== '' && (LANGUAGE_MAGICS.has(name) || isComment(lines));
};

function parseCell(head: string, lines: readonly string[], language: string): TextCell {
  const { values, metadata, rest } = parseAttributes(head);
  const { language: name, ...texts } = values;
  const [, kind] = /\[(\w+)\]\s*$/.exec(rest) ?? [];
  const title = values['title'] ?? (rest.replace(/\[\w+\]\s*$/, '').trim() || undefined);
  const text = lines.join('\n').trim();
  const magic = CELL_MAGIC.exec(text);
  const isComment = lines.every((line) => line.trim() === '' || line.startsWith('#'));
  const about: Partial<TextCell> & { metadata?: JsonObject } = {
    ...texts,
    ...(title === undefined ? {} : { title }),
    ...withMetadata(metadata),
  };
  const [, quotes] = QUOTED.exec(text) ?? [];
  if (kind && quotes) about.metadata = { ...about.metadata, cell_marker: quotes };
  if (kind === 'markdown' || kind === 'md' || kind === 'raw')
    return { ...about, language: kind === 'raw' ? kind : 'markdown', script: uncommented(lines) };
  const { magic_args: args, ...others } = metadata;
  if (name !== undefined) {
    const script = uncommented(lines);
    const isForeign = args !== undefined || !isOwnLanguage(name);
    if (values['magic'] !== undefined || language !== 'python' || !isForeign)
      return { ...about, language: name, script };
    const line = typeof args === 'string' ? `%%${name} ${args}` : `%%${name}`;
    const { metadata: _all, ...rest } = about;
    return { ...rest, ...withMetadata(others), language, script: `${line}\n${script}` };
  }
  if (isComment && language === 'python' && isInactive(metadata))
    return { ...about, language, script: uncommented(lines) };
  if (magic && isComment)
    return {
      ...about,
      language: magic[1]!,
      script: uncommented(text.slice(magic[0].length).split('\n')).trim(),
    };
  const isPython = language === 'python';
  return { ...about, language, script: isPython ? withMagics(text, uncommentMagic) : text };
}

function isClosed(lines: readonly string[], opened: number, quotes: string): boolean {
  for (let at = opened + 1; at < lines.length; at += 1)
    if (lines[at]!.includes(quotes)) return true;
  return false;
}

/** The paragraphs of a script, and settings of its note. */
export interface ImportedScript {
  readonly paragraphs: TextParagraph[];
  readonly config: JsonObject;
}

/**
 * Converts a script to paragraphs. Each marker outside strings begins one; a script without markers
 * is one paragraph. SQL scripts use `-- %%`.
 */
export function fromPercent(text: string, language: 'python' | 'sql' = 'python'): ImportedScript {
  const cells: { head: string | undefined; lines: string[] }[] = [{ head: undefined, lines: [] }];
  const [header = ''] = HEADER.exec(text) ?? [];
  const all = text.slice(header.length).split('\n');
  let quotes = '';
  for (const [at, line] of all.entries()) {
    const marker = markerOf(language === 'sql' ? line.replace(/^-- ?/, '# ') : line);
    if (marker && quotes === '') cells.push({ head: marker[1] ?? '', lines: [] });
    else cells.at(-1)!.lines.push(line);
    const before = quotes;
    if (language === 'python') quotes = quotesAfter(line, quotes);
    // A string that is never closed is none, such as an apostrophe in other text.
    if (before === '' && quotes !== '' && !isClosed(all, at, quotes)) quotes = '';
  }
  return {
    paragraphs: cells
      .filter(({ head, lines }) => head !== undefined || lines.some((line) => line.trim() !== ''))
      .map(({ head, lines }) => fromTextCell(parseCell(head ?? '', lines, language))),
    config: header === '' ? {} : { jupyter: headerSettings(header) },
  };
}

/** The header that Jupytext writes, which describes the notebook. */
const HEADER = /^# ---\n(?:#.*\n)*?# jupyter:\n(?:#.*\n)*?# ---\n/;

function headerSettings(header: string): JsonObject {
  const [, spec = ''] = /^# {3}kernelspec:\n((?:# {5}.*\n)*)/m.exec(header) ?? [];
  const kernelspec = Object.fromEntries(
    [...spec.matchAll(/^# +(\w+): *(.*)$/gm)].map(([, key, value]) => [key, value]),
  );
  const { name } = kernelspec;
  const complete = { display_name: name, language: 'python', ...kernelspec };
  const metadata = name === undefined ? {} : { kernelspec: complete };
  return { metadata, nbformat_minor: 5, header };
}
