/** Marks of hits in a result: painted over the page by the browser's own highlights, so that no result has to know of them. */
import type { Output } from 'tiding/client';
import { connectionOf, type FrameConnection } from '../../result/frame.ts';
import { textRanges } from '../../runtime/text-ranges.ts';
import { matches, type ResultHit, type Search } from './search.ts';

const names = { match: 'tiding-find-match', current: 'tiding-find-current' } as const;
/** Marks of one result. */
const drawnMarks = 2_000;
/** What stands around results and is no text of them. */
const around =
  '.result-bar, .text-above, .text-follow, .error-actions, .fields, .resize-handle, button, .visually-hidden, .grid-type, .grid-probe, .filter';

/** The marks of one search in one result at a time. */
export class ResultMarks {
  #drawn: [Highlight, Range][] = [];
  /** The frame that has marks of its own. */
  #frame: FrameConnection | undefined;

  /** Takes them away. */
  clear(): void {
    for (const [highlight, range] of this.#drawn) highlight.delete(range);
    this.#drawn = [];
    this.#frame?.mark(undefined, 0);
    this.#frame = undefined;
  }

  /** Brings a hit of a paragraph's result into view and marks it with those around it, as far as they are drawn. */
  async draw(
    paragraph: HTMLElement,
    search: Search,
    outputs: readonly Output[],
    hits: readonly ResultHit[],
    hit: ResultHit,
    still: () => boolean,
  ): Promise<void> {
    const part = await comesUp(
      () => paragraph.querySelector<HTMLElement>('.output-part .result'),
      still,
    );
    this.clear();
    if (!still()) return;
    if (!part) {
      paragraph.scrollIntoView({ block: 'nearest' });
      return;
    }
    // What is far from the window is not laid out, and a table there does not follow its scroll box.
    const { top: upper, bottom: lower } = part.getBoundingClientRect();
    if (lower < 0 || upper > window.innerHeight) part.scrollIntoView({ block: 'center' });
    // A table may be shown as a chart, which has no place for a mark.
    const row =
      hit.cell &&
      (await comesUp(
        () =>
          partOf(part, outputs, hit.output).querySelector<HTMLElement>(
            '.grid-row:not(.head, .filter), .chart-box',
          ),
        still,
      ));
    // Not until now: what stood in its place while it was on its way is gone.
    const root = partOf(part, outputs, hit.output);
    const grid = row?.closest<HTMLElement>('.data-grid') ?? null;
    if (grid && row && hit.cell && hit.cell.row >= 0) {
      const { cell } = hit;
      const height = row.getBoundingClientRect().height;
      const top = cell.row * height;
      // A table that has just come may set its scroll box back once more.
      await comesUp(() => {
        if (top < grid.scrollTop || top + 3 * height > grid.scrollTop + grid.clientHeight)
          grid.scrollTop = Math.max(0, top - height);
        return grid.querySelector(`[data-row="${cell.row}"]`);
      }, still);
    }
    if (!still()) return;
    const frame = root.querySelector<HTMLIFrameElement>('iframe.result-frame-view');
    this.#frame = frame ? connectionOf(frame) : undefined;
    if (this.#frame) {
      reveal(root);
      this.#frame.mark(search.expression, hit.nth);
      return;
    }
    const found = rangesOf(root, search);
    const current =
      grid && hit.cell
        ? inCell(grid, found, hit, hits)
        : found[
            hit.nth - (hits.filter(({ output }) => output === hit.output).length - found.length)
          ];
    for (const range of found) if (range !== current) this.#add(names.match, range);
    if (current) this.#add(names.current, current);
    reveal(current ?? root);
  }

  #add(name: string, range: Range): void {
    let highlight = CSS.highlights?.get(name);
    if (!highlight) {
      if (typeof Highlight === 'undefined' || !CSS.highlights) return;
      CSS.highlights.set(name, (highlight = new Highlight()));
    }
    highlight.add(range);
    this.#drawn.push([highlight, range]);
  }
}

/** The element of one output among those of a result; the whole result where they cannot be told apart. */
function partOf(result: HTMLElement, outputs: readonly Output[], index: number): HTMLElement {
  const shown = outputs.flatMap(({ type, count }, at) =>
    type !== 'NULL' && count > 0 ? [at] : [],
  );
  return (
    (shown.length === result.children.length
      ? (result.children[shown.indexOf(index)] as HTMLElement | undefined)
      : undefined) ?? result
  );
}

/** The mark in a cell: of its own text; of all of it where a number is written otherwise than it was put out. */
function inCell(
  grid: HTMLElement,
  found: readonly Range[],
  { cell, output, nth }: ResultHit,
  hits: readonly ResultHit[],
): Range | undefined {
  const place = grid.querySelector(`[data-row="${cell!.row}"][data-column="${cell!.column}"]`);
  const inside = place ? found.filter(({ startContainer }) => place.contains(startContainer)) : [];
  const first = hits.find(
    (one) =>
      one.output === output && one.cell?.row === cell!.row && one.cell.column === cell!.column,
  )!.nth;
  if (inside.length > 0) return inside[nth - first] ?? inside[0];
  if (!place?.classList.contains('right')) return undefined;
  const range = document.createRange();
  range.selectNodeContents(place);
  return range;
}

/** Where the search hits what is drawn. */
const rangesOf = (root: HTMLElement, search: Search): Range[] =>
  textRanges(
    root,
    (element) => element.matches(around),
    (text) => matches(search, text),
    drawnMarks,
  );

/** Scrolls boxes and page as little as brings a place into view. */
function reveal(place: Range | HTMLElement): void {
  const element = place instanceof Element ? place : place.startContainer.parentElement;
  const box = element?.closest<HTMLElement>('.text-box');
  if (box) {
    const [outer, inner] = [box.getBoundingClientRect(), place.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom)
      box.scrollTop += inner.top - outer.top - box.clientHeight / 3;
  }
  const { top, bottom } = place.getBoundingClientRect();
  if (place instanceof Element || !element) element?.scrollIntoView({ block: 'nearest' });
  else if (top < 160 || bottom > window.innerHeight - 60) {
    element.scrollIntoView({ block: 'center' });
    // The text around may be taller than the window.
    const now = place.getBoundingClientRect();
    if (now.top < 160 || now.bottom > window.innerHeight - 60)
      window.scrollBy({ top: now.top - window.innerHeight / 3 });
  }
}

/** What appears within some seconds: a result that was hidden may have to fetch its code. */
async function comesUp<Found>(
  ask: () => Found | null,
  still: () => boolean,
): Promise<Found | null> {
  for (
    const end = performance.now() + 5_000;
    performance.now() < end && still();
    await new Promise(requestAnimationFrame)
  ) {
    const found = ask();
    if (found) return found;
  }
  return null;
}
