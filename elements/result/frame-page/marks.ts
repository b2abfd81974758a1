/* Marks of the note's search in an output: painted over the text, so that the output does not change. */
import type { FromFrame, ToFrame } from './protocol.ts';

export const markSheet = '::highlight(found){background-color:var(--_find-match);color:var(--_text)}::highlight(found-here){background-color:var(--_find-current);color:var(--_text)}@media (forced-colors:active){::highlight(found){background-color:Mark;color:MarkText}::highlight(found-here){background-color:Highlight;color:HighlightText}}';

/** Marks of one output. */
const maxMarks = 2_000;
const inline = new Set(['SPAN', 'B', 'I', 'EM', 'STRONG', 'CODE', 'A', 'U', 'S', 'MARK', 'SUB', 'SUP', 'SMALL', 'LABEL']);

/** Marks what matches, and tells where the current match is. */
export function mark({ source, flags, current }: Extract<ToFrame, { type: 'mark' }>, send: (message: FromFrame) => void): void {
  if (typeof Highlight === 'undefined' || !CSS.highlights) return;
  CSS.highlights.delete('found');
  CSS.highlights.delete('found-here');
  if (source === '') return;
  const ranges = rangesOf(new RegExp(source, flags));
  const here = ranges[current] ?? ranges[0];
  CSS.highlights.set('found', new Highlight(...ranges.filter((range) => range !== here)));
  if (!here) return;
  CSS.highlights.set('found-here', new Highlight(here));
  send({ type: 'marked', top: Math.round(here.getBoundingClientRect().top) });
}

function rangesOf(expression: RegExp): Range[] {
  const pieces: { node: Text; start: number }[] = [];
  let text = '';
  let block: Element | null = null;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    node instanceof Element ? (/^(?:SCRIPT|STYLE|TEMPLATE|NOSCRIPT)$/.test(node.tagName) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP) : NodeFilter.FILTER_ACCEPT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    let owner = node.parentElement;
    while (owner && owner !== document.body && inline.has(owner.tagName)) owner = owner.parentElement;
    if (block && owner !== block) text += '\n';
    block = owner;
    pieces.push({ node, start: text.length });
    text += node.data;
  }
  const ranges: Range[] = [];
  let piece = 0;
  const point = (offset: number, end: boolean): [Text, number] => {
    while (pieces[piece + 1] && (end ? pieces[piece + 1]!.start < offset : pieces[piece + 1]!.start <= offset)) piece += 1;
    const { node, start } = pieces[piece]!;
    return [node, Math.min(node.length, offset - start)];
  };
  for (const match of text.matchAll(expression)) {
    if (ranges.length >= maxMarks) break;
    if (match[0] === '') continue;
    const range = document.createRange();
    range.setStart(...point(match.index, false));
    range.setEnd(...point(match.index + match[0].length, true));
    ranges.push(range);
  }
  return ranges;
}
