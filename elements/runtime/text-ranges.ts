/** Finds text in a DOM subtree, for highlights painted over it. */

/** Inline elements; text continues across their boundaries. */
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
 * Returns ranges of what `find` matches in the text of an element, at most `most`. Blocks are
 * separated by a line break.
 *
 * @param skip whether to ignore an element's text
 * @param find returns matches in order, like `matchAll`
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
