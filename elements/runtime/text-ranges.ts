/** Places of a text in a page, for marks that are painted over it. */

/** Elements inside of which text goes on. */
const inline = new Set([
  'SPAN',
  'B',
  'I',
  'EM',
  'STRONG',
  'CODE',
  'A',
  'U',
  'S',
  'MARK',
  'SUB',
  'SUP',
  'SMALL',
  'LABEL',
]);

/**
 * Ranges of what `find` finds in the text of an element, `most` at most. Blocks are parted by a line break.
 *
 * @param skip whether an element's text is none of it
 * @param find answers places as `matchAll` does, in their order
 */
export function textRanges(
  root: HTMLElement,
  skip: (element: Element) => boolean,
  find: (text: string) => Iterable<{ readonly index: number; readonly 0: string }>,
  most: number,
): Range[] {
  const pieces: { node: Text; start: number }[] = [];
  let text = '';
  let block: Element | null = null;
  const walker = document.createTreeWalker(
    root,
    NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
    (node) =>
      node instanceof Element
        ? skip(node)
          ? NodeFilter.FILTER_REJECT
          : NodeFilter.FILTER_SKIP
        : NodeFilter.FILTER_ACCEPT,
  );
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    let owner = node.parentElement;
    while (owner && owner !== root && inline.has(owner.tagName)) owner = owner.parentElement;
    if (block && owner !== block) text += '\n';
    block = owner;
    pieces.push({ node, start: text.length });
    text += node.data;
  }
  const ranges: Range[] = [];
  let piece = 0;
  const point = (offset: number, end: boolean): [Text, number] => {
    while (
      pieces[piece + 1] &&
      (end ? pieces[piece + 1]!.start < offset : pieces[piece + 1]!.start <= offset)
    )
      piece += 1;
    const { node, start } = pieces[piece]!;
    return [node, Math.min(node.length, offset - start)];
  };
  for (const { index, 0: hit } of find(text)) {
    if (ranges.length >= most) break;
    if (hit === '') continue;
    const range = document.createRange();
    range.setStart(...point(index, false));
    range.setEnd(...point(index + hit.length, true));
    ranges.push(range);
  }
  return ranges;
}
