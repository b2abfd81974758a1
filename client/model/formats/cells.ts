/** Parts of a paragraph's text that text formats (percent scripts, Markdown) store separately. */
import type { JsonObject } from '../../protocol/define.ts';
import type { Note, Paragraph } from '../../protocol/objects.ts';
import { isSameJson, jsonObjectOf } from '../json-object.ts';
import { textWithForms } from '../notes/form-params.ts';
import { parseForms } from '../notes/form-templates.ts';
import { escapeForms, unescapeForms } from '../notes/form-values.ts';
import { editorMode, splitMagic } from '../notes/magic.ts';
import { wordMap } from '../text/word-map.ts';
import { unmarked } from './exact-numbers.ts';

/** Magics by the names that other tools use for languages. */
const MAGICS = wordMap([
  ['python', 'python py python3 ipython'],
  ['sql', 'sql'],
  ['sh', 'sh bash shell'],
  ['js', 'js javascript typescript'],
  ['r', 'r'],
  ['spark', 'scala'],
  ['magpie', 'magpie'],
  ['md', 'md markdown'],
  ['raw', 'raw'],
]);

/** Returns the magic for a language, without `%`; `undefined` for unknown languages. */
export const magicFor = (language: string): string | undefined =>
  MAGICS.get(language.toLowerCase());

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
  /** Written if the script has forms. Without it, `${` is text. */
  readonly forms?: true;
  /** Metadata of the cell, such as its tags. */
  readonly metadata?: JsonObject | undefined;
}

/** Paragraph of an imported text file. The server adds id and dates. */
export type TextParagraph = Pick<Paragraph, 'title' | 'text' | 'config' | 'status'>;

/** Whether forms of the syntax `${…}` are filled in for a paragraph. */
export const hasForms = (text: string): boolean => parseForms(textWithForms(text)).length > 0;

const usualMagic = (language: string): string => {
  const magic = magicFor(language);
  return magic === undefined ? '' : `%${magic}\n`;
};

/** Splits the paragraphs of a note. */
export function toTextCells({ paragraphs = [], defaultInterpreterGroup }: Note): TextCell[] {
  const fallback = editorMode(`%${defaultInterpreterGroup || 'python'}`);
  return paragraphs.map((paragraph) => toTextCell(paragraph, fallback));
}

function toTextCell({ text = '', title, config }: Paragraph, fallback: string): TextCell {
  const { scriptOffset, script: stored } = splitMagic(text);
  const forms = hasForms(text);
  const script = textWithForms(text) !== '' && !forms ? unescapeForms(stored) : stored;
  const metadata = unmarked(jsonObjectOf(jsonObjectOf(config?.jupyter)['metadata']));
  const magic = text.slice(0, scriptOffset);
  const end = text.slice(scriptOffset + stored.length);
  const language = splitMagic(text).magic === 'raw' ? 'raw' : editorMode(text, fallback);
  return {
    // Servers store no title as an empty one.
    ...(title ? { title } : {}),
    language,
    script,
    ...(magic === usualMagic(language) ? {} : { magic }),
    ...(end === '' ? {} : { end }),
    ...(forms ? { forms } : {}),
    ...(isSameJson(metadata, {}) ? {} : { metadata }),
  };
}

/** Returns the paragraph of a cell. */
export const fromTextCell = ({
  title,
  language,
  script,
  magic = usualMagic(language),
  end = '',
  forms,
  metadata,
}: TextCell): TextParagraph => {
  const text = magic + script;
  const isEscaped = forms === undefined && textWithForms(text) !== '';
  return {
    ...(title === undefined ? {} : { title }),
    text: magic + (isEscaped ? escapeForms(script) : script) + end,
    config: {
      enabled: language !== 'raw',
      ...(title === undefined ? {} : { title: true }),
      ...(metadata ? { jupyter: { metadata } } : {}),
    },
    status: 'READY',
  };
};

/** Attributes that are written as texts. The others are metadata of the cell. */
const TEXTS: ReadonlySet<string> = new Set(['title', 'language', 'magic', 'end']);

/** Formats attributes as `key=value`, with JSON that fits on one line and into comments. */
export const formatAttributes = (values: JsonObject): string =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${quoted(value)}`)
    .join(' ');

/** Escapes what would end a comment, a line or the first line of a fence. */
const quoted = (value: unknown): string =>
  JSON.stringify(value)
    .replace(
      /[>`\u2028\u2029]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    .replace(/("(?:[^"\\]|\\.)*")|([:,])/g, (_, text: string, mark) => text ?? `${mark} `);

const ATTRIBUTE = /(?<![^\s,])([^\s,="'{}[\]]+)=(?=["[{\dtfn-])/g;

/** Returns the JSON at the start of a text, and its length; `undefined` if there is none. */
function jsonAt(text: string): { value: unknown; length: number } | undefined {
  let depth = 0;
  const token = /"(?:[^"\\]|\\.)*"|[[{]|[\]}]|[^\s"[\]{}]+|\s+/y;
  for (let part = token.exec(text); part; part = token.exec(text)) {
    if (/^[[{]/.test(part[0])) depth += 1;
    else if (/^[\]}]/.test(part[0])) depth -= 1;
    if (depth > 0) continue;
    try {
      return { value: JSON.parse(text.slice(0, token.lastIndex)), length: token.lastIndex };
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/**
 * Parses the attributes of a cell as Jupytext writes them: `key=value` with JSON, or one object at
 * the end. Returns those that are texts, the others as metadata, and the text around them.
 */
export function parseAttributes(text: string): {
  values: Readonly<Record<string, string>>;
  metadata: JsonObject;
  rest: string;
} {
  const all: JsonObject = {};
  let rest = '';
  let from = 0;
  const attribute = new RegExp(ATTRIBUTE);
  for (let start = attribute.exec(text); start; start = attribute.exec(text)) {
    const json = jsonAt(text.slice(attribute.lastIndex));
    if (!json) continue;
    all[start[1]!] = json.value;
    rest += text.slice(from, start.index);
    attribute.lastIndex = from = attribute.lastIndex + json.length;
  }
  rest += text.slice(from);
  const object = /^([^{]*)(\{[\s\S]*\})\s*$/.exec(rest);
  const json = object && jsonAt(object[2]!);
  if (object && json?.length === object[2]!.length) {
    Object.assign(all, json.value);
    rest = object[1]!;
  }
  const isText = ([key, value]: [string, unknown]) => TEXTS.has(key) && typeof value === 'string';
  const entries = Object.entries(all);
  return {
    values: Object.fromEntries(entries.filter(isText)) as Record<string, string>,
    metadata: Object.fromEntries(entries.filter((entry) => !isText(entry))),
    rest: rest.trim(),
  };
}

/** Divides the metadata of a cell into what Tiding writes and what other programs write. */
export const withMetadata = ({ forms, ...metadata }: JsonObject): Partial<TextCell> => ({
  ...(forms === true ? { forms } : {}),
  ...(isSameJson(metadata, {}) ? {} : { metadata }),
});
