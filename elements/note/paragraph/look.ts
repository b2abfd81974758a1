import { outputText, type Output as PrintedOutput } from '@tiding/client';

/**
 * Layout of a paragraph. `report` and `embed` have no editor and no bars; `focus` is a paragraph on
 * its own page, without its editor, and with its output even if that is hidden.
 */
export type Look = 'default' | 'simple' | 'report' | 'embed' | 'focus';

/**
 * Whether an output only confirms that a statement was carried out, such as `OK` after `create
 * table` or `OK, 3 rows` after an insert. A report has no use for it.
 */
export const isConfirmation = (output: PrintedOutput): boolean =>
  output.type === 'TEXT' && /^(?:OK(?:, [\d,]+ rows?)?\s*)+$/.test(outputText(output));
