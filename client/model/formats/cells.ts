/** Parts of a paragraph's text that text formats (percent scripts, Markdown) store separately. */
import type { Note, Paragraph } from '../../protocol/objects.ts';
import { editorMode, splitMagic } from '../notes/magic.ts';

/** Magics by the names that other tools use for languages. */
const MAGICS: Readonly<Record<string, string>> = {
  python: 'python',
  py: 'python',
  python3: 'python',
  ipython: 'python',
  sql: 'sql',
  sh: 'sh',
  bash: 'sh',
  shell: 'sh',
  js: 'js',
  javascript: 'js',
  typescript: 'js',
  r: 'r',
  scala: 'spark',
  magpie: 'magpie',
  md: 'md',
  markdown: 'md',
};

/** Returns the magic for a language, without `%`; `undefined` for unknown languages. */
export const magicFor = (language: string): string | undefined => {
  const name = language.toLowerCase();
  return Object.hasOwn(MAGICS, name) ? MAGICS[name] : undefined;
};

/** A paragraph's text in parts, and its title. */
export interface TextCell {
  readonly title?: string;
  /** Name of the language for other tools, such as `python`. */
  readonly language: string;
  /** Text without the magic and without surrounding white space. */
  readonly script: string;
  /** Text before the script, if it is not the usual magic of the language and a line break. */
  readonly magic?: string;
  /** White space after the script. */
  readonly end?: string;
}

/** Paragraph of an imported text file. The server adds id and dates. */
export type TextParagraph = Pick<Paragraph, 'title' | 'text' | 'config' | 'status'>;

const usualMagic = (language: string): string => {
  const magic = magicFor(language);
  return magic === undefined ? '' : `%${magic}\n`;
};

/** Splits the paragraphs of a note. */
export function toTextCells({ paragraphs = [], defaultInterpreterGroup }: Note): TextCell[] {
  const fallback = editorMode(`%${defaultInterpreterGroup || 'python'}`);
  return paragraphs.map((paragraph) => toTextCell(paragraph, fallback));
}

function toTextCell({ text = '', title }: Paragraph, fallback: string): TextCell {
  const { scriptOffset, script } = splitMagic(text);
  const magic = text.slice(0, scriptOffset);
  const end = text.slice(scriptOffset + script.length);
  const language = editorMode(text, fallback);
  return {
    // Servers store no title as an empty one.
    ...(title ? { title } : {}),
    language,
    script,
    ...(magic === usualMagic(language) ? {} : { magic }),
    ...(end === '' ? {} : { end }),
  };
}

/** Returns the paragraph of a cell. */
export const fromTextCell = ({
  title,
  language,
  script,
  magic = usualMagic(language),
  end = '',
}: TextCell): TextParagraph => ({
  ...(title === undefined ? {} : { title }),
  text: magic + script + end,
  config: { enabled: true },
  status: 'READY',
});

/** Formats attributes as `key="value"`, with values that fit on one line and into comments. */
export const formatAttributes = (values: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(values)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([key, value]) => `${key}=${quoted(value)}`)
    .join(' ');

/** Escapes what would end a comment, a line or the first line of a fence. */
const quoted = (value: string): string =>
  JSON.stringify(value).replace(
    /[>`\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Parses `key="value"` attributes, and returns the text around them. */
export function parseAttributes(text: string): {
  values: Readonly<Record<string, string>>;
  rest: string;
} {
  const values: Record<string, string> = {};
  const rest = text.replace(
    /(?<![\w-])([\w-]+)=("(?:[^"\\]|\\.)*")/g,
    (whole, key: string, value: string) => {
      try {
        values[key] = JSON.parse(value) as string;
        return '';
      } catch {
        return whole;
      }
    },
  );
  return { values, rest: rest.trim() };
}
