/** Which paragraphs have forms in their text, and the values that are for them. */
import type { Form, Paragraph } from '../../protocol/objects.ts';
import { type CollectedForms, collectForms } from './form-values.ts';
import { editorMode, languageOf, splitMagic } from './magic.ts';

/** What is known of the forms of a paragraph: its text, and the forms of its last run. */
export interface FormSource {
  /** Text of the paragraph. */
  readonly text: string;
  /** Language of its interpreter, for a magic that doesn't tell. */
  readonly language?: string | null | undefined;
  /** Forms of its last run, by name. */
  readonly forms?: Readonly<Record<string, Form>> | null | undefined;
}

/** Languages of programs, in which `${…}` is code. The code creates its forms with `z`. */
const PROGRAMS: ReadonlySet<string> = new Set(
  (
    'bash c c# c++ clojure common-lisp cpp crystal csharp d dart elixir elm erlang f# fish ' +
    'fortran fsharp go gophernotes groovy haskell html java javascript js julia jupyter kotlin ' +
    'lua matlab nim ocaml octave perl php powershell prolog pwsh python r racket raw ruby rust ' +
    'sage sas scala scheme sos stata swift typescript wolfram xcpp xonsh xpython zsh'
  ).split(' '),
);

/**
 * Returns the text in which forms of the syntax `${…}` are filled in: the whole text, or `''` if
 * they are code. As in Zeppelin, `(form=simple)` and `(form=native)` after the magic decide, else
 * the language: forms are filled in for SQL, Markdown, shell scripts, `%java` and unknown
 * languages.
 *
 * @param language the language of the interpreter, if the magic doesn't tell
 */
export function textWithForms(text: string, language?: string | null): string {
  if (!text.includes('${')) return '';
  const { magic = '', options } = splitMagic(text);
  const form = options['form']?.toLowerCase();
  if (form === 'simple' || form === 'native') return form === 'simple' ? text : '';
  const fallback = language && language !== 'text' ? language : languageOf(magic);
  const isForms = languageOf(magic) === 'java' || !PROGRAMS.has(editorMode(text, fallback));
  return isForms ? text : '';
}

/** Returns what is known of the forms of a stored paragraph. */
export const formSource = ({
  text = '',
  config,
  settings,
}: Pick<Paragraph, 'text' | 'config' | 'settings'>): FormSource => ({
  text,
  language: config?.editorSetting?.language,
  forms: settings?.forms,
});

/** Returns the forms in the text of a paragraph; see {@link textWithForms}. */
export const textForms = ({ text, language }: FormSource): CollectedForms =>
  collectForms(textWithForms(text, language));

/** A name in quotes. Code creates forms with such names: `z.input("year", 2020)`. */
const quotedName = /(["'])((?:(?!\1)[^\\\n]){1,200})\1/g;

/** Returns the forms of a paragraph by name, of its last run and of its text. */
export const formsOf = (source: FormSource): Readonly<Record<string, Form>> => ({
  ...source.forms,
  ...textForms(source).forms,
});

const quotedNames = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(quotedName)].map(([, , name]) => name!));

/** Returns the forms of the last run that the code of a paragraph may create again. */
export function codeForms({ text, forms }: FormSource): Record<string, Form> {
  const quoted = quotedNames(text);
  return Object.fromEntries(Object.entries(forms ?? {}).filter(([name]) => quoted.has(name)));
}

/** Returns the values that are for a form of a paragraph, or for one that its code may create. */
export function paramsFor(
  source: FormSource,
  params: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const forms = formsOf(source);
  const quoted = quotedNames(source.text);
  return Object.fromEntries(
    Object.entries(params).filter(([name]) => Object.hasOwn(forms, name) || quoted.has(name)),
  );
}
