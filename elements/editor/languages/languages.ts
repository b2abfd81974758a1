import type { LanguageSupport, StreamParser } from '@codemirror/language';
import { languageName } from './language-name.ts';
import { loadHighlighter } from './load-highlighter.ts';

/** Loads a language; its code is fetched when a paragraph first needs it. */
type Loader = () => Promise<LanguageSupport>;

/**
 * Loads a legacy CodeMirror mode. The stream parser is loaded with it, because static code without
 * such a language does not need it.
 */
async function stream<State>(mode: Promise<StreamParser<State>>): Promise<LanguageSupport> {
  const [{ LanguageSupport, StreamLanguage }, { indentFolds }] = await Promise.all([
    import('@codemirror/language'),
    import('./folding.ts'),
  ]);
  return new LanguageSupport(StreamLanguage.define(await mode), indentFolds);
}

/** Markdown whose text has HTML tags or comments. */
const MARKDOWN_WITH_TAGS = 'markdown with tags';

/** Language loaders by mode name. To add a language, add an entry here. */
const loaders: Record<string, Loader> = {
  sql: async () => {
    const [{ SQLDialect, sql }, words] = await Promise.all([
      import('@codemirror/lang-sql'),
      import('./sql-words.ts'),
    ]);
    const dialect = SQLDialect.define({
      keywords: words.sqlKeywords,
      types: words.sqlTypes,
      builtin: words.sqlFunctions,
      doubleDollarQuotedStrings: true,
      operatorChars: '*+-/<>!=&|~^%:',
    });
    return sql({ dialect });
  },
  python: async () => (await import('@codemirror/lang-python')).python(),
  markdown: async () => (await import('./markdown.ts')).markdown,
  [MARKDOWN_WITH_TAGS]: async () => {
    await loadLanguage('markdown', '');
    const { markdown, tagLanguage } = await import('./markdown.ts');
    await tagLanguage.load();
    return markdown;
  },
  javascript: async () =>
    (await import('@codemirror/lang-javascript')).javascript({ typescript: true }),
  magpie: async () => (await import('./magpie.ts')).magpieLanguage(),
  java: async () => (await import('@codemirror/lang-java')).java(),
  json: () => stream(import('@codemirror/legacy-modes/mode/javascript').then((mode) => mode.json)),
  html: () => stream(import('@codemirror/legacy-modes/mode/xml').then((mode) => mode.html)),
  yaml: () => stream(import('@codemirror/legacy-modes/mode/yaml').then((mode) => mode.yaml)),
  sh: () => stream(import('@codemirror/legacy-modes/mode/shell').then((mode) => mode.shell)),
  scala: () => stream(import('@codemirror/legacy-modes/mode/clike').then((mode) => mode.scala)),
  kotlin: () => stream(import('@codemirror/legacy-modes/mode/clike').then((mode) => mode.kotlin)),
  groovy: () => stream(import('@codemirror/legacy-modes/mode/groovy').then((mode) => mode.groovy)),
  julia: () => stream(import('@codemirror/legacy-modes/mode/julia').then((mode) => mode.julia)),
  r: () => stream(import('@codemirror/legacy-modes/mode/r').then((mode) => mode.r)),
};

const loaded = new Map<string, LanguageSupport>();
const pending = new Map<string, Promise<LanguageSupport | null>>();

function loaderName(mode: string | undefined, text: string): string {
  const name = languageName(mode);
  return name === 'markdown' && /<[a-z!?/]/i.test(text) ? MARKDOWN_WITH_TAGS : name;
}

/**
 * Returns the language of a text if it is already loaded, so that further editors start
 * highlighted.
 */
export function loadedLanguage(mode: string | undefined, text: string): LanguageSupport | null {
  return loaded.get(loaderName(mode, text)) ?? null;
}

/**
 * Loads the language of a text; resolves to null for unknown names (plain text) and if loading
 * fails.
 */
export function loadLanguage(
  mode: string | undefined,
  text: string,
): Promise<LanguageSupport | null> {
  const name = loaderName(mode, text);
  if (!Object.hasOwn(loaders, name)) return Promise.resolve(null);
  let promise = pending.get(name);
  if (!promise) {
    promise = Promise.all([loaders[name]!(), loadHighlighter()]).then(
      ([support]) => (loaded.set(name, support), support),
      () => (pending.delete(name), null),
    );
    pending.set(name, promise);
  }
  return promise;
}
