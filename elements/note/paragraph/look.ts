import {
  configForText,
  outputText,
  type ParagraphState,
  type Output as PrintedOutput,
  paragraphText,
} from '@tiding/client';
import { editorMode, magicOf } from '@tiding/client/model';

/**
 * Layout of a paragraph. `report` and `embed` have no editor and no bars; `focus` is a paragraph on
 * its own page, without its editor, and with its output even if that is hidden.
 */
export type Look = 'default' | 'simple' | 'report' | 'embed' | 'focus';

/** Whether a layout shows only title, forms and result. */
export const isBare = (look: Look): boolean => look === 'report' || look === 'embed';

/** Languages whose paragraphs show only their result after a run, such as Markdown. */
const proseMagics: ReadonlySet<string> = new Set(['md', 'markdown', 'angular']);
/** Whether a paragraph is prose: its editor is hidden after a run and opens on double-click. */
export const isProse = (state: ParagraphState): boolean => {
  const source = paragraphText(state);
  return (
    configForText(state, source).editorSetting?.editOnDblClick ??
    proseMagics.has(magicOf(source) ?? '')
  );
};

const ownSqlMagics: ReadonlySet<string> = new Set(['sql', 'duckdb']);
/** Whether a text is SQL of a Tiding server's own engine. */
export const isOwnSql = (text: string): boolean => ownSqlMagics.has(magicOf(text) ?? '');

/**
 * Classes of a paragraph with its bars. `showsCode`: its hidden code is shown, because a search
 * found something in it.
 */
export function cardClasses(state: ParagraphState, look: Look, showsCode = false): string[] {
  const { config = {} } = state.server;
  const isEmpty = state.outputs.length === 0;
  const isResultOnly =
    config.editorHide === true && !showsCode && isProse(state) && !config.title && !isEmpty;
  return [
    'paragraph',
    look,
    ...(config.enabled === false ? ['disabled'] : []),
    ...(isResultOnly ? ['prose-look'] : []),
    ...(isEmpty && paragraphText(state).trim() === '' ? ['blank'] : []),
  ];
}

/** The language of a text, from its magic or else from what the server said of it. */
export function codeLanguage(text: string, told: string | undefined, isTiding: boolean): string {
  const known = told === 'text' ? undefined : told;
  return magicOf(text)
    ? editorMode(text, known ?? 'text')
    : (known ?? (isTiding ? 'sql' : 'scala'));
}

/**
 * Whether an output only confirms that a statement was carried out, such as `OK` after `create
 * table` or `OK, 3 rows` after an insert. A report has no use for it.
 */
export const isConfirmation = (output: PrintedOutput): boolean =>
  output.type === 'TEXT' && /^(?:OK(?:, [\d,]+ rows?)?\s*)+$/.test(outputText(output));
