/*
 * Highlights matches of the note's search in an output, using the CSS Custom Highlight API so that
 * the output's DOM doesn't change.
 */
import { textRanges } from '../../runtime/text-ranges.ts';
import type { FromFrame } from '../frames/frame-messages.ts';
import type { ToFrame } from './protocol.ts';

export const highlightSheet =
  '::highlight(found){background-color:var(--_find-match);color:var(--_text)}' +
  '::highlight(found-here){background-color:var(--_find-current);color:var(--_text)}' +
  '@media (forced-colors:active){' +
  '::highlight(found){background-color:Mark;color:MarkText}' +
  '::highlight(found-here){background-color:Highlight;color:HighlightText}}';

/** Maximum number of highlights in an output. */
const maxMarks = 2_000;

/** Highlights all matches and reports the position of the current one. */
export function highlightMatches(
  { source, flags, current }: Extract<ToFrame, { type: 'mark' }>,
  send: (message: FromFrame) => void,
): void {
  if (typeof Highlight === 'undefined' || !CSS.highlights) return;
  CSS.highlights.delete('found');
  CSS.highlights.delete('found-here');
  if (source === '') return;
  const expression = new RegExp(source, flags);
  const ranges = textRanges(
    document.body,
    ({ tagName }) => /^(?:SCRIPT|STYLE|TEMPLATE|NOSCRIPT)$/.test(tagName),
    (text) => text.matchAll(expression),
    maxMarks,
  );
  const here = ranges[current] ?? ranges[0];
  CSS.highlights.set('found', new Highlight(...ranges.filter((range) => range !== here)));
  if (!here) return;
  CSS.highlights.set('found-here', new Highlight(here));
  send({ type: 'marked', top: Math.round(here.getBoundingClientRect().top) });
}
