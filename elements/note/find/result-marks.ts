/**
 * Marks matches in results with the CSS Custom Highlight API, so that result views need no code for
 * it.
 */
import type { Output } from '@tiding/client';
import { REVEAL_EVENT } from '../../result/displays/use-follow.ts';
import { connectionOf, type FrameConnection } from '../../result/frames/frame-connection.ts';
import { textRanges } from '../../runtime/text-ranges.ts';
import { type CompiledQuery, findMatches, type ResultMatch } from './search.ts';

const names = { match: 'tiding-find-match', current: 'tiding-find-current' } as const;
/** Maximum number of marks in one result. */
const drawnMarks = 2_000;
/** Elements around results that are not part of their text. */
const nonTextSelector =
  '.result-bar, .text-above, .text-follow, .error-actions, .fields, .resize-handle, button,' +
  ' .visually-hidden, .grid-type, .grid-probe, .filter';

/** Marks of one search, in one result at a time. */
export class ResultMarks {
  #drawn: [Highlight, Range][] = [];
  /** Result frame that draws its own marks. */
  #frame: FrameConnection | undefined;

  clear(): void {
    for (const [highlight, range] of this.#drawn) highlight.delete(range);
    this.#drawn = [];
    this.#frame?.mark(undefined, 0);
    this.#frame = undefined;
  }

  /**
   * Scrolls a match in a paragraph's result into view and marks it and the other rendered matches.
   */
  async draw(
    paragraph: HTMLElement,
    search: CompiledQuery,
    outputs: readonly Output[],
    hits: readonly ResultMatch[],
    hit: ResultMatch,
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
    // An element far from the window has no layout, and a table there does not follow its scroll
    // box.
    const { top: upper, bottom: lower } = part.getBoundingClientRect();
    if (lower < 0 || upper > window.innerHeight) part.scrollIntoView({ block: 'center' });
    // A table may be shown as a chart, which can't show marks.
    const row =
      hit.cell &&
      (await comesUp(
        () =>
          partOf(part, outputs, hit.output).querySelector<HTMLElement>(
            '.grid-row:not(.head, .filter), .chart-box',
          ),
        still,
      ));
    // Query this only now: the placeholder shown while the result loaded has been replaced.
    const root = partOf(part, outputs, hit.output);
    const grid = row?.closest<HTMLElement>('.data-grid') ?? null;
    if (grid && row && hit.cell && hit.cell.row >= 0) {
      const { cell } = hit;
      const height = row.getBoundingClientRect().height;
      const top = cell.row * height;
      // A table that has just been rendered may reset its scroll position once more.
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

/** Returns the element of one output, or the whole result if its outputs can't be told apart. */
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

/**
 * Returns the range to mark in a cell: the matching text, or the whole content if a number is
 * formatted differently from its raw value.
 */
function inCell(
  grid: HTMLElement,
  found: readonly Range[],
  { cell, output, nth }: ResultMatch,
  hits: readonly ResultMatch[],
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

/** Ranges of the search's matches in the rendered text. */
const rangesOf = (root: HTMLElement, search: CompiledQuery): Range[] =>
  textRanges(
    root,
    (element) => element.matches(nonTextSelector),
    (text) => findMatches(search, text),
    drawnMarks,
  );

/** Scrolls boxes and the page by the minimum needed to show a place. */
function reveal(place: Range | HTMLElement): void {
  const element = place instanceof Element ? place : place.startContainer.parentElement;
  const box = element?.closest<HTMLElement>('.text-box');
  if (box) {
    const [outer, inner] = [box.getBoundingClientRect(), place.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) {
      box.dispatchEvent(new Event(REVEAL_EVENT));
      box.scrollTop += inner.top - outer.top - box.clientHeight / 3;
    }
  }
  const { top, bottom } = place.getBoundingClientRect();
  if (place instanceof Element || !element) element?.scrollIntoView({ block: 'nearest' });
  else if (top < 160 || bottom > window.innerHeight - 60) {
    element.scrollIntoView({ block: 'center' });
    // The surrounding element may be taller than the window.
    const now = place.getBoundingClientRect();
    if (now.top < 160 || now.bottom > window.innerHeight - 60)
      window.scrollBy({ top: now.top - window.innerHeight / 3 });
  }
}

/** Waits up to 5 seconds for an element: a result that was hidden may have to load its code. */
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
