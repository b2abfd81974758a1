import type { Form } from '../../protocol/objects.ts';

/** Type of a form in a text. Older notes use other names; see `normalizeForm`. */
export type FormType = 'TextBox' | 'Password' | 'Select' | 'CheckBox';

/**
 * A form defined by a template in a paragraph's text. `argument` is the delimiter for the values of
 * check boxes.
 */
export interface TextForm extends Form {
  /** Key of its value in `params`. */
  name: string;
  /** Type of the input element. */
  type: FormType;
  /** A list for check boxes, otherwise a string. */
  defaultValue: string | string[];
  /** Written with a leading underscore: the form has a value but is not shown. */
  hidden: boolean;
}

/** A form and the position of its template: `text.slice(start, end)` is the template. */
export interface FormTemplate {
  /** The form that the template defines. */
  readonly form: TextForm;
  /** Written `$${…}`: the form belongs to the note. */
  readonly noteWide: boolean;
  /** Offset of the first character. */
  readonly start: number;
  /** Offset after the closing brace. */
  readonly end: number;
}

/** An underscore hides the form only if it is not part of a word: `table_${year}` is not hidden. */
const OPEN = /(?:(?<![A-Za-z0-9_\\])_)?(?<!\\)\$\$?\{/g;

/**
 * Limits in characters and nesting for matching braces. Beyond them, a template ends at its first
 * closing brace, as always in Zeppelin.
 */
const MAX_BALANCED_CHARACTERS = 2000;
const MAX_BRACE_DEPTH = 16;

/**
 * Returns the position of the closing brace of a template. Balanced braces inside a default are
 * skipped.
 */
function closingBraceOf(text: string, from: number): number {
  let depth = 0;
  const limit = Math.min(text.length, from + MAX_BALANCED_CHARACTERS);
  for (let at = from; at < limit && depth < MAX_BRACE_DEPTH; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '{') depth += 1;
    else if (char === '}' && depth > 0) depth -= 1;
    else if (char === '}') return at;
  }
  return text.indexOf('}', from);
}

/**
 * Splits at a character that is neither inside braces nor after a backslash, into at most `limit`
 * parts.
 */
function split(text: string, separator: string, limit = Number.POSITIVE_INFINITY): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length && parts.length < limit - 1; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '{') depth += 1;
    else if (char === '}') depth -= 1;
    else if (char === separator && depth <= 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}

const unescapeText = (text: string): string => text.replace(/\\([,|(){}])/g, '$1');

/** Parses `value(Label)`. A blank label is omitted. */
function labelled(text: string): { value: string; displayName?: string } {
  const trimmed = text.trimEnd();
  const open = split(trimmed, '(', 2)[0]?.length ?? 0;
  if (!trimmed.endsWith(')') || trimmed.indexOf(')', open) < trimmed.length - 1)
    return { value: unescapeText(text) };
  const displayName = unescapeText(trimmed.slice(open + 1, -1)).trim();
  return {
    value: unescapeText(trimmed.slice(0, open).trimEnd()),
    ...(displayName === '' ? {} : { displayName }),
  };
}

/**
 * Name, label and type: everything up to `=` or the end, on one line and without braces. This
 * distinguishes a template from code.
 */
const HEAD = /[^={}\n]{1,1000}(?=[=}])/y;
const TYPED = /^(checkbox|password)\s*(?:\(([^()]*)\))?\s*:(.*)$/;

interface Head {
  readonly type: string | undefined;
  readonly argument: string | undefined;
  readonly name: string;
  readonly displayName?: string;
}

/** Parses type, name and label; `undefined` if this is not a form and remains text. */
function readHead(head: string): Head | undefined {
  const typed = TYPED.exec(head);
  const { value: name, ...label } = labelled((typed?.[3] ?? head).trim());
  // Another type, or a shell's `${VAR:-x}`. Zeppelin fails the run here.
  if (name === '' || name.includes(':')) return undefined;
  return { type: typed?.[1], argument: typed?.[2], name, ...label };
}

/**
 * Creates the form of a template; `content` is the text after `=`. It has at most `maxOptions`
 * options, and as many checked boxes.
 */
function toForm(
  { type, argument, ...named }: Head,
  content: string | undefined,
  hidden: boolean,
  maxOptions: number,
): TextForm {
  const list = (text: string) => split(text, '|', maxOptions + 1).slice(0, maxOptions);
  if (type === 'password') return { type: 'Password', ...named, hidden, defaultValue: '' };
  const [start = '', choices] = split(content ?? '', ',', 2);
  const options = choices === undefined ? undefined : list(choices).map(labelled);
  if (type === 'checkbox') {
    const checked = start === '' ? [] : list(start).map(unescapeText);
    const boxes = options ?? checked.map((value) => ({ value }));
    const delimiter = argument === undefined ? {} : { argument };
    return {
      type: 'CheckBox',
      ...named,
      hidden,
      defaultValue: checked,
      options: boxes,
      ...delimiter,
    };
  }
  if (options)
    return { type: 'Select', ...named, hidden, defaultValue: unescapeText(start), options };
  return { type: 'TextBox', ...named, hidden, defaultValue: start.replace(/\\([{},])/g, '$1') };
}

/**
 * Maximum number of templates in a text, and of options of all its forms: servers read texts of a
 * megabyte for all users.
 */
export const MAX_TEMPLATES = 10_000;

/**
 * Finds the form templates in a text, in order (Zeppelin 0.8.2; passwords since 0.9):
 *
 * - `${name}`, `${name=default}`, `${name(Label)=default}`: text box
 * - `${name=default,v1(Label 1)|v2}`: select
 * - `${checkbox:name=d1|d2,a|b(Label)|c}`, `${checkbox( or ):name=…}`: check boxes
 * - `${password:name}`: password
 * - `_${…}`: hidden
 * - `$${…}`: a form of the note
 *
 * In addition to Zeppelin: `\${` is not a template; a default may contain balanced braces
 * (`${q={"a":1}}`); a backslash escapes `, | ( ) { }`; anything that can't be a form remains text,
 * and so does everything after 10,000 times `${`. The forms of a text have at most 10,000 options.
 */
export function parseForms(text: string): FormTemplate[] {
  const templates: FormTemplate[] = [];
  const open = new RegExp(OPEN);
  let close = text.indexOf('}');
  let options = MAX_TEMPLATES;
  for (let tried = 0; tried < MAX_TEMPLATES && close >= 0; tried += 1) {
    const found = open.exec(text);
    if (!found) break;
    const from = open.lastIndex;
    HEAD.lastIndex = from;
    const before = HEAD.exec(text)?.[0];
    const head = readHead(before?.trim() ?? '');
    if (close < from) close = text.indexOf('}', from);
    if (before === undefined || !head || close < 0) continue;
    const at = from + before.length;
    const end = text[at] === '=' ? closingBraceOf(text, at + 1) : at;
    const form = toForm(
      head,
      end > at ? text.slice(at + 1, end) : undefined,
      found[0].startsWith('_'),
      options,
    );
    options -= form.options?.length ?? 0;
    templates.push({ form, noteWide: found[0].endsWith('$${'), start: found.index, end: end + 1 });
    open.lastIndex = end + 1;
  }
  return templates;
}
