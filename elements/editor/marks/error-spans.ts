import { fill } from '../../text/fill.ts';
import { editorTexts } from '../texts.ts';
import type { LineError } from './error-lines.ts';
import type { Span } from './overlay.ts';

/** Underlines for errors in a text, without the whitespace around the line. */
export function errorSpans(text: string, errors: readonly LineError[]): Span[] {
  if (errors.length === 0) return [];
  const lines = text.split('\n');
  return errors.flatMap(({ line }) => {
    const content = lines[line - 1];
    if (content === undefined || content.trim() === '') return [];
    const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
    return [
      {
        from: start + content.search(/\S/),
        to: start + content.trimEnd().length,
        className: 'error-text',
      },
    ];
  });
}

/** Description of errors for screen readers, read after the editor's name. */
export const errorSummary = (errors: readonly LineError[]): string =>
  errors.map(({ line, message }) => fill(editorTexts.errorAt, { line, message })).join(' ');
