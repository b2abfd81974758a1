/** Forms that are written into a paragraph's text: `${name=default,v1(Label 1)|v2}` and the like. */
import type { Form } from '../protocol/objects.ts';

/** Type of a form as it is written; older notes have other names, see `normalizeForm`. */
export type FormType = 'TextBox' | 'Password' | 'Select' | 'CheckBox';

/** A form with everything known that a template can say. `argument` is what joins the values of check boxes. */
export interface TextForm extends Form {
  /** Key of its value in `params`. */
  name: string;
  /** How it is shown. */
  type: FormType;
  /** A list for check boxes, else a text. */
  defaultValue: string | string[];
  /** Written with an underscore before it: has a value and is not shown. */
  hidden: boolean;
}

/** A form and where its template stands: `text.slice(start, end)` is the template. */
export interface FormTemplate {
  /** What the template says. */
  readonly form: TextForm;
  /** Written `$${…}`: the form belongs to the note. */
  readonly noteWide: boolean;
  /** Offset of its first character. */
  readonly start: number;
  /** Offset behind its closing brace. */
  readonly end: number;
}

/** An underscore for a hidden form counts only where a word does not go on: `table_${year}` is no hidden form. */
const OPEN = /(?:(?<![A-Za-z0-9_\\])_)?(?<!\\)\$\$?\{/g;

/** Only so far and so deep are paired braces looked for; any other template ends at its first brace, as all do upstream. */
const PAIRED_LIMIT = 2000;
const PAIRED_DEPTH = 16;

/** Position of the brace that closes a template; braces inside a default are counted, unless they do not pair up. */
function closeOf(text: string, from: number): number {
  let depth = 0;
  const limit = Math.min(text.length, from + PAIRED_LIMIT);
  for (let at = from; at < limit && depth < PAIRED_DEPTH; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '{') depth += 1;
    else if (char === '}' && depth > 0) depth -= 1;
    else if (char === '}') return at;
  }
  return text.indexOf('}', from);
}

/** Splits at a character that stands neither inside braces nor behind a backslash; at most `limit` parts. */
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

const unescape = (text: string): string => text.replace(/\\([,|(){}])/g, '$1');

/** `value(Label)`; the label is left out when it is blank. */
function labelled(text: string): { value: string; displayName?: string } {
  const whole = text.trimEnd();
  const open = split(whole, '(', 2)[0]?.length ?? 0;
  if (!whole.endsWith(')') || whole.indexOf(')', open) < whole.length - 1)
    return { value: unescape(text) };
  const displayName = unescape(whole.slice(open + 1, -1)).trim();
  return {
    value: unescape(whole.slice(0, open).trimEnd()),
    ...(displayName === '' ? {} : { displayName }),
  };
}

/** Name, label and type: up to `=` or the end, on one line and without braces, which tells a template from code. */
const HEAD = /[^={}\n]{1,1000}(?=[=}])/y;
const TYPED = /^(checkbox|password)\s*(?:\(([^()]*)\))?\s*:(.*)$/;

interface Head {
  readonly type: string | undefined;
  readonly argument: string | undefined;
  readonly name: string;
  readonly displayName?: string;
}

/** Type, name and label; `undefined` when this cannot be a form and stays text. */
function readHead(head: string): Head | undefined {
  const typed = TYPED.exec(head);
  const { value: name, ...label } = labelled((typed?.[3] ?? head).trim());
  // Another type, or a shell's `${VAR:-x}`: upstream fails the run.
  if (name === '' || name.includes(':')) return undefined;
  return { type: typed?.[1], argument: typed?.[2], name, ...label };
}

/** The form of a template; `content` is what follows `=`. */
function toForm(
  { type, argument, ...named }: Head,
  content: string | undefined,
  hidden: boolean,
): TextForm {
  if (type === 'password') return { type: 'Password', ...named, hidden, defaultValue: '' };
  const [start = '', choices] = split(content ?? '', ',', 2);
  const options = choices === undefined ? undefined : split(choices, '|').map(labelled);
  if (type === 'checkbox') {
    const checked = start === '' ? [] : split(start, '|').map(unescape);
    const boxes = options ?? checked.map((value) => ({ value }));
    const joiner = argument === undefined ? {} : { argument };
    return { type: 'CheckBox', ...named, hidden, defaultValue: checked, options: boxes, ...joiner };
  }
  if (options) return { type: 'Select', ...named, hidden, defaultValue: unescape(start), options };
  return { type: 'TextBox', ...named, hidden, defaultValue: start.replace(/\\([{},])/g, '$1') };
}

/**
 * The form templates of a text, in order (upstream 0.8.2; passwords 0.9 and later):
 * `${name}`, `${name=default}`, `${name(Label)=default}` text box; `${name=default,v1(Label 1)|v2}` select;
 * `${checkbox:name=d1|d2,a|b(Label)|c}` and `${checkbox( or ):name=…}` check boxes; `${password:name}`;
 * `_${…}` hidden; `$${…}` belongs to the note.
 *
 * Beyond upstream: `\${` is no template; a default may hold paired braces (`${q={"a":1}}`); a backslash keeps
 * `, | ( ) { }` from their meaning; what cannot be a form stays text.
 */
export function parseForms(text: string): FormTemplate[] {
  const templates: FormTemplate[] = [];
  const open = new RegExp(OPEN);
  let close = text.indexOf('}');
  for (let found = open.exec(text); found && close >= 0; found = open.exec(text)) {
    const from = open.lastIndex;
    HEAD.lastIndex = from;
    const before = HEAD.exec(text)?.[0];
    const head = readHead(before?.trim() ?? '');
    if (close < from) close = text.indexOf('}', from);
    if (before === undefined || !head || close < 0) continue;
    const at = from + before.length;
    const end = text[at] === '=' ? closeOf(text, at + 1) : at;
    const form = toForm(
      head,
      end > at ? text.slice(at + 1, end) : undefined,
      found[0].startsWith('_'),
    );
    templates.push({ form, noteWide: found[0].endsWith('$${'), start: found.index, end: end + 1 });
    open.lastIndex = end + 1;
  }
  return templates;
}
