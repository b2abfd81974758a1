/**
 * Markdown files in which fenced code blocks are cells, as in Jupytext. Regions in comments keep a
 * Markdown paragraph together that has a title, contains code, or follows another one.
 */
import type { Note } from '../../protocol/objects.ts';
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

const FENCE = /^(`{3,}|~{3,})([^`]*)$/;
const REGION = /^<!-- #region\b(.*)-->[^\S\n]*$/;
/** The header of a document, in YAML. Jupytext and this project read it as a raw cell. */
const HEADER = /^---\n(?=[\w-]+:)(?:(?!---\n).*\n)*---(?:\n|$)/;
const END_REGION = /^<!-- #endregion -->[^\S\n]*$/;
/** The language and options of a chunk of R Markdown or Quarto: `{r setup, echo=FALSE}`. */
const CHUNK = /^\{[\w.+-]+(?:[ ,][^{}\n]*)?\}$/;
/** A line in a region that would end it; escaped with a backslash. */
const LIKE_END = /^<!-- (\\*)#endregion/;

function formatCode({ language, script, metadata, ...attributes }: TextCell): string {
  // A longer fence than any in the script.
  const longest = Math.max(2, ...[...script.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const { chunk, ...others } = metadata ?? {};
  const name = typeof chunk === 'string' && CHUNK.test(chunk) ? chunk : language;
  const parts = [name, formatAttributes({ ...attributes, ...others })];
  const head = parts.filter(Boolean).join(' ');
  return `${fence}${head}\n${script === '' ? '' : `${script}\n`}${fence}\n`;
}

function formatText(cell: TextCell, isAlone: boolean): string {
  const { language: _language, script, metadata, ...texts } = cell;
  const attributes = { ...texts, ...metadata };
  const plain =
    !HEADER.test(script) &&
    !script.split('\n').some((line) => FENCE.test(line) || REGION.test(line));
  if (plain && isAlone && script !== '' && Object.keys(attributes).length === 0)
    return `${script}\n`;
  const head = ['<!-- #region', formatAttributes(attributes), '-->'];
  const lines = script.split('\n').map((line) => line.replace(LIKE_END, '<!-- $1\\#endregion'));
  return `${head.filter(Boolean).join(' ')}\n${lines.join('\n')}\n<!-- #endregion -->\n`;
}

/**
 * Converts a note to Markdown, without results. Code becomes fenced blocks. {@link fromMarkdown}
 * restores the texts and titles of the same paragraphs.
 */
export function toMarkdown(note: Note): string {
  return toTextCells(note)
    .map((cell, index, cells) =>
      cell.language === 'markdown'
        ? formatText(cell, cells[index - 1]?.language !== 'markdown')
        : isHeader(cell) && index === 0
          ? `${cell.script}\n`
          : formatCode(withMagic(cell)),
    )
    .join('\n');
}

const isHeader = ({ language, script, ...others }: TextCell): boolean =>
  language === 'raw' && HEADER.exec(script)?.[0] === script && Object.keys(others).length === 0;

/** Unknown languages need their magic, because other files use them for examples. */
const withMagic = (cell: TextCell): TextCell =>
  cell.magic !== undefined || magicFor(cell.language) ? cell : { ...cell, magic: '' };

/**
 * Converts Markdown to paragraphs: text to `%md`, fenced code in a language with an interpreter to
 * code. Code in other languages stays in the text.
 */
export function fromMarkdown(text: string): TextParagraph[] {
  const cells: TextCell[] = [];
  let prose: string[] = [];
  const flush = (): void => {
    const script = prose.join('\n').trim();
    if (script !== '') cells.push({ language: 'markdown', script });
    prose = [];
  };
  const document = withoutHeader(text);
  const [header = ''] = HEADER.exec(document) ?? [];
  if (header !== '') cells.push({ language: 'raw', script: header.trimEnd() });
  const lines = document.slice(header.length).split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    const region = REGION.exec(line);
    const fence = FENCE.exec(line);
    if (region) {
      const end = endAfter(lines, at, END_REGION);
      const { values, metadata, rest } = parseAttributes(region[1]!);
      const body = lines.slice(at + 1, end);
      flush();
      cells.push({
        ...(rest === '' ? {} : { title: rest }),
        ...values,
        ...withMetadata(metadata),
        language: 'markdown',
        script: body.map((each) => each.replace(/^<!-- \\(\\*#endregion)/, '<!-- $1')).join('\n'),
      });
      at = end;
    } else if (fence) {
      const close = new RegExp(`^${fence[1]![0]}{${fence[1]!.length},}\\s*$`);
      const end = endAfter(lines, at, close);
      const { values, metadata, rest } = parseAttributes(fence[2]!);
      const language = /^\{?([\w.+-]*)/.exec(rest)![1]!;
      const magic = magicFor(language);
      if (values['magic'] !== undefined || (magic && magic !== 'md')) {
        flush();
        const script = lines.slice(at + 1, end).join('\n');
        const about = withMetadata(CHUNK.test(rest) ? { ...metadata, chunk: rest } : metadata);
        cells.push({ ...values, ...about, language, script });
      } else prose.push(...lines.slice(at, end + 1));
      at = end;
    } else prose.push(line);
  }
  flush();
  return cells.map(fromTextCell);
}

/** Returns the index of the next line that ends a block; the number of lines if none does. */
function endAfter(lines: readonly string[], start: number, ends: RegExp): number {
  let at = start + 1;
  while (at < lines.length && !ends.test(lines[at]!)) at += 1;
  return at;
}

/** Removes the header that Jupytext writes, which describes the notebook. */
const withoutHeader = (text: string): string =>
  text.replace(/^---\n(?:(?!---\n).*\n)*?jupyter:\n(?:(?!---\n).*\n)*?---\n/, '');
