import type { NoteView } from '../view.tsx';

/** The paragraph that stands where reading begins, below the bars; what lies over the page is looked through. */
export function paragraphInView(view: NoteView): string | undefined {
  const root = view.host.shadowRoot;
  const area = root?.querySelector('.note-area')?.getBoundingClientRect();
  if (!root || !area) return undefined;
  // Where the bar ends while it is there: what is shown on demand stands below that, also when the bar has gone away.
  const bar = root.querySelector<HTMLElement>('.note-bar');
  const stuck = bar
    ? (parseFloat(getComputedStyle(bar).getPropertyValue('--tiding-sticky-top')) || 0) +
      bar.offsetHeight
    : 0;
  const top = Math.max(area.top, stuck) + 24;
  const x = area.left + Math.min(80, area.width / 2);
  // Gaps between paragraphs are narrower than a step.
  for (let y = top; y < Math.min(window.innerHeight, top + 120); y += 20) {
    for (const element of root.elementsFromPoint(x, y)) {
      const found = element.closest<HTMLElement>('[data-paragraph]');
      if (found) return found.dataset['paragraph'];
    }
  }
  return undefined;
}
